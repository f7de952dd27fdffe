;; What a module for playouts has when it counts what a game leaves behind; the meaning is that of record/observer.py.
;; The row of the game that is played lies at @ROW, in the order of its columns. Behind it lies what is needed between.

(global $who (mut i32) (i32.const 0))      ;; who decided last; the number of players before anybody has
(global $script (mut i32) (i32.const 0))   ;; where the numbers of the options to take lie; 0: chance picks them
(global $by_question (mut i32) (i32.const 0))
(global $look (mut i32) (i32.const 0))     ;; times the scores have been looked at
(global $every (mut i32) (i32.const 0))    ;; which of them are kept: those whose number has none of these bits
(global $shift (mut i32) (i32.const 0))
(global $leaders (mut i32) (i32.const 0))
(global $real (mut i32) (i32.const 0))     ;; real decisions so far
(global $offered (mut i64) (i64.const 0))  ;; options so far, and the bits of choosing among them
(global $bits (mut i64) (i64.const 0))
(global $behind (mut i32) (i32.const 0))   ;; who was behind at the last look, as a mask; $looked: decisions before it
(global $looked (mut i32) (i32.const 0))
(global $met (mut i32) (i32.const 0))      ;; seats that have been asked

;; Room for a script of so many bytes, and where it begins; 0 bytes: none.
(func $room_for_script (export "script") (param $bytes i32) (result i32)
  (local $missing i32)
  (local.set $missing (i32.sub (i32.add (i32.const @SCRIPT) (local.get $bytes)) (i32.shl (memory.size) (i32.const 16))))
  (if (i32.gt_s (local.get $missing) (i32.const 0)) (then
    (drop (memory.grow (i32.shr_u (i32.add (local.get $missing) (i32.const 65535)) (i32.const 16))))))
  (global.set $script (select (i32.const @SCRIPT) (i32.const 0) (local.get $bytes)))
  (global.get $script))

;; ``by_question(yes)``: whether each rule that asks has its own streams of chance, or each seat has one for all.
(func (export "by_question") (param $yes i32)
  (if (i32.and (local.get $yes) (i32.eqz (global.get $by_question))) (then
    (drop (call $room_for_script (i32.const @QUESTIONS_SIZE)))
    (global.set $script (i32.const 0))))
  (global.set $by_question (local.get $yes)))

;; The stream that a seat's answers to a rule are drawn from. Those of all rules lie where a script would.
(func $stream_of (param $player i32) (param $rule i32) (param $salt i64) (result i32)
  (local $at i32) (local $seat i32)
  (local.set $seat (i32.add (i32.const @STREAM) (i32.shl (local.get $player) (i32.const 3))))
  (if (i32.eqz (global.get $by_question)) (then (return (local.get $seat))))
  (local.set $at (i32.add (i32.const @SCRIPT) (i32.shl
    (i32.add (i32.mul (local.get $rule) (i32.const @PLAYERS)) (local.get $player)) (i32.const 3))))
  (if (i64.eqz (i64.load (local.get $at))) (then
    (i64.store (local.get $at) (call $scramble (i64.xor (i64.load (local.get $seat)) (local.get $salt))))))
  (local.get $at))

(func $record_begin
  (if (i32.and (global.get $by_question) (i32.eqz (global.get $script))) (then
    (memory.fill (i32.const @SCRIPT) (i32.const 0) (i32.const @QUESTIONS_SIZE))))
  (memory.fill (i32.const @ROW) (i32.const 0) (i32.const @ROW_AND_NOTES))
  (i32.store (i32.const @ENDED) (i32.const -1))
  (global.set $who (i32.const @PLAYERS))
  (global.set $look (i32.const 0))
  (global.set $every (i32.const 0))
  (global.set $shift (i32.const 0))
  (global.set $real (i32.const 0))
  (global.set $met (i32.const 0))
  (global.set $offered (i64.const 0))
  (global.set $bits (i64.const 0))
  (global.set $behind (i32.const 0))
  (global.set $leaders (i32.sub (i32.shl (i32.const 1) (i32.const @PLAYERS)) (i32.const 1))))

(func $record_most (param $sum i64) (result i32)  ;; up to the greatest number that a word can hold
  (i32.wrap_i64 (select (local.get $sum) (i64.const 0x7FFFFFFF) (i64.lt_u (local.get $sum) (i64.const 0x7FFFFFFF)))))


(func $record_bits (param $n i32) (result i32)
  (local $more i32)
  (block $small
    (loop $again
      (br_if $small (i32.le_u (local.get $n) (i32.const 1024)))
      (local.set $n (i32.shr_u (local.get $n) (i32.const 1)))
      (local.set $more (i32.add (local.get $more) (i32.const @BIT)))
      (br $again)))
  (i32.add (local.get $more) (i32.load16_u offset=@LOGARITHMS (i32.shl (local.get $n) (i32.const 1)))))

(func $record_waited (param $seat i32)  ;; four times the seat
  (local $waited i32)
  (local.set $waited (i32.sub (global.get $real) (i32.load offset=@REAL_AT (local.get $seat))))
  (if (i32.gt_s (local.get $waited) (i32.load offset=@WAITED (local.get $seat))) (then
    (i32.store offset=@WAITED (local.get $seat) (local.get $waited)))))

;; A seat takes one of $count options that a rule offers: its number. The decision has been counted already.
(func $record_decision (param $player i32) (param $count i32) (param $rule i32) (param $salt i64) (result i32)
  (local $seat i32) (local $made i32) (local $asked i32) (local $waited i32)
  (local.set $made (i32.sub (i32.load (i32.const @DECISIONS)) (i32.const 1)))
  (if (i32.const @LOOKS_AT_DECISIONS) (then (call $record_look (local.get $made))))
  (global.set $offered (i64.add (global.get $offered) (i64.extend_i32_u (local.get $count))))
  (global.set $bits (i64.add (global.get $bits) (i64.extend_i32_u
    (if (result i32) (i32.le_u (local.get $count) (i32.const 1024))
      (then (i32.load16_u offset=@LOGARITHMS (i32.shl (local.get $count) (i32.const 1))))
      (else (call $record_bits (local.get $count)))))))
  (local.set $seat (i32.shl (local.get $player) (i32.const 2)))
  (local.set $asked (i32.load offset=@ASKED (local.get $seat)))
  (if (i32.eqz (local.get $asked)) (then
    (global.set $met (i32.add (global.get $met) (i32.const 1)))
    (i32.store offset=@ORDER (local.get $seat) (global.get $met))))
  (i32.store offset=@ASKED (local.get $seat) (i32.add (local.get $asked) (i32.const 1)))
  (if (i32.gt_u (local.get $count) (i32.const 1)) (then
    (local.set $waited (i32.sub (global.get $real) (i32.load offset=@REAL_AT (local.get $seat))))
    (if (i32.gt_s (local.get $waited) (i32.load offset=@WAITED (local.get $seat))) (then
      (i32.store offset=@WAITED (local.get $seat) (local.get $waited))))
    (i32.store offset=@CHOSE (local.get $seat) (i32.add (i32.load offset=@CHOSE (local.get $seat)) (i32.const 1)))
    (global.set $real (i32.add (global.get $real) (i32.const 1)))
    (i32.store offset=@REAL_AT (local.get $seat) (global.get $real))))
  (global.set $who (local.get $player))
  (if (i32.eqz (i32.or (global.get $script) (global.get $by_question))) (then
    (return (call $below (i32.add (i32.const @STREAM) (i32.shl (local.get $player) (i32.const 3))) (local.get $count)))))
  (if (global.get $script) (then
    (return (i32.load (i32.add (global.get $script) (i32.shl (local.get $made) (i32.const 2)))))))
  (call $below (call $stream_of (local.get $player) (local.get $rule) (local.get $salt)) (local.get $count)))


(func $record_thin  ;; forgets every second one
  (local $i i32)
  (loop $again
    (memory.copy
      (i32.add (i32.const @KEPT_SCORES) (i32.mul (local.get $i) (i32.const @SAMPLE_SIZE)))
      (i32.add (i32.const @KEPT_SCORES) (i32.mul (local.get $i) (i32.const @SAMPLE_TWICE)))
      (i32.const @SAMPLE_SIZE))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_u (i32.shl (local.get $i) (i32.const 1)) (i32.const @SAMPLES))))
  (global.set $shift (i32.add (global.get $shift) (i32.const 1)))
  (global.set $every (i32.or (i32.shl (global.get $every) (i32.const 1)) (i32.const 1))))

;; How many pieces lie in a pool that counts a number of kinds; four kinds at a time.
(func $record_held (param $at i32) (param $kinds i32) (result i32)
  (local $sums v128) (local $end i32) (local $total i32)
  (local.set $end (i32.add (local.get $at) (i32.shl (i32.and (local.get $kinds) (i32.const -4)) (i32.const 2))))
  (loop $fours
    (local.set $sums (i32x4.add (local.get $sums) (v128.load (local.get $at))))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (br_if $fours (i32.lt_u (local.get $at) (local.get $end))))
  (local.set $total (i32.add
    (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
    (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
  (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $kinds) (i32.const 3)) (i32.const 2))))
  (block $done
    (loop $rest
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $total (i32.add (local.get $total) (i32.load (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $rest)))
  (local.get $total))

(func $record_pass  ;; a pass begins
  (i32.store (i32.const @PASSES) (i32.add (i32.load (i32.const @PASSES)) (i32.const 1)))
  (call $record_pools)
  (if (i32.const @LOOKS_AT_PASSES) (then (call $record_look (i32.load (i32.const @DECISIONS))))))

;; A pass of a loop begins in which a player has the turn: a round, if it is the second since the last round began.
(func $record_turn (param $loop i32) (param $player i32)
  (local $bit i32) (local $had i32)
  (local.set $bit (i32.shl (i32.const 1) (local.get $player)))
  (local.set $had (i32.load (local.get $loop)))
  (if (i32.or (i32.eqz (local.get $had)) (i32.ne (i32.and (local.get $had) (local.get $bit)) (i32.const 0))) (then
    (call $record_round)
    (local.set $had (i32.const 0))))
  (i32.store (local.get $loop) (i32.or (local.get $had) (local.get $bit))))

(func $record_round
  (i32.store (i32.const @ROUNDS) (i32.add (i32.load (i32.const @ROUNDS)) (i32.const 1))))

;; Completes the row and copies it to $to.
(func $record_end (param $to i32)
  (local $i i32) (local $j i32) (local $before i32) (local $now i32)
  (i32.store (i32.const @ROW_DECISIONS) (i32.load (i32.const @DECISIONS)))
  (i32.store (i32.const @OFFERS) (call $record_most (global.get $offered)))
  (i32.store (i32.const @BITS) (call $record_most (global.get $bits)))
  (if (i32.or (i32.const @LOOKS_AT_DECISIONS) (i32.const @LOOKS_AT_PASSES)) (then
    (call $record_look (i32.load (i32.const @DECISIONS)))
    (call $record_behind)
    (global.set $look (i32.sub (global.get $look) (i32.const 1)))
    (loop $moments
      (memory.copy
        (i32.add (i32.const @OVER_TIME) (i32.mul (local.get $i) (i32.const @SAMPLE_SIZE)))
        (if (result i32) (i32.eq (local.get $i) (i32.const @LAST_MOMENT))
          (then (i32.const @NOW))
          (else (i32.add (i32.const @KEPT_SCORES) (i32.mul (i32.const @SAMPLE_SIZE) (i32.shr_u
            (i32.div_u (i32.add (i32.mul (local.get $i) (global.get $look)) (i32.const @HALF_MOMENTS))
              (i32.const @LAST_MOMENT))
            (global.get $shift))))))
        (i32.const @SAMPLE_SIZE))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $moments (i32.le_u (local.get $i) (i32.const @LAST_MOMENT))))))
  (local.set $i (i32.const 0))
  (loop $seats
    (call $record_waited (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 4)))
    (br_if $seats (i32.lt_u (local.get $i) (i32.const @SAMPLE_SIZE))))
  (local.set $i (i32.const 0))
  (loop $rules
    (local.set $before (i32.const 0))
    (local.set $now (i32.const 0))
    (local.set $j (i32.const 0))
    (loop $actors
      (local.set $before (i32.or (local.get $before) (i32.load offset=@BEFORE (i32.add (i32.mul (local.get $i) (i32.const @ACTORS)) (local.get $j)))))
      (local.set $now (i32.or (local.get $now) (i32.load offset=@RAN (i32.add (i32.mul (local.get $i) (i32.const @ACTORS)) (local.get $j)))))
      (local.set $j (i32.add (local.get $j) (i32.const 4)))
      (br_if $actors (i32.lt_u (local.get $j) (i32.const @ACTORS_SIZE))))
    (i32.store offset=@FRESH (local.get $i) (i32.and (i32.ne (local.get $now) (i32.const 0)) (i32.eqz (local.get $before))))
    (local.set $i (i32.add (local.get $i) (i32.const 4)))
    (br_if $rules (i32.lt_u (local.get $i) (i32.const @RULES_SIZE))))
  (memory.copy (local.get $to) (i32.const @ROW) (i32.const @ROW_SIZE)))
