;; Counting the ways a game can go, inside the module that stops at decisions.
;;
;; The decisions on the way to the one that is open are a stack of levels, in the room behind the rest of the memory that
;; a search uses at other times. A level is the position with its decision open, and how far its options have been tried:
;; the address of the level before it (0: none), the next option, the number of options, words of an option, bytes of the
;; position's fixed part and of its saved frames; then the position, and the rows of the options.

(global $level (mut i32) (i32.const 0))   ;; the last level
(global $level_end (mut i32) (i32.const 0))
(global $levels (mut i32) (i32.const 0))  ;; how many there are

(func $level_push (result i32)  ;; makes a level of the decision that is open; 0 when there is no room
  (local $fixed i32) (local $saved i32) (local $rows i32) (local $at i32) (local $end i32)
  (local.set $fixed (select (i32.const @FIXED_SIZE) (i32.const @OPEN_SIZE) (i32.load (i32.const @SECRET))))
  (local.set $saved (i32.load (i32.const @SAVED)))
  (local.set $rows (i32.mul (i32.load (i32.const @ASK_COUNT)) (i32.shl (i32.load (i32.const @ASK_WORDS)) (i32.const 2))))
  (local.set $at (global.get $level_end))
  (local.set $end (i32.add (i32.add (local.get $at) (i32.const 24))
    (i32.add (local.get $rows) (i32.add (local.get $fixed) (local.get $saved)))))
  (if (i32.eqz (call $rest (i32.sub (local.get $end) (i32.const @SEARCH)))) (then (return (i32.const 0))))
  (i32.store (local.get $at) (global.get $level))
  (i32.store offset=4 (local.get $at) (i32.const 0))
  (i32.store offset=8 (local.get $at) (i32.load (i32.const @ASK_COUNT)))
  (i32.store offset=12 (local.get $at) (i32.load (i32.const @ASK_WORDS)))
  (i32.store offset=16 (local.get $at) (local.get $fixed))
  (i32.store offset=20 (local.get $at) (local.get $saved))
  (global.set $level (local.get $at))
  (local.set $at (i32.add (local.get $at) (i32.const 24)))
  (memory.copy (local.get $at) (i32.const @STATE) (local.get $fixed))
  (local.set $at (i32.add (local.get $at) (local.get $fixed)))
  (memory.copy (local.get $at) (i32.const @SAVED_FROM) (local.get $saved))
  (memory.copy (i32.add (local.get $at) (local.get $saved)) (i32.const @OPTIONS) (local.get $rows))
  (global.set $level_end (local.get $end))
  (global.set $levels (i32.add (global.get $levels) (i32.const 1)))
  (i32.const 1))

(func $level_take (result i32)  ;; takes the next option of the last level; the status then
  (local $index i32) (local $at i32) (local $bytes i32) (local $rows i32)
  (local.set $at (global.get $level))
  (local.set $index (i32.load offset=4 (local.get $at)))
  (i32.store offset=4 (local.get $at) (i32.add (local.get $index) (i32.const 1)))
  (i32.store (i32.const @ASK_COUNT) (i32.load offset=8 (local.get $at)))
  (local.set $bytes (i32.shl (i32.load offset=12 (local.get $at)) (i32.const 2)))
  (local.set $rows (i32.add (i32.add (local.get $at) (i32.const 24)) (i32.load offset=16 (local.get $at))))
  (memory.copy (i32.const @STATE) (i32.add (local.get $at) (i32.const 24)) (i32.load offset=16 (local.get $at)))
  (memory.copy (i32.const @SAVED_FROM) (local.get $rows) (i32.load offset=20 (local.get $at)))
  (local.set $rows (i32.add (local.get $rows) (i32.load offset=20 (local.get $at))))
  (memory.copy
    (i32.add (i32.const @OPTIONS) (i32.mul (local.get $index) (local.get $bytes)))
    (i32.add (local.get $rows) (i32.mul (local.get $index) (local.get $bytes)))
    (local.get $bytes))
  (call $planes)
  (call $take (local.get $index)))

;; ``count_from()``: the decision that is open is the first level. 0 when there is no room.
(func (export "count_from") (result i32)
  (global.set $rolling (i32.const 0))
  (global.set $level (i32.const 0))
  (global.set $levels (i32.const 0))
  (global.set $level_end (i32.add (i32.const @SEARCH) (i32.const 16)))
  (if (i32.eqz (call $rest (i32.const 16))) (then (return (i32.const 0))))
  (i64.store (i32.const @SEARCH) (i64.const 0))
  (call $level_push))

;; ``count_on(depth, steps)``: the options of the decisions that come ``depth`` choices after the first are added up at
;; @SEARCH, taking so many options at most. 1 when all are counted, 0 when there is more to do, 2 when there is no room.
(func (export "count_on") (param $depth i32) (param $steps i32) (result i32)
  (loop $again
    (if (i32.eqz (global.get $level)) (then (return (i32.const 1))))
    (if (i32.ge_u (i32.load offset=4 (global.get $level)) (i32.load offset=8 (global.get $level)))
      (then
        (global.set $level_end (global.get $level))
        (global.set $level (i32.load (global.get $level)))
        (global.set $levels (i32.sub (global.get $levels) (i32.const 1))))
      (else
        (if (i32.eqz (local.get $steps)) (then (return (i32.const 0))))
        (local.set $steps (i32.sub (local.get $steps) (i32.const 1)))
        (if (i32.eq (call $level_take) (i32.const 2)) (then
          (if (i32.ge_u (global.get $levels) (local.get $depth))
            (then
              (i64.store (i32.const @SEARCH) (i64.add (i64.load (i32.const @SEARCH))
                (i64.extend_i32_u (i32.load (i32.const @ASK_COUNT))))))
            (else
              (if (i32.eqz (call $level_push)) (then (return (i32.const 2))))))))))
    (br $again))
  unreachable)
