;; Trying the options of a decision by short random play, and whole games in which every seat does so, in the room of a
;; search.
;;
;; Every option meets the same worlds and the same chance. What is under way lies in the block of words, so that after a
;; trap it goes on with the next try: an option that faults is worth nothing there. An entry of an option is 16 bytes: its
;; number (4 bytes), the row of its rewards, in the end the place of one of the best, of which as many entries have one as
;; there are (4), the sum of its rewards (8). Behind the entries lie the rows.
;;
;; Options race: they drop out as soon as they are clearly behind the one that leads, try by try; besides, the worse half
;; goes after each of as many rounds as it takes to have one left, which share the budget evenly, if that is enough for a
;; few tries of each option (sequential halving; Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013).

;; Begins with the decision that is open; chance is from the stream at that address. An option that was chosen without
;; trying any, or -1.
(func $consider (param $stream i32) (result i32)
  (local $i i32) (local $j i32) (local $count i32) (local $swap i32)
  (local.set $count (i32.load (i32.const @ASK_COUNT)))
  (if (i32.eq (local.get $count) (i32.const 1)) (then (return (i32.const 0))))
  (if (f64.gt (f64.load (i32.const @GREEDY_EPSILON)) (f64.const 0)) (then
    (if (f64.lt
          (f64.mul (f64.const 0x1p-53) (f64.convert_i64_u (i64.shr_u (call $next (local.get $stream)) (i64.const 11))))
          (f64.load (i32.const @GREEDY_EPSILON))) (then
      (return (call $below (local.get $stream) (local.get $count)))))))
  (if (i32.eqz (call $rest (i32.sub (i32.add (call $behind_entries) (i32.const 8)) (i32.const @SEARCH)))) (then unreachable))
  (i64.store (i32.const @GREEDY_FORK) (call $scramble (i64.load (local.get $stream))))
  (loop $each
    (i32.store (call $entry_of (local.get $i)) (local.get $i))
    (i64.store offset=8 (call $entry_of (local.get $i)) (i64.const 0))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $i) (local.get $count))))
  (if (i32.gt_u (local.get $count) (i32.load (i32.const @GREEDY_MOST))) (then
    (local.set $i (i32.const 0))
    (loop $some
      (local.set $j (i32.add (local.get $i) (call $below (local.get $stream) (i32.sub (local.get $count) (local.get $i)))))
      (local.set $swap (i32.load (call $entry_of (local.get $i))))
      (i32.store (call $entry_of (local.get $i)) (i32.load (call $entry_of (local.get $j))))
      (i32.store (call $entry_of (local.get $j)) (local.get $swap))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $some (i32.lt_u (local.get $i) (i32.load (i32.const @GREEDY_MOST)))))
    (local.set $count (i32.load (i32.const @GREEDY_MOST)))))
  (i32.store (i32.const @GREEDY_NUMBER) (local.get $count))
  (i32.store (i32.const @GREEDY_TRY) (i32.const 0))
  (i32.store (i32.const @GREEDY_AT) (i32.const 0))
  (call $line_up)
  (i32.const -1))

;; Begins a race: in an order by chance, so that halving prefers none of those that are worth the same. Of many options
;; each is tried once, and so many of the best race.
(func $line_up
  (local $i i32) (local $j i32) (local $number i32)
  (local.set $number (i32.load (i32.const @GREEDY_NUMBER)))
  (loop $each
    (local.set $j (i32.add (local.get $i)
      (call $below (i32.const @GREEDY_FORK) (i32.sub (local.get $number) (local.get $i)))))
    (call $swap_entries (local.get $i) (local.get $j))
    (i32.store offset=4 (call $entry_of (local.get $i)) (local.get $i))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $i) (local.get $number))))
  (i32.store (i32.const @GREEDY_NOW) (i32.load (i32.const @GREEDY_TRIES)))
  (i32.store (i32.const @GREEDY_HALVED) (i32.const 1))
  (if (i32.le_u (local.get $number) (i32.load (i32.const @GREEDY_WIDE))) (then (call $first_round)))
  ;; How far apart the sides mostly are is known of the game: only by one measure do equal ends have equal rewards.
  (i32.store (i32.const @SEARCH_SEEN) (i32.const @MARGINS_SEEN))
  (i64.store (i32.const @SEARCH_SCALE) (i64.extend_i32_s (i32.load (i32.const @GREEDY_SCALE))))
  (i64.store (i32.const @GREEDY_CHANCE) (call $next (i32.const @GREEDY_FORK))))

(func $first_round
  (i32.store (i32.const @GREEDY_ROUNDS)
    (i32.sub (i32.const 32) (i32.clz (i32.sub (i32.load (i32.const @GREEDY_NUMBER)) (i32.const 1)))))
  (i32.store (i32.const @GREEDY_HALVED) (i32.add (i32.load (i32.const @GREEDY_TRY)) (call $of_a_round))))

(func $of_a_round (result i32)  ;; how often each option is tried in the round that begins
  (local $tries i32)
  (local.set $tries (i32.div_u (i32.load (i32.const @GREEDY_BUDGET))
    (i32.mul (i32.load (i32.const @GREEDY_NUMBER)) (i32.load (i32.const @GREEDY_ROUNDS)))))
  (select (local.get $tries) (i32.load (i32.const @GREEDY_FIRST))
    (i32.gt_u (local.get $tries) (i32.load (i32.const @GREEDY_FIRST)))))

(func $entry_of (param $place i32) (result i32)
  (i32.add (i32.load (i32.const @GREEDY_OPTIONS)) (i32.shl (local.get $place) (i32.const 4))))

(func $behind_entries (result i32)  ;; where the room of the entries of the decision that is open ends, with their rows
  (i32.and (i32.const -8) (i32.add
    (i32.add (call $entry_of (i32.load (i32.const @ASK_COUNT))) (i32.const 7))
    (i32.shl (i32.mul (i32.load (i32.const @GREEDY_MOST)) (i32.load (i32.const @GREEDY_TRIES))) (i32.const 2)))))

(func $outcome_of (param $place i32) (param $try i32) (result i32)  ;; where the reward of a try lies
  (i32.add (call $entry_of (i32.load offset=12 (i32.load (i32.const @SEARCH_ASK)))) (i32.shl (i32.add (local.get $try)
    (i32.mul (i32.load offset=4 (call $entry_of (local.get $place))) (i32.load (i32.const @GREEDY_TRIES)))) (i32.const 2))))

;; Tries the options as they are due.
(func $try_all
  (local $entry i32) (local $reward i32)
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (i32.load (i32.const @GREEDY_TRY)) (i32.load (i32.const @GREEDY_NOW))))
      (if (i32.ge_u (i32.load (i32.const @GREEDY_AT)) (i32.load (i32.const @GREEDY_NUMBER)))
        (then
          (i32.store (i32.const @GREEDY_AT) (i32.const 0))
          (i32.store (i32.const @GREEDY_TRY) (i32.add (i32.load (i32.const @GREEDY_TRY)) (i32.const 1)))
          (i64.store (i32.const @GREEDY_CHANCE) (call $next (i32.const @GREEDY_FORK)))
          (call $race))
        (else
          (i32.store (call $outcome_of (i32.load (i32.const @GREEDY_AT)) (i32.load (i32.const @GREEDY_TRY))) (i32.const 0))
          (local.set $entry (call $entry_of (i32.load (i32.const @GREEDY_AT))))
          (local.set $reward (call $attempt_now (i32.load (local.get $entry)) (i32.load (i32.const @GREEDY_TRY))))
          (i64.store offset=8 (local.get $entry)
            (i64.add (i64.load offset=8 (local.get $entry)) (i64.extend_i32_u (local.get $reward))))
          (i32.store (call $outcome_of (i32.load (i32.const @GREEDY_AT)) (i32.load (i32.const @GREEDY_TRY)))
            (local.get $reward))
          (i32.store (i32.const @GREEDY_AT) (i32.add (i32.load (i32.const @GREEDY_AT)) (i32.const 1)))))
      (br $again))))

(func $attempt_now (param $option i32) (param $try i32) (result i32)
  (call $attempt (local.get $option)
    (i32.rem_u (local.get $try) (i32.load (i32.const @SEARCH_COUNT)))
    (i64.load (i32.const @GREEDY_CHANCE))
    (i32.load (i32.const @GREEDY_LIMIT))))

(func $stop_trying
  (i32.store (i32.const @GREEDY_TRY) (i32.load (i32.const @GREEDY_NOW))))

;; After each try of all that are still in the race.
(func $race
  (local $try i32)
  (local.set $try (i32.load (i32.const @GREEDY_TRY)))
  (if (i32.ge_u (local.get $try) (i32.const @RACE_FEWEST)) (then
    (if (call $drop_behind) (then (call $stop_trying) (return)))))
  (if (i32.lt_u (local.get $try) (i32.load (i32.const @GREEDY_HALVED))) (then (return)))
  (if (i32.le_u (i32.load (i32.const @GREEDY_NUMBER)) (i32.const 2)) (then (call $stop_trying) (return)))
  (if (i32.gt_u (i32.load (i32.const @GREEDY_NUMBER)) (i32.load (i32.const @GREEDY_WIDE))) (then
    (call $keep_best (i32.load (i32.const @GREEDY_WIDE)))
    (call $first_round)
    (return)))
  (call $halve)
  (i32.store (i32.const @GREEDY_HALVED) (i32.add (local.get $try) (call $of_a_round))))

;; Drops the options that are clearly behind the one that leads: by more than so many standard errors of the mean
;; difference, try by try. Whether the race is over, since one is left or all did the same in every try.
(func $drop_behind (result i32)
  (local $i i32) (local $leader i32) (local $others i32) (local $try i32) (local $tries i32)
  (local $one i32) (local $two i32) (local $gap f64) (local $sum f64) (local $squares f64) (local $clear f64)
  (local.set $leader (call $best_from (i32.const 0)))
  (call $swap_entries (i32.const 0) (local.get $leader))
  (local.set $tries (i32.load (i32.const @GREEDY_TRY)))
  (local.set $clear (f64.mul (f64.load (i32.const @GREEDY_CLEAR)) (f64.load (i32.const @GREEDY_CLEAR))))
  (local.set $i (i32.sub (i32.load (i32.const @GREEDY_NUMBER)) (i32.const 1)))
  (block $done
    (loop $each
      (br_if $done (i32.eqz (local.get $i)))
      (local.set $sum (f64.const 0))
      (local.set $squares (f64.const 0))
      (local.set $try (i32.const 0))
      (local.set $one (call $outcome_of (i32.const 0) (i32.const 0)))
      (local.set $two (call $outcome_of (local.get $i) (i32.const 0)))
      (loop $tried
        (local.set $gap (f64.convert_i32_s (i32.sub (i32.load (local.get $one)) (i32.load (local.get $two)))))
        (local.set $sum (f64.add (local.get $sum) (local.get $gap)))
        (local.set $squares (f64.add (local.get $squares) (f64.mul (local.get $gap) (local.get $gap))))
        (local.set $one (i32.add (local.get $one) (i32.const 4)))
        (local.set $two (i32.add (local.get $two) (i32.const 4)))
        (local.set $try (i32.add (local.get $try) (i32.const 1)))
        (br_if $tried (i32.lt_u (local.get $try) (local.get $tries))))
      (if (f64.gt (local.get $squares) (f64.const 0)) (then
        (local.set $others (i32.const 1))
        (local.set $sum (f64.mul (local.get $sum) (local.get $sum)))
        (if (f64.gt
              (f64.mul (local.get $sum) (f64.convert_i32_s (i32.sub (local.get $tries) (i32.const 1))))
              (f64.mul (local.get $clear)
                (f64.sub (f64.mul (local.get $squares) (f64.convert_i32_s (local.get $tries))) (local.get $sum))))
          (then
            (i32.store (i32.const @GREEDY_NUMBER) (i32.sub (i32.load (i32.const @GREEDY_NUMBER)) (i32.const 1)))
            (call $swap_entries (local.get $i) (i32.load (i32.const @GREEDY_NUMBER)))))))
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))
      (br $each)))
  (i32.or (i32.eqz (local.get $others)) (i32.eq (i32.load (i32.const @GREEDY_NUMBER)) (i32.const 1))))

(func $halve  ;; keeps the better half of the options
  (call $keep_best (i32.shr_u (i32.add (i32.load (i32.const @GREEDY_NUMBER)) (i32.const 1)) (i32.const 1))))

(func $keep_best (param $keep i32)  ;; keeps so many options, of equal ones the first
  (local $place i32)
  (loop $each
    (call $swap_entries (local.get $place) (call $best_from (local.get $place)))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $place) (local.get $keep))))
  (i32.store (i32.const @GREEDY_NUMBER) (local.get $keep)))

(func $best_from (param $place i32) (result i32)  ;; the place of the best option from some place on, of equal ones the first
  (local $best i32)
  (local.set $best (local.get $place))
  (loop $others
    (if (i64.gt_s (i64.load offset=8 (call $entry_of (local.get $place))) (i64.load offset=8 (call $entry_of (local.get $best))))
      (then (local.set $best (local.get $place))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br_if $others (i32.lt_u (local.get $place) (i32.load (i32.const @GREEDY_NUMBER)))))
  (local.get $best))

(func $swap_entries (param $one i32) (param $other i32)
  (local $option i64) (local $sum i64)
  (local.set $one (call $entry_of (local.get $one)))
  (local.set $other (call $entry_of (local.get $other)))
  (local.set $option (i64.load (local.get $one)))
  (local.set $sum (i64.load offset=8 (local.get $one)))
  (i64.store (local.get $one) (i64.load (local.get $other)))
  (i64.store offset=8 (local.get $one) (i64.load offset=8 (local.get $other)))
  (i64.store (local.get $other) (local.get $option))
  (i64.store offset=8 (local.get $other) (local.get $sum)))

;; The best option of those that were tried to the last; ties are broken by the stream.
(func $best_tried (param $stream i32) (result i32)
  (local $i i32) (local $ties i32) (local $most i64) (local $sum i64)
  (local.set $most (i64.const -1))
  (loop $each
    (local.set $sum (i64.load offset=8 (call $entry_of (local.get $i))))
    (if (i64.gt_s (local.get $sum) (local.get $most)) (then
      (local.set $most (local.get $sum))
      (local.set $ties (i32.const 0))))
    (if (i64.eq (local.get $sum) (local.get $most)) (then
      (i32.store offset=4 (call $entry_of (local.get $ties)) (local.get $i))
      (local.set $ties (i32.add (local.get $ties) (i32.const 1)))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $i) (i32.load (i32.const @GREEDY_NUMBER)))))
  (i32.load (call $entry_of (i32.load offset=4 (call $entry_of (call $below (local.get $stream) (local.get $ties)))))))

;; ``foresee(on)``: the option that is taken of the decision of the worlds of a search; chance is from @GREEDY_OWN.
;; ``on``: 1 to go on after a trap.
(func (export "foresee") (param $on i32) (result i32)
  (local $choice i32)
  (if (local.get $on)
    (then (call $after_trap))
    (else
      (call $ask_first)
      (local.set $choice (call $consider (i32.const @GREEDY_OWN)))
      (if (i32.ge_s (local.get $choice) (i32.const 0)) (then (return (local.get $choice))))))
  (i32.store (i32.const @GREEDY_TRYING) (i32.const 1))
  (call $try_all)
  (i32.store (i32.const @GREEDY_TRYING) (i32.const 0))
  (call $best_tried (i32.const @GREEDY_OWN)))

(func $after_trap  ;; the try that failed is worth nothing
  (global.set $rolling (i32.const 0))
  (i32.store (i32.const @GREEDY_AT) (i32.add (i32.load (i32.const @GREEDY_AT)) (i32.const 1))))

;; ``play_greedy(status, limit)``: from the decision that is open, to the end or for so many decisions; the status then.
;; The choices are noted, and counted in @GREEDY_DONE. ``play_greedy(-1, limit)`` goes on after a trap in a try.
(func (export "play_greedy") (param $status i32) (param $limit i32) (result i32)
  (local $choice i32)
  (if (i32.eq (local.get $status) (i32.const -1)) (then
    (call $after_trap)
    (local.set $status (call $take_settled))))
  (block $done
    (loop $again
      (br_if $done (i32.ne (local.get $status) (i32.const 2)))
      (br_if $done (i32.ge_u (i32.load (i32.const @GREEDY_DONE)) (local.get $limit)))
      (i32.store (i32.const @GREEDY_STREAM)
        (if (result i32) (i32.eq (i32.load (i32.const @ASK_COUNT)) (i32.const 1))
          (then (i32.const 0))
          (else (call $stream_of_question))))
      (local.set $choice (call $consider (i32.load (i32.const @GREEDY_STREAM))))
      (if (i32.ge_s (local.get $choice) (i32.const 0))
        (then (local.set $status (call $take_noted (local.get $choice))))
        (else
          (call $lay_by)
          (local.set $status (call $take_settled))))
      (br $again)))
  (local.get $status))

(func $take_noted (param $choice i32) (result i32)
  (i32.store
    (i32.add (i32.load (i32.const @LEARN_CHOICES)) (i32.shl (i32.load (i32.const @GREEDY_DONE)) (i32.const 2)))
    (local.get $choice))
  (i32.store (i32.const @GREEDY_DONE) (i32.add (i32.load (i32.const @GREEDY_DONE)) (i32.const 1)))
  (call $take (local.get $choice)))

(func $take_settled (result i32)  ;; tries what is to be tried, and takes the best in the game itself
  (i32.store (i32.const @GREEDY_TRYING) (i32.const 1))
  (call $try_all)
  (i32.store (i32.const @GREEDY_TRYING) (i32.const 0))
  (call $take_up)
  (call $take_noted (call $best_tried (i32.load (i32.const @GREEDY_STREAM)))))

;; Lays the position by with its decision, as the one world that is tried out: what players know is all there is to it.
(func $lay_by
  (local $at i32) (local $fixed i32) (local $saved i32) (local $rows i32)
  (local.set $fixed (select (i32.const @FIXED_SIZE) (i32.const @OPEN_SIZE) (i32.load (i32.const @SECRET))))
  (local.set $saved (i32.load (i32.const @SAVED)))
  (local.set $rows (i32.mul (i32.load (i32.const @ASK_COUNT)) (i32.shl (i32.load (i32.const @ASK_WORDS)) (i32.const 2))))
  (local.set $at (call $behind_entries))
  (if (i32.eqz (call $rest (i32.sub
        (i32.add (i32.add (local.get $at) (i32.const 8)) (i32.add (local.get $rows) (i32.add (local.get $fixed) (local.get $saved))))
        (i32.const @SEARCH)))) (then unreachable))
  (i32.store (i32.const @SEARCH_WORLDS) (local.get $at))
  (i32.store (i32.const @SEARCH_COUNT) (i32.const 1))
  (i32.store (local.get $at) (local.get $fixed))
  (i32.store offset=4 (local.get $at) (local.get $saved))
  (local.set $at (i32.add (local.get $at) (i32.const 8)))
  (memory.copy (local.get $at) (i32.const @STATE) (local.get $fixed))
  (local.set $at (i32.add (local.get $at) (local.get $fixed)))
  (memory.copy (local.get $at) (i32.const @SAVED_FROM) (local.get $saved))
  (local.set $at (i32.add (local.get $at) (local.get $saved)))
  (i32.store (i32.const @SEARCH_ROWS) (local.get $at))
  (memory.copy (local.get $at) (i32.const @OPTIONS) (local.get $rows))
  (i32.store (i32.const @SEARCH_ASK) (i32.const @GREEDY_ASK))
  (memory.copy (i32.const @GREEDY_ASK) (i32.const @ASK_PLAYER) (i32.const 20))
  (i32.store (i32.const @GREEDY_ASK_WIDTHS) (i32.load (i32.const @ASK_WIDTHS)))
  (i32.store (i32.const @GREEDY_ASK_HIDDEN) (i32.load (i32.const @ASK_HIDDEN)))
  (memory.copy (i32.load (i32.const @GREEDY_SEATS)) (i32.const @STREAM) (i32.const @SEARCH_HISTORY_SIZE)))

(func $take_up  ;; puts back what was laid by, with its own chance
  (local $at i32)
  (local.set $at (i32.load (i32.const @SEARCH_WORLDS)))
  (global.set $rolling (i32.const 0))
  (memory.copy (i32.const @STATE) (i32.add (local.get $at) (i32.const 8)) (i32.load (local.get $at)))
  (memory.copy (i32.const @SAVED_FROM) (i32.add (i32.add (local.get $at) (i32.const 8)) (i32.load (local.get $at)))
    (i32.load offset=4 (local.get $at)))
  (memory.copy (i32.const @STREAM) (i32.load (i32.const @GREEDY_SEATS)) (i32.const @SEARCH_HISTORY_SIZE))
  (call $planes)
  (call $ask_first))
