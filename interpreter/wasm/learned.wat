;; What options are worth, learned from random games, and games played by it, in the room of a search.
;;
;; An option is known by the decision it belongs to and its row, never by anything hidden; once for the seat that is asked
;; and once for all seats together. ``interpreter.wasm.learned`` works out what it is worth from the sums in the table, and
;; so how much it is liked.
;;
;; A place of the table: key (8 bytes) and how much it is liked (8); while it learns, in place of that where the option is
;; noted (4), 0 for nowhere, and also times possible (8), rewards then (8), times taken, each counted as often as there
;; were options (8), rewards then (8), times taken (4), and for the option of one seat the place of all seats (4). An entry
;; of the log: place, seat, and how many options there were, 0 for one that was not taken. A note: unit, site, seat (-1:
;; all), words of the row or -1 for choosing nothing, and these words.

(func $place (param $key i64) (param $make i32) (result i32)  ;; where an option is in the table; 0 when it is not
  (local $number i32) (local $at i32)
  (local.set $number (i32.wrap_i64 (i64.shr_u (local.get $key) (i64.const 20))))
  (if (i64.eqz (local.get $key)) (then (local.set $key (i64.const 1))))
  (loop $probe
    (local.set $at (i32.add (i32.load (i32.const @LEARN_TABLE))
      (i32.mul (i32.and (local.get $number) (i32.load (i32.const @LEARN_MASK))) (i32.load (i32.const @LEARN_STRIDE)))))
    (if (i64.eq (i64.load (local.get $at)) (local.get $key)) (then (return (local.get $at))))
    (if (i64.eqz (i64.load (local.get $at))) (then
      (if (i32.eqz (local.get $make)) (then (return (i32.const 0))))
      ;; A table that is three quarters full takes no more.
      (if (i32.ge_u (i32.load (i32.const @LEARN_MADE))
            (i32.sub (i32.load (i32.const @LEARN_MASK)) (i32.shr_u (i32.load (i32.const @LEARN_MASK)) (i32.const 2))))
        (then (return (i32.const 0))))
      (i32.store (i32.const @LEARN_MADE) (i32.add (i32.load (i32.const @LEARN_MADE)) (i32.const 1)))
      (i64.store (local.get $at) (local.get $key))
      (return (local.get $at))))
    (local.set $number (i32.add (local.get $number) (i32.const 1)))
    (br $probe))
  unreachable)

;; What tells the decision that is open from others, whoever is asked.
(func $asked_of_anybody (result i64)
  (call $after (call $after (i64.const 0) (i64.extend_i32_u (i32.load (i32.const @ASK_UNIT))))
    (i64.extend_i32_u (i32.load (i32.const @ASK_SITE)))))

;; How much an option of the decision that is open is liked; 1 for one that was never met.
(func $liked (param $asked i64) (param $anybody i64) (param $index i32) (result f64)
  (local $at i32)
  (local.set $at (call $place (call $key (local.get $asked) (local.get $index)) (i32.const 0)))
  (if (i32.eqz (local.get $at)) (then
    (local.set $at (call $place (call $key (local.get $anybody) (local.get $index)) (i32.const 0)))))
  (if (result f64) (local.get $at) (then (f64.load offset=8 (local.get $at))) (else (f64.const 1))))

;; ``prefer(stream)``: an option of the decision that is open, each as likely as it is liked; chance is from the stream at
;; that address.
(func $prefer (export "prefer") (param $stream i32) (result i32)
  (local $last i32) (local $i i32) (local $asked i64) (local $anybody i64) (local $sum f64) (local $left f64)
  (local.set $last (i32.sub (i32.load (i32.const @ASK_COUNT)) (i32.const 1)))
  (if (i32.eqz (local.get $last)) (then (return (i32.const 0))))
  (local.set $asked (call $asked))
  (local.set $anybody (call $asked_of_anybody))
  (loop $each
    (local.set $sum
      (f64.add (local.get $sum) (call $liked (local.get $asked) (local.get $anybody) (local.get $i))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $each (i32.le_u (local.get $i) (local.get $last))))
  (local.set $left (f64.mul (local.get $sum)
    (f64.mul (f64.const 0x1p-53) (f64.convert_i64_u (i64.shr_u (call $next (local.get $stream)) (i64.const 11))))))
  (local.set $i (i32.const 0))
  (block $found
    (loop $again
      (br_if $found (i32.eq (local.get $i) (local.get $last)))
      (local.set $left
        (f64.sub (local.get $left) (call $liked (local.get $asked) (local.get $anybody) (local.get $i))))
      (br_if $found (f64.lt (local.get $left) (f64.const 0)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (local.get $i))

;; ``play_on(status, limit, learning)``: from the decision that is open, to the end or for so many decisions; the status
;; then. The choices are noted, and counted in @DECISIONS.
(func (export "play_on") (param $status i32) (param $limit i32) (param $learning i32) (result i32)
  (local $choice i32)
  (i32.store (i32.const @DECISIONS) (i32.const 0))
  (i32.store (i32.const @LEARN_LOGGED) (i32.const 0))
  (block $done
    (loop $again
      (br_if $done (i32.ne (local.get $status) (i32.const 2)))
      (br_if $done (i32.ge_u (i32.load (i32.const @DECISIONS)) (local.get $limit)))
      (local.set $choice (if (result i32) (local.get $learning)
        (then (call $below (i32.const @STREAM) (i32.load (i32.const @ASK_COUNT))))
        (else (call $prefer (call $stream_of_question)))))
      (if (local.get $learning) (then (call $log (local.get $choice))) (else
        (i32.store
          (i32.add (i32.load (i32.const @LEARN_CHOICES)) (i32.shl (i32.load (i32.const @DECISIONS)) (i32.const 2)))
          (local.get $choice))))
      (i32.store (i32.const @DECISIONS) (i32.add (i32.load (i32.const @DECISIONS)) (i32.const 1)))
      (local.set $status (call $take (local.get $choice)))
      (br $again)))
  (if (local.get $learning) (then (call $learned)))
  (local.get $status))

;; The stream of the seat that is asked; where each rule that asks has its own, that of the rule. @LEARN_QUESTIONS has for
;; each site the salt of its rule (8 bytes) and where the streams of the rule lie among @LEARN_STREAMS (8); @LEARN_UNITS
;; has for each unit which of these is its first. Without streams there, each seat has one for all.
(func $stream_of_question (result i32)
  (local $seat i32) (local $question i32) (local $at i32)
  (local.set $seat (i32.shl (i32.load (i32.const @ASK_PLAYER)) (i32.const 3)))
  (if (i32.eqz (i32.load (i32.const @LEARN_STREAMS))) (then
    (return (i32.add (i32.const @STREAM) (local.get $seat)))))
  (local.set $question (i32.add (i32.load (i32.const @LEARN_QUESTIONS)) (i32.shl
    (i32.add
      (i32.load (i32.add (i32.load (i32.const @LEARN_UNITS)) (i32.shl (i32.load (i32.const @ASK_UNIT)) (i32.const 2))))
      (i32.load (i32.const @ASK_SITE)))
    (i32.const 4))))
  (local.set $at (i32.add (i32.load (i32.const @LEARN_STREAMS))
    (i32.add (i32.load offset=8 (local.get $question)) (local.get $seat))))
  (if (i64.eqz (i64.load (local.get $at))) (then
    (i64.store (local.get $at) (call $scramble
      (i64.xor (i64.load offset=@STREAM (local.get $seat)) (i64.load (local.get $question)))))))
  (local.get $at))

(func $log (param $choice i32)  ;; the options of the decision that is open, as far as there is room
  (local $asked i64) (local $anybody i64) (local $i i32) (local $count i32) (local $at i32) (local $place i32)
  (local.set $count (i32.load (i32.const @ASK_COUNT)))
  (if (i32.eq (local.get $count) (i32.const 1)) (then (return)))
  (if (i32.gt_u (i32.add (i32.load (i32.const @LEARN_LOGGED)) (local.get $count)) (i32.load (i32.const @LEARN_ROOM)))
    (then (return)))
  (local.set $asked (call $asked))
  (local.set $anybody (call $asked_of_anybody))
  (loop $each
    (local.set $place (call $place (call $key (local.get $asked) (local.get $i)) (i32.const 1)))
    (if (local.get $place) (then
      (call $note (local.get $place) (local.get $i) (i32.load (i32.const @ASK_PLAYER)))
      (if (i32.eqz (i32.load offset=52 (local.get $place))) (then
        (i32.store offset=52 (local.get $place)
          (call $place (call $key (local.get $anybody) (local.get $i)) (i32.const 1)))
        (call $note (i32.load offset=52 (local.get $place)) (local.get $i) (i32.const -1))))
      (local.set $at (i32.add (i32.load (i32.const @LEARN_LOG))
        (i32.mul (i32.load (i32.const @LEARN_LOGGED)) (i32.const 12))))
      (i32.store (local.get $at) (local.get $place))
      (i32.store offset=4 (local.get $at) (i32.load (i32.const @ASK_PLAYER)))
      (i32.store offset=8 (local.get $at)
        (select (local.get $count) (i32.const 0) (i32.eq (local.get $i) (local.get $choice))))
      (i32.store (i32.const @LEARN_LOGGED) (i32.add (i32.load (i32.const @LEARN_LOGGED)) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $i) (local.get $count)))))

;; Notes what an option is, for its place in the table, unless it has been done or there is no room.
(func $note (param $place i32) (param $index i32) (param $seat i32)
  (local $to i32) (local $words i32) (local $row i32) (local $widths i32)
  (if (i32.eqz (local.get $place)) (then (return)))
  (if (i32.load offset=8 (local.get $place)) (then (return)))
  (local.set $words (i32.load (i32.const @ASK_WORDS)))
  (local.set $row (i32.add (i32.const @OPTIONS) (i32.mul (local.get $index) (i32.shl (local.get $words) (i32.const 2)))))
  (local.set $widths (i32.load (i32.const @ASK_WIDTHS)))
  (if (local.get $widths) (then
    (if (i32.eq (local.get $widths) (i32.const -1))
      (then
        (if (i32.eq (local.get $index) (i32.sub (i32.load (i32.const @ASK_COUNT)) (i32.const 1)))
          (then (local.set $words (i32.const -1)))))
      (else
        (local.set $words
          (i32.load (i32.add (local.get $widths) (i32.shl (i32.load (local.get $row)) (i32.const 2)))))))))
  (local.set $to (i32.load (i32.const @LEARN_NOTED)))
  (if (i32.gt_u (i32.add (local.get $to) (i32.shl (i32.add (local.get $words) (i32.const 4)) (i32.const 2)))
        (i32.load (i32.const @LEARN_NOTES_END)))
    (then (return)))
  (i32.store offset=8 (local.get $place) (local.get $to))
  (i32.store (local.get $to) (i32.load (i32.const @ASK_UNIT)))
  (i32.store offset=4 (local.get $to) (i32.load (i32.const @ASK_SITE)))
  (i32.store offset=8 (local.get $to) (local.get $seat))
  (i32.store offset=12 (local.get $to) (local.get $words))
  (local.set $to (i32.add (local.get $to) (i32.const 16)))
  (if (i32.gt_s (local.get $words) (i32.const 0)) (then
    (memory.copy (local.get $to) (local.get $row) (i32.shl (local.get $words) (i32.const 2)))
    (local.set $to (i32.add (local.get $to) (i32.shl (local.get $words) (i32.const 2))))))
  (i32.store (i32.const @LEARN_NOTED) (local.get $to)))

(func $learned  ;; what became of those who took the options of the log, and of those who could have
  (local $at i32) (local $end i32) (local $reward f64)
  (call $judge)
  (local.set $at (i32.load (i32.const @LEARN_LOG)))
  (local.set $end (i32.add (local.get $at) (i32.mul (i32.load (i32.const @LEARN_LOGGED)) (i32.const 12))))
  (block $done
    (loop $each
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $reward (f64.mul (f64.const 0x1p-16) (f64.convert_i32_u (i32.load
        (i32.add (i32.const @REWARDS) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 2)))))))
      (call $rewarded (i32.load (local.get $at)) (i32.load offset=8 (local.get $at)) (local.get $reward))
      (call $rewarded (i32.load offset=52 (i32.load (local.get $at))) (i32.load offset=8 (local.get $at))
        (local.get $reward))
      (local.set $at (i32.add (local.get $at) (i32.const 12)))
      (br $each))))

(func $rewarded (param $place i32) (param $options i32) (param $reward f64)
  (local $weight f64)
  (if (i32.eqz (local.get $place)) (then (return)))
  (f64.store offset=16 (local.get $place) (f64.add (f64.load offset=16 (local.get $place)) (f64.const 1)))
  (f64.store offset=24 (local.get $place) (f64.add (f64.load offset=24 (local.get $place)) (local.get $reward)))
  (if (i32.eqz (local.get $options)) (then (return)))
  (local.set $weight (f64.convert_i32_u (local.get $options)))
  (f64.store offset=32 (local.get $place) (f64.add (f64.load offset=32 (local.get $place)) (local.get $weight)))
  (f64.store offset=40 (local.get $place)
    (f64.add (f64.load offset=40 (local.get $place)) (f64.mul (local.get $weight) (local.get $reward))))
  (i32.store offset=48 (local.get $place) (i32.add (i32.load offset=48 (local.get $place)) (i32.const 1))))
