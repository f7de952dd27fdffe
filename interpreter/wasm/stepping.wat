;; Many games side by side for those who learn: each waits at a decision in a slot of its own, and one call takes all of
;; them on to the next.
;;
;; The block of words at @SEARCH is filled in from outside; see ``interpreter.wasm.stepping``. A slot has a head of six words:
;; bytes of the position's fixed part, of its saved frames; the number of options, the words of one; decisions so far; how
;; many options have an action. For each of these follow the action and the number of the option; then the position, and
;; the rows of these options.

;; ---------------------------------------------------------------- observations

;; A plan is steps of five words: what to do, for how many numbers, where they are kept (bytes from $at), and two more.

(global $out (mut i32) (i32.const 0))  ;; where the next number of an observation goes

(func $tell (param $plan i32) (param $at i32)
  (local $number i32) (local $from i32) (local $a i32) (local $b i32)
  (block $done
    (loop $next
      (local.set $number (i32.load offset=4 (local.get $plan)))
      (local.set $from (i32.add (local.get $at) (i32.load offset=8 (local.get $plan))))
      (local.set $a (i32.load offset=12 (local.get $plan)))
      (local.set $b (i32.load offset=16 (local.get $plan)))
      (block $told
        (block $listed (block $summed (block $compared (block $optional (block $members (block $bits (block $swapped
        (block $filled (block $copied
          (br_table $done $copied $filled $swapped $bits $members $optional $compared $summed $listed
            (i32.load (local.get $plan))))
        (memory.copy (global.get $out) (local.get $from) (i32.shl (local.get $number) (i32.const 2)))
        (global.set $out (i32.add (global.get $out) (i32.shl (local.get $number) (i32.const 2))))
        (br $told))
        (call $tell_filled (local.get $number) (local.get $a))
        (br $told))
        (call $tell_swapped (local.get $number) (local.get $from) (local.get $a) (local.get $b))
        (br $told))
        (call $tell_bits (local.get $number) (i64.load (local.get $from)))
        (br $told))
        (call $tell_members (local.get $number) (local.get $from) (local.get $a))
        (br $told))
        (call $tell_word (i32.load (local.get $from)))
        (if (i32.load (local.get $from))
          (then (call $tell (local.get $a) (i32.add (local.get $from) (i32.const 4))))
          (else (call $tell (local.get $b) (local.get $from))))
        (br $told))
        (call $tell_word (i32.ne (i32.load (local.get $from)) (local.get $a)))
        (br $told))
        (call $tell_sum (local.get $number) (local.get $from))
        (br $told))
        (local.set $plan (i32.add (local.get $plan) (i32.const 20)))  ;; a list takes two steps
        (call $tell_list (local.get $number) (local.get $from) (local.get $a) (local.get $b)
          (i32.load offset=12 (local.get $plan))))
      (local.set $plan (i32.add (local.get $plan) (i32.const 20)))
      (br $next))))

(func $tell_word (param $word i32)
  (i32.store (global.get $out) (local.get $word))
  (global.set $out (i32.add (global.get $out) (i32.const 4))))

(func $tell_filled (param $number i32) (param $word i32)  ;; the same word each time
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $number)))
      (call $tell_word (local.get $word))
      (local.set $number (i32.sub (local.get $number) (i32.const 1)))
      (br $again))))

(func $tell_swapped (param $number i32) (param $from i32) (param $kept i32) (param $told i32)  ;; $told in place of $kept
  (local $word i32)
  (loop $again
    (local.set $word (i32.load (local.get $from)))
    (call $tell_word (select (local.get $told) (local.get $word) (i32.eq (local.get $word) (local.get $kept))))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (local.set $number (i32.sub (local.get $number) (i32.const 1)))
    (br_if $again (local.get $number))))

(func $tell_bits (param $number i32) (param $bits i64)  ;; a mask as flags
  (loop $again
    (call $tell_word (i32.wrap_i64 (i64.and (local.get $bits) (i64.const 1))))
    (local.set $bits (i64.shr_u (local.get $bits) (i64.const 1)))
    (local.set $number (i32.sub (local.get $number) (i32.const 1)))
    (br_if $again (local.get $number))))

(func $tell_members (param $number i32) (param $from i32) (param $low i32)  ;; a list as flags, the first for $low
  (local $left i32)
  (memory.fill (global.get $out) (i32.const 0) (i32.shl (local.get $number) (i32.const 2)))
  (local.set $left (i32.load (local.get $from)))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $left)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (i32.store
        (i32.add (global.get $out) (i32.shl (i32.sub (i32.load (local.get $from)) (local.get $low)) (i32.const 2)))
        (i32.const 1))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br $again)))
  (global.set $out (i32.add (global.get $out) (i32.shl (local.get $number) (i32.const 2)))))

(func $tell_sum (param $number i32) (param $from i32)
  (local $sum i32)
  (loop $again
    (local.set $sum (i32.add (local.get $sum) (i32.load (local.get $from))))
    (local.set $from (i32.add (local.get $from) (i32.const 4)))
    (local.set $number (i32.sub (local.get $number) (i32.const 1)))
    (br_if $again (local.get $number)))
  (call $tell_word (local.get $sum)))

;; How many members a list has, as far as there is room, and the last of them, each of $bytes by the plan $each; in the
;; rest of the room what the plan $blank tells.
(func $tell_list (param $room i32) (param $from i32) (param $each i32) (param $bytes i32) (param $blank i32)
  (local $left i32)
  (local.set $left (i32.load (local.get $from)))
  (local.set $from (i32.add (local.get $from) (i32.const 4)))
  (if (i32.gt_s (local.get $left) (local.get $room)) (then
    (local.set $from (i32.add (local.get $from)
      (i32.mul (local.get $bytes) (i32.sub (local.get $left) (local.get $room)))))
    (local.set $left (local.get $room))))
  (call $tell_word (local.get $left))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $room)))
      (local.set $room (i32.sub (local.get $room) (i32.const 1)))
      (if (local.get $left)
        (then
          (call $tell (local.get $each) (local.get $from))
          (local.set $from (i32.add (local.get $from) (local.get $bytes)))
          (local.set $left (i32.sub (local.get $left) (i32.const 1))))
        (else (call $tell (local.get $blank) (local.get $from))))
      (br $again))))

;; Where the cells lie that a seat sees, from where those of the state do. While players decide together, each sees the
;; cells as they were, with what it has decided itself.
(func $seen_by (param $seat i32) (result i32)
  (local $at i32) (local $left i32)
  (if (i32.eqz (i32.load (i32.const @SECRET))) (then (return (i32.const 0))))
  (if (i32.eq (i32.load (i32.const @SECRET_PLAYER)) (local.get $seat)) (then (return (i32.const 0))))
  (local.set $at (i32.const @SECRET_FROM))
  (local.set $left (i32.load (i32.const @SECRET_DONE)))
  (block $found
    (loop $each
      (br_if $found (i32.eqz (local.get $left)))
      (local.set $at (i32.add (i32.const @SECRET_FIRST) (i32.mul
        (i32.sub (i32.load (i32.const @SECRET_DONE)) (local.get $left)) (i32.const @SECRET_EACH))))
      (if (i32.eq (i32.load (local.get $at)) (local.get $seat)) (then
        (return (i32.sub (i32.add (local.get $at) (i32.const 4)) (i32.const @CELLS)))))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br $each)))
  (i32.sub (i32.const @SECRET_FROM) (i32.const @CELLS)))

;; ---------------------------------------------------------------- actions

;; The action of an option of the decision that is open: -1 for one without an action of its own.
(func $action_of (param $asked i64) (param $index i32) (result i32)
  (local $key i64) (local $place i32) (local $at i32)
  (local.set $key (call $key (local.get $asked) (local.get $index)))
  (local.set $place (i32.wrap_i64 (local.get $key)))
  (loop $probe
    (local.set $at (i32.add (i32.load (i32.const @VECTOR_TABLE))
      (i32.mul (i32.and (local.get $place) (i32.load (i32.const @VECTOR_TABLE_MASK))) (i32.const 16))))
    (if (i64.eq (i64.load (local.get $at)) (local.get $key)) (then (return (i32.load offset=8 (local.get $at)))))
    (if (i32.lt_s (i32.load offset=8 (local.get $at)) (i32.const 0)) (then (return (i32.const -1))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $probe))
  unreachable)

;; ---------------------------------------------------------------- slots

(func $slot (param $i i32) (result i32)
  (i32.add (i32.load (i32.const @VECTOR_SLOTS)) (i32.mul (local.get $i) (i32.load (i32.const @VECTOR_STRIDE)))))

;; Makes every slot at least so wide. What lies in them moves, the last first.
(func $wider (param $bytes i32)
  (local $stride i32) (local $i i32) (local $from i32)
  (local.set $from (i32.load (i32.const @VECTOR_STRIDE)))
  (local.set $stride (local.get $from))
  (loop $double
    (local.set $stride (i32.shl (local.get $stride) (i32.const 1)))
    (br_if $double (i32.lt_u (local.get $stride) (local.get $bytes))))
  (local.set $i (i32.load (i32.const @VECTOR_COUNT)))
  (if (i32.eqz (call $rest (i32.sub
        (i32.add (i32.load (i32.const @VECTOR_SLOTS)) (i32.mul (local.get $i) (local.get $stride))) (i32.const @SEARCH))))
    (then
      (i32.store (i32.const @VECTOR_STOP) (i32.const 1))
      unreachable))
  (loop $each
    (local.set $i (i32.sub (local.get $i) (i32.const 1)))
    (memory.copy
      (i32.add (i32.load (i32.const @VECTOR_SLOTS)) (i32.mul (local.get $i) (local.get $stride)))
      (i32.add (i32.load (i32.const @VECTOR_SLOTS)) (i32.mul (local.get $i) (local.get $from)))
      (local.get $from))
    (br_if $each (local.get $i)))
  (i32.store (i32.const @VECTOR_STRIDE) (local.get $stride)))

;; Keeps the decision that is open, and tells it to the seat that decides. $decisions: those made before it.
(func $keep (param $i i32) (param $decisions i32)
  (local $slot i32) (local $fixed i32) (local $saved i32) (local $rows i32) (local $at i32) (local $count i32)
  (local $index i32) (local $action i32) (local $shared i32) (local $mask i32) (local $found i32) (local $asked i64)
  (local $player i32) (local $site i32)
  (local.set $fixed (select (i32.const @FIXED_SIZE) (i32.const @OPEN_SIZE) (i32.load (i32.const @SECRET))))
  (local.set $saved (i32.load (i32.const @SAVED)))
  (local.set $rows (i32.shl (i32.load (i32.const @ASK_WORDS)) (i32.const 2)))
  (local.set $count (i32.load (i32.const @ASK_COUNT)))
  (local.set $found (i32.load (i32.const @VECTOR_ACTIONS)))
  (if (i32.lt_u (local.get $count) (local.get $found)) (then (local.set $found (local.get $count))))
  (local.set $at (i32.add (i32.add (i32.const 24) (i32.mul (local.get $found) (i32.add (local.get $rows) (i32.const 8))))
    (i32.add (local.get $fixed) (local.get $saved))))
  (if (i32.gt_u (local.get $at) (i32.load (i32.const @VECTOR_STRIDE))) (then (call $wider (local.get $at))))
  (local.set $slot (call $slot (local.get $i)))
  (local.set $player (i32.load (i32.const @ASK_PLAYER)))
  (local.set $site (i32.add (i32.load (i32.const @VECTOR_SITES)) (i32.shl (i32.add (i32.load (i32.const @ASK_SITE))
    (i32.load (i32.add (i32.load (i32.const @VECTOR_UNITS)) (i32.shl (i32.load (i32.const @ASK_UNIT)) (i32.const 2)))))
    (i32.const 3))))
  ;; The actions.
  (local.set $mask (i32.add (i32.load (i32.const @VECTOR_MASKS))
    (i32.mul (local.get $i) (i32.load (i32.const @VECTOR_ACTIONS)))))
  (memory.fill (local.get $mask) (i32.const 0) (i32.load (i32.const @VECTOR_ACTIONS)))
  (local.set $asked (i64.or
    (i64.shl (i64.extend_i32_u (i32.load (i32.const @ASK_UNIT))) (i64.const 32))
    (i64.extend_i32_u (i32.load (i32.const @ASK_SITE)))))
  (local.set $at (i32.add (local.get $slot) (i32.const 24)))
  (local.set $shared (i32.load (i32.const @VECTOR_OWN)))
  (block $all
    (loop $each
      (br_if $all (i32.eq (local.get $index) (local.get $count)))
      (local.set $action (i32.const -1))
      (if (i32.load offset=4 (local.get $site)) (then  ;; where options have actions of their own
        (local.set $action (call $action_of (local.get $asked) (local.get $index)))
        (if (i32.ge_s (local.get $action) (i32.const 0)) (then
          (if (i32.load8_u (i32.add (local.get $mask) (local.get $action))) (then
            (local.set $action (i32.const -1))))))))
      (if (i32.lt_s (local.get $action) (i32.const 0)) (then
        (local.set $action (local.get $shared))
        (local.set $shared (i32.add (local.get $shared) (i32.const 1)))))
      (if (i32.lt_s (local.get $action) (i32.load (i32.const @VECTOR_ACTIONS))) (then
        (i32.store8 (i32.add (local.get $mask) (local.get $action)) (i32.const 1))
        (i32.store (local.get $at) (local.get $action))
        (i32.store offset=4 (local.get $at) (local.get $index))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br $each)))
  (local.set $found (i32.shr_u (i32.sub (local.get $at) (i32.add (local.get $slot) (i32.const 24))) (i32.const 3)))
  (i32.store (i32.add (i32.load (i32.const @VECTOR_LEFT_OUT)) (i32.shl (local.get $i) (i32.const 2)))
    (i32.sub (local.get $count) (local.get $found)))
  ;; The position, and the rows.
  (i32.store (local.get $slot) (local.get $fixed))
  (i32.store offset=4 (local.get $slot) (local.get $saved))
  (i32.store offset=8 (local.get $slot) (local.get $count))
  (i32.store offset=12 (local.get $slot) (local.get $rows))
  (i32.store offset=16 (local.get $slot) (local.get $decisions))
  (i32.store offset=20 (local.get $slot) (local.get $found))
  (memory.copy (local.get $at) (i32.const @STATE) (local.get $fixed))
  (local.set $at (i32.add (local.get $at) (local.get $fixed)))
  (memory.copy (local.get $at) (i32.const @SAVED_FROM) (local.get $saved))
  (local.set $at (i32.add (local.get $at) (local.get $saved)))
  (local.set $index (i32.add (local.get $slot) (i32.const 24)))
  (block $all
    (loop $each
      (br_if $all (i32.eqz (local.get $found)))
      (memory.copy (local.get $at)
        (i32.add (i32.const @OPTIONS) (i32.mul (i32.load offset=4 (local.get $index)) (local.get $rows)))
        (local.get $rows))
      (local.set $at (i32.add (local.get $at) (local.get $rows)))
      (local.set $index (i32.add (local.get $index) (i32.const 8)))
      (local.set $found (i32.sub (local.get $found) (i32.const 1)))
      (br $each)))
  ;; What the seat is told.
  (i32.store (i32.add (i32.load (i32.const @VECTOR_PLAYERS)) (i32.shl (local.get $i) (i32.const 2))) (local.get $player))
  (global.set $out (i32.add (i32.load (i32.const @VECTOR_TOLD))
    (i32.mul (local.get $i) (i32.load (i32.const @VECTOR_WIDTH)))))
  (call $tell_word (local.get $player))
  (call $tell_word (local.get $player))
  (call $tell_word (i32.load (local.get $site)))
  (call $tell_word (i32.const 0))
  (call $tell
    (i32.load (i32.add (i32.load (i32.const @VECTOR_PLANS)) (i32.shl (local.get $player) (i32.const 2))))
    (call $seen_by (local.get $player))))

;; Takes the option of an action in the game of a slot; the status then.
(func $act (param $i i32) (param $action i32) (result i32)
  (local $slot i32) (local $at i32) (local $state i32) (local $number i32) (local $bytes i32) (local $index i32)
  (local.set $slot (call $slot (local.get $i)))
  (local.set $at (i32.add (local.get $slot) (i32.const 24)))
  (loop $search
    (if (i32.ne (i32.load (local.get $at)) (local.get $action)) (then
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (local.set $number (i32.add (local.get $number) (i32.const 1)))
      (br_if $search (i32.lt_u (local.get $number) (i32.load offset=20 (local.get $slot))))
      unreachable)))
  (local.set $index (i32.load offset=4 (local.get $at)))
  (local.set $state (i32.add (i32.add (local.get $slot) (i32.const 24))
    (i32.shl (i32.load offset=20 (local.get $slot)) (i32.const 3))))
  (memory.copy (i32.const @STATE) (local.get $state) (i32.load (local.get $slot)))
  (local.set $state (i32.add (local.get $state) (i32.load (local.get $slot))))
  (memory.copy (i32.const @SAVED_FROM) (local.get $state) (i32.load offset=4 (local.get $slot)))
  (local.set $state (i32.add (local.get $state) (i32.load offset=4 (local.get $slot))))
  (local.set $bytes (i32.load offset=12 (local.get $slot)))
  (memory.copy (i32.add (i32.const @OPTIONS) (i32.mul (local.get $index) (local.get $bytes)))
    (i32.add (local.get $state) (i32.mul (local.get $number) (local.get $bytes)))
    (local.get $bytes))
  (i32.store (i32.const @ASK_COUNT) (i32.load offset=8 (local.get $slot)))
  (call $step (local.get $index)))

;; Begins the next game of a slot: number $i of the first, so many further on each time.
(func $renew (param $i i32)
  (local $number i64) (local $at i32) (local $seed i64)
  (local.set $at (i32.add (i32.load (i32.const @VECTOR_SEEDS)) (i32.shl (local.get $i) (i32.const 4))))
  (local.set $number (i64.load offset=8 (local.get $at)))
  (local.set $seed (call $scramble (i64.xor (call $scramble (i64.load (i32.const @VECTOR_SEED))) (local.get $number))))
  (i64.store (local.get $at) (local.get $seed))
  (i64.store offset=8 (local.get $at)
    (i64.add (local.get $number) (i64.extend_i32_u (i32.load (i32.const @VECTOR_ALL)))))
  (memory.copy (i32.const @STATE) (i32.load (i32.const @VECTOR_INITIAL)) (i32.const @OPEN_SIZE))
  (i64.store (i32.const @CHANCE) (local.get $seed))
  (if (i32.ne (call $begin (i32.const 0)) (i32.const 2)) (then
    (i32.store (i32.const @VECTOR_STOP) (i32.const 2))
    unreachable))
  (call $keep (local.get $i) (i32.const 0)))

;; ``renew(from, to)``: new games in these slots.
(func (export "vector_renew") (param $i i32) (param $to i32)
  (block $done
    (loop $each
      (br_if $done (i32.ge_u (local.get $i) (local.get $to)))
      (i32.store (i32.const @VECTOR_AT) (local.get $i))
      (call $renew (local.get $i))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each))))

;; ``act(from, to)``: the actions that are written down, in the games of these slots. Whoever comes to an end begins anew.
(func (export "vector_act") (param $i i32) (param $to i32)
  (local $ended i32) (local $decisions i32) (local $seat i32) (local $scores i32)
  (block $done
    (loop $each
      (br_if $done (i32.ge_u (local.get $i) (local.get $to)))
      (i32.store (i32.const @VECTOR_AT) (local.get $i))
      (local.set $decisions (i32.add (i32.load offset=16 (call $slot (local.get $i))) (i32.const 1)))
      (local.set $ended (i32.ne (i32.const 2) (call $act (local.get $i)
        (i32.load (i32.add (i32.load (i32.const @VECTOR_TAKEN)) (i32.shl (local.get $i) (i32.const 2)))))))
      (if (i32.and (i32.eqz (local.get $ended))
            (i32.ge_u (local.get $decisions) (i32.load (i32.const @VECTOR_LIMIT))))
        (then (local.set $ended (i32.const 2))))
      (i32.store8 (i32.add (i32.load (i32.const @VECTOR_ENDED)) (local.get $i)) (local.get $ended))
      (if (local.get $ended)
        (then
          (i32.store (i32.add (i32.load (i32.const @VECTOR_WINNERS)) (i32.shl (local.get $i) (i32.const 2)))
            (i32.load (i32.const @WINNERS)))
          (local.set $scores (i32.add (i32.load (i32.const @VECTOR_SCORES))
            (i32.mul (local.get $i) (i32.const @SCORES_SIZE))))
          (local.set $seat (i32.const 0))
          (loop $seats
            (i32.store (i32.add (local.get $scores) (i32.shl (local.get $seat) (i32.const 2)))
              (call $score (local.get $seat)))
            (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
            (br_if $seats (i32.lt_u (local.get $seat) (i32.const @PLAYERS))))
          (call $renew (local.get $i)))
        (else (call $keep (local.get $i) (local.get $decisions))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each))))
