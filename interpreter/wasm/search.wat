;; Search inside the module that stops at decisions: one tree for what a seat knows, grown over imagined positions.
;;
;; The block of words at @SEARCH is filled in from outside; see ``interpreter.wasm.search``. A world is a position of the
;; game with the root's decision open: how long its fixed part and its saved frames are, and then both. Its options are
;; those of the root in every world. A node stands for a choice after what its player has seen of the choices before, in
;; whatever world it was made. Rewards are fractions of 65,536.

;; A node is 40 bytes: key (8 bytes), sum of rewards (8), sum of their squares (8), player, visits, how often it could
;; have been visited.

(func $rest (export "reserve") (param $bytes i32) (result i32)  ;; room behind the block; 0 when there is none
  (local $missing i32)
  (local.set $missing (i32.sub
    (i32.shr_u (i32.add (i32.add (i32.const @SEARCH) (local.get $bytes)) (i32.const 0xFFFF)) (i32.const 16))
    (memory.size)))
  (if (i32.gt_s (local.get $missing) (i32.const 0)) (then
    (if (i32.eq (memory.grow (local.get $missing)) (i32.const -1)) (then (return (i32.const 0))))))
  (i32.const @SEARCH))

;; ---------------------------------------------------------------- positions

;; Puts a world in place of the state, its chance from a stream of its own.
(func $enter (param $world i32) (param $stream i64)
  (local $at i32)
  (global.set $rolling (i32.const 0))
  (local.set $at (i32.add (i32.load (i32.const @SEARCH_WORLDS)) (i32.mul (local.get $world) (i32.load (i32.const @SEARCH_STRIDE)))))
  (memory.copy (i32.const @STATE) (i32.add (local.get $at) (i32.const 8)) (i32.load (local.get $at)))
  (memory.copy (i32.const @SAVED_FROM) (i32.add (i32.add (local.get $at) (i32.const 8)) (i32.load (local.get $at)))
    (i32.load offset=4 (local.get $at)))
  (i64.store (i32.const @CHANCE) (call $scramble (local.get $stream)))
  (i64.store (i32.const @STREAM) (call $scramble (i64.xor (local.get $stream) (i64.const 0xB075))))
  (call $planes)
  (call $ask_first))

;; The decision of the root, with its rows.
(func $ask_first
  (local $ask i32)
  (local.set $ask (i32.load (i32.const @SEARCH_ASK)))
  (i32.store (i32.const @ASK_PLAYER) (i32.load (local.get $ask)))
  (i32.store (i32.const @ASK_UNIT) (i32.load offset=4 (local.get $ask)))
  (i32.store (i32.const @ASK_SITE) (i32.load offset=8 (local.get $ask)))
  (i32.store (i32.const @ASK_COUNT) (i32.load offset=12 (local.get $ask)))
  (i32.store (i32.const @ASK_WORDS) (i32.load offset=16 (local.get $ask)))
  (i32.store (i32.const @ASK_WIDTHS) (i32.load offset=20 (local.get $ask)))
  (i32.store (i32.const @ASK_HIDDEN) (i32.load offset=24 (local.get $ask)))
  (memory.copy (i32.const @OPTIONS) (i32.load (i32.const @SEARCH_ROWS))
    (i32.mul (i32.load offset=12 (local.get $ask)) (i32.shl (i32.load offset=16 (local.get $ask)) (i32.const 2)))))

;; Takes an option of the decision that is open; the status then.
(func $take (param $choice i32) (result i32)
  (i32.store (i32.const @CHOICE) (local.get $choice))
  (call $afresh)
  (global.set $resume (i32.const 1))
  (call $go_on))

;; Plays on at random, to the end or for so many decisions.
(func $roll (param $status i32) (param $limit i32)
  (if (i32.ne (local.get $status) (i32.const 2)) (then (return)))
  (if (i32.eqz (local.get $limit)) (then (return)))
  (i32.store (i32.const @LIMIT) (local.get $limit))
  (i32.store (i32.const @DECISIONS) (i32.const 0))
  (global.set $rolling (i32.const 1))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (i32.load (i32.const @DECISIONS)) (local.get $limit)))
      (i32.store (i32.const @DECISIONS) (i32.add (i32.load (i32.const @DECISIONS)) (i32.const 1)))
      (br_if $again (i32.eq (i32.const 2)
        (call $take (call $below (i32.const @STREAM) (i32.load (i32.const @ASK_COUNT))))))))
  (global.set $rolling (i32.const 0)))

;; Whether chance decides here without the rules being left. Now and then they are, so that what they keep is given up.
(func $goes_on (result i32)
  (i32.and (global.get $rolling) (i32.lt_u (global.get $top) (i32.const @ROLLING_END))))

;; ``rollout(limit)``: from the decision that is open; the decisions made.
(func (export "rollout") (param $limit i32) (result i32)
  (call $planes)
  (call $roll (i32.const 2) (local.get $limit))
  (i32.load (i32.const @DECISIONS)))

;; ---------------------------------------------------------------- rewards

;; Works out what the position is worth to every seat: a share of the victory, and how far its side is ahead of the best
;; of the others; or, with nobody to be ahead of, how much of all points there may be it has.
(func $judge
  (local $seat i32) (local $other i32) (local $own i32) (local $rival i32) (local $won i32) (local $mask i32)
  (local $share i32) (local $lead i32) (local $margin i64) (local $scale i64) (local $spread i64) (local $met i32)
  (loop $each
    (i32.store (i32.add (i32.const @SCORES) (i32.shl (local.get $seat) (i32.const 2))) (call $standing (local.get $seat)))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $seat) (i32.const @PLAYERS))))
  (local.set $mask (if (result i32) (i32.load (i32.const @OVER))
    (then (i32.load (i32.const @WINNERS)))
    (else (call $ahead))))
  (local.set $won (call $sides_in (local.get $mask)))
  (local.set $scale (i64.load (i32.const @SEARCH_SCALE)))
  (local.set $seat (i32.const 0))
  (loop $seats
    (local.set $own (i32.load (i32.add (i32.const @SCORES) (i32.shl (local.get $seat) (i32.const 2)))))
    (local.set $rival (i32.const 0))
    (local.set $met (i32.const 0))
    (local.set $other (i32.const 0))
    (loop $others
      (if (i32.ne (call $side (local.get $other)) (call $side (local.get $seat))) (then
        (if (i32.or (i32.eqz (local.get $met)) (i32.gt_s
              (i32.load (i32.add (i32.const @SCORES) (i32.shl (local.get $other) (i32.const 2)))) (local.get $rival))) (then
          (local.set $met (i32.const 1))
          (local.set $rival (i32.load (i32.add (i32.const @SCORES) (i32.shl (local.get $other) (i32.const 2)))))))))
      (local.set $other (i32.add (local.get $other) (i32.const 1)))
      (br_if $others (i32.lt_u (local.get $other) (i32.const @PLAYERS))))
    (if (local.get $met)
      (then
        (local.set $margin (i64.sub (i64.extend_i32_s (local.get $own)) (i64.extend_i32_s (local.get $rival))))
        (local.set $spread (select (i64.sub (i64.const 0) (local.get $margin)) (local.get $margin)
          (i64.lt_s (local.get $margin) (i64.const 0))))
        (local.set $lead (i32.add (i32.const 32768) (i32.wrap_i64 (i64.div_s
          (i64.mul (local.get $margin) (i64.const 32768))
          (i64.add (local.get $scale) (i64.add (local.get $spread) (i64.const 1))))))))
      (else
        (local.set $lead (call $part_of_span (local.get $own)))))
    (local.set $share (if (result i32) (i32.and (i32.shr_u (local.get $mask) (local.get $seat)) (i32.const 1))
      (then (i32.div_u (i32.const 65536) (local.get $won)))
      (else (select (i32.const 0) (i32.load (i32.const @SEARCH_UNWON)) (local.get $won)))))
    (i32.store (i32.add (i32.const @REWARDS) (i32.shl (local.get $seat) (i32.const 2)))
      (i32.wrap_i64 (i64.shr_u
        (i64.add (i64.mul (i64.extend_i32_u (local.get $share)) (i64.extend_i32_u (i32.load (i32.const @SEARCH_WINNING))))
          (i64.mul (i64.extend_i32_u (local.get $lead))
            (i64.extend_i32_u (i32.sub (i32.const 65536) (i32.load (i32.const @SEARCH_WINNING))))))
        (i64.const 16))))
    ;; How far apart the sides mostly are, settled by the first games.
    (if (i32.eqz (local.get $seat)) (then
      (if (i32.lt_u (i32.load (i32.const @SEARCH_SEEN)) (i32.const @MARGINS_SEEN)) (then
        (i32.store (i32.const @SEARCH_SEEN) (i32.add (i32.load (i32.const @SEARCH_SEEN)) (i32.const 1)))
        (i64.store (i32.const @SEARCH_MARGINS) (i64.add (i64.load (i32.const @SEARCH_MARGINS)) (local.get $spread)))
        (i64.store (i32.const @SEARCH_SCALE) (i64.div_u (i64.load (i32.const @SEARCH_MARGINS))
          (i64.extend_i32_u (i32.load (i32.const @SEARCH_SEEN)))))))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const @PLAYERS))))
  (if (i32.load (i32.const @SEARCH_VALUE)) (then
    (if (i32.eqz (i32.load (i32.const @OVER))) (then (call $value))))))

;; In place of who is ahead: what the position is worth to every seat, by the table at @SEARCH_VALUE. It has a number for
;; each seat and @SEARCH_VALUES entries of 24 bytes: the address of a word, what it tells (0 a number, 1 one of some values,
;; 2 the length of a list of such, 3 a bit), the first value, how many there are, bytes from one member to the next, and
;; where the weights lie, for each value one for each seat. See ``interpreter.wasm.value``.
(func $value
  (local $seat i32) (local $at i32) (local $left i32) (local $sum f64) (local $kind i32) (local $word i32) (local $i i32)
  (local $place i32)
  (loop $seats
    (local.set $sum (f64.load (i32.add (i32.load (i32.const @SEARCH_VALUE)) (i32.shl (local.get $seat) (i32.const 3)))))
    (local.set $at (i32.add (i32.load (i32.const @SEARCH_VALUE)) (i32.const @VALUE_HEAD)))
    (local.set $left (i32.load (i32.const @SEARCH_VALUES)))
    (block $done
      (loop $each
        (br_if $done (i32.eqz (local.get $left)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (local.set $word (i32.load (i32.load (local.get $at))))
        (local.set $kind (i32.load offset=4 (local.get $at)))
        (if (i32.eq (local.get $kind) (i32.const 2))
          (then
            (local.set $i (select (local.get $word) (i32.const 64) (i32.lt_u (local.get $word) (i32.const 64))))
            (local.set $place (i32.load (local.get $at)))
            (block $counted
              (loop $members
                (br_if $counted (i32.eqz (local.get $i)))
                (local.set $i (i32.sub (local.get $i) (i32.const 1)))
                (local.set $place (i32.add (local.get $place) (i32.load offset=16 (local.get $at))))
                (local.set $sum (f64.add (local.get $sum)
                  (call $weight_of (local.get $at) (i32.load (local.get $place)) (local.get $seat))))
                (br $members))))
          (else (if (i32.eq (local.get $kind) (i32.const 1))
            (then (local.set $sum (f64.add (local.get $sum)
              (call $weight_of (local.get $at) (local.get $word) (local.get $seat)))))
            (else
              (if (local.get $kind) (then
                (local.set $word (i32.and (i32.shr_u (local.get $word) (i32.load offset=8 (local.get $at))) (i32.const 1)))))
              (local.set $sum (f64.add (local.get $sum) (f64.mul (f64.convert_i32_s (local.get $word))
                (f64.load (i32.add (i32.load offset=20 (local.get $at)) (i32.shl (local.get $seat) (i32.const 3)))))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 24)))
        (br $each)))
    (i32.store (i32.add (i32.const @REWARDS) (i32.shl (local.get $seat) (i32.const 2)))
      (i32.trunc_f64_s (f64.min (f64.const 65536) (f64.max (f64.const 0) (local.get $sum)))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $seats (i32.lt_u (local.get $seat) (i32.const @PLAYERS)))))

(func $weight_of (param $entry i32) (param $told i32) (param $seat i32) (result f64)
  (local.set $told (i32.sub (local.get $told) (i32.load offset=8 (local.get $entry))))
  (if (i32.ge_u (local.get $told) (i32.load offset=12 (local.get $entry))) (then (return (f64.const 0))))
  (f64.load (i32.add (i32.load offset=20 (local.get $entry)) (i32.shl
    (i32.add (i32.mul (local.get $told) (i32.const @PLAYERS)) (local.get $seat)) (i32.const 3)))))

;; ``sample(status, limit)``: plays on at random for so many decisions at most, which are counted in @DECISIONS, and works
;; out what that is worth; the status then.
(func (export "sample") (param $status i32) (param $limit i32) (result i32)
  (i32.store (i32.const @DECISIONS) (i32.const 0))
  (call $roll (local.get $status) (local.get $limit))
  (call $judge)
  (select (i32.const 1) (local.get $status) (i32.load (i32.const @OVER))))

(func $side (param $seat i32) (result i32)
  (i32.load (i32.add (i32.const @SIDES) (i32.shl (local.get $seat) (i32.const 2)))))

(func $sides_in (param $mask i32) (result i32)  ;; how many sides the seats of a mask belong to
  (local $seat i32) (local $found i64)
  (loop $each
    (if (i32.and (i32.shr_u (local.get $mask) (local.get $seat)) (i32.const 1)) (then
      (local.set $found (i64.or (local.get $found)
        (i64.shl (i64.const 1) (i64.extend_i32_u (call $side (local.get $seat))))))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $seat) (i32.const @PLAYERS))))
  (i32.wrap_i64 (i64.popcnt (local.get $found))))

;; Where a number of points lies between the least and the most, as a reward. @SEARCH_LOW, and then the width.
(func $part_of_span (param $own i32) (result i32)
  (local $above i64) (local $wide i64)
  (local.set $above (i64.sub (i64.extend_i32_s (local.get $own)) (i64.load32_s (i32.const @SEARCH_LOW))))
  (local.set $wide (i64.load32_u offset=4 (i32.const @SEARCH_LOW)))
  (if (i64.le_s (local.get $above) (i64.const 0)) (then (return (i32.const 0))))
  (if (i64.ge_s (local.get $above) (local.get $wide)) (then (return (i32.const 65536))))
  (i32.wrap_i64 (i64.div_u (i64.mul (local.get $above) (i64.const 65536)) (local.get $wide))))

;; The seats that are ahead in points, as a mask: nobody where all win or lose together.
(func $ahead (result i32)
  (local $seat i32) (local $mask i32) (local $best i32) (local $score i32)
  (if (i32.eqz (i32.load (i32.const @SEARCH_RIVALS))) (then (return (i32.const 0))))
  (loop $each
    (local.set $score (i32.load (i32.add (i32.const @SCORES) (i32.shl (local.get $seat) (i32.const 2)))))
    (if (i32.or (i32.eqz (local.get $mask)) (i32.gt_s (local.get $score) (local.get $best))) (then
      (local.set $best (local.get $score))
      (local.set $mask (i32.const 0))))
    (if (i32.eq (local.get $score) (local.get $best)) (then
      (local.set $mask (i32.or (local.get $mask) (i32.shl (i32.const 1) (local.get $seat))))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $seat) (i32.const @PLAYERS))))
  (local.get $mask))

;; ``attempt(choice, world, stream, limit)``: what an option of the root is worth to its seat, after so many decisions.
(func $attempt (export "attempt") (param $choice i32) (param $world i32) (param $stream i64) (param $limit i32) (result i32)
  (call $enter (local.get $world) (local.get $stream))
  (call $roll (call $take (local.get $choice)) (local.get $limit))
  (call $judge)
  (i32.load (i32.add (i32.const @REWARDS) (i32.shl (i32.load (i32.load (i32.const @SEARCH_ASK))) (i32.const 2)))))

;; ---------------------------------------------------------------- what players have seen

;; @SEARCH_HISTORY has for each seat a fingerprint of the choices that it has seen since the root, and @SEARCH_PENDING of
;; those that it will have seen when those who decide together are done. Of a choice that goes to hidden places others
;; see that it was made.

;; Notes a choice of the decision that is open. $asked: the fingerprint of the decision, $key: that of the option.
(func $learn (param $asked i64) (param $key i64)
  (local $seat i32) (local $at i32) (local $seen i64)
  (if (i32.load (i32.const @ASK_HIDDEN)) (then (local.set $seen (local.get $asked))) (else (local.set $seen (local.get $key))))
  (loop $each
    (local.set $at (i32.shl (local.get $seat) (i32.const 3)))
    (if (i32.eq (local.get $seat) (i32.load (i32.const @ASK_PLAYER)))
      (then
        (i64.store (i32.add (i32.const @SEARCH_HISTORY) (local.get $at))
          (call $after (i64.load (i32.add (i32.const @SEARCH_HISTORY) (local.get $at))) (local.get $key))))
      (else
        (if (i32.load (i32.const @SECRET)) (then
          (local.set $at (i32.add (local.get $at) (i32.const @SEARCH_PENDING_LESS_HISTORY)))))
        (i64.store (i32.add (i32.const @SEARCH_HISTORY) (local.get $at))
          (call $after (i64.load (i32.add (i32.const @SEARCH_HISTORY) (local.get $at))) (local.get $seen)))))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $seat) (i32.const @PLAYERS)))))

(func $after (param $before i64) (param $key i64) (result i64)
  (local.set $key (i64.mul (i64.xor (i64.rotl (local.get $before) (i64.const 23)) (local.get $key))
    (i64.const 0x9E3779B97F4A7C15)))
  (i64.xor (local.get $key) (i64.shr_u (local.get $key) (i64.const 32))))

;; What was decided together is seen once all are done, or those of the next block begin.
(func $reveal
  (local $done i32) (local $seat i32) (local $at i32)
  (local.set $done (if (result i32) (i32.load (i32.const @SECRET))
    (then (i32.add (i32.load (i32.const @SECRET_DONE)) (i32.const 1)))
    (else (i32.const 0))))
  (if (i32.lt_u (local.get $done) (i32.load (i32.const @SEARCH_TOGETHER))) (then
    (loop $each
      (local.set $at (i32.shl (local.get $seat) (i32.const 3)))
      (i64.store (i32.add (i32.const @SEARCH_HISTORY) (local.get $at)) (call $after
        (i64.load (i32.add (i32.const @SEARCH_HISTORY) (local.get $at)))
        (i64.load (i32.add (i32.const @SEARCH_PENDING) (local.get $at)))))
      (i64.store (i32.add (i32.const @SEARCH_PENDING) (local.get $at)) (i64.const 0))
      (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $seat) (i32.const @PLAYERS))))))
  (i32.store (i32.const @SEARCH_TOGETHER) (local.get $done)))

(func $nothing_seen
  (i32.store (i32.const @SEARCH_TOGETHER) (i32.const 0))
  (memory.fill (i32.const @SEARCH_HISTORY) (i32.const 0) (i32.const @SEARCH_HISTORY_SIZE))
  (memory.fill (i32.const @SEARCH_PENDING) (i32.const 0) (i32.const @SEARCH_HISTORY_SIZE)))

;; ---------------------------------------------------------------- the tree

;; What tells the decision that is open from others.
(func $asked (result i64)
  (call $after
    (i64.or (i64.shl (i64.extend_i32_u (i32.load (i32.const @ASK_UNIT))) (i64.const 32))
      (i64.extend_i32_u (i32.load (i32.const @ASK_SITE))))
    (i64.extend_i32_u (i32.load (i32.const @ASK_PLAYER)))))

;; What tells an option of it from the others, in whatever world.
(func $key (param $asked i64) (param $index i32) (result i64)
  (local $at i32) (local $n i32) (local $widths i32)
  (local.set $n (i32.load (i32.const @ASK_WORDS)))
  (local.set $at (i32.add (i32.const @OPTIONS) (i32.mul (local.get $index) (i32.shl (local.get $n) (i32.const 2)))))
  (local.set $widths (i32.load (i32.const @ASK_WIDTHS)))
  (if (local.get $widths) (then
    (if (i32.eq (local.get $widths) (i32.const -1))
      (then
        (if (i32.eq (local.get $index) (i32.sub (i32.load (i32.const @ASK_COUNT)) (i32.const 1))) (then
          (return (i64.xor (local.get $asked) (i64.const 0x5DEECE66D))))))
      (else
        (local.set $n
          (i32.load (i32.add (local.get $widths) (i32.shl (i32.load (local.get $at)) (i32.const 2)))))))))
  (block $done
    (loop $again
      (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
      (local.set $asked (i64.mul (i64.xor (i64.rotl (local.get $asked) (i64.const 23)) (i64.load32_u (local.get $at)))
        (i64.const 0x9E3779B97F4A7C15)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (i64.xor (local.get $asked) (i64.shr_u (local.get $asked) (i64.const 32))))

;; Where the table has the number of the node with a key, or has room for it.
(func $entry (param $key i64) (result i32)
  (local $place i32) (local $at i32) (local $number i32)
  (local.set $place (i32.wrap_i64 (local.get $key)))
  (loop $probe
    (local.set $place (i32.and (local.get $place) (i32.load (i32.const @SEARCH_MASK))))
    (local.set $at (i32.add (i32.load (i32.const @SEARCH_TABLE)) (i32.shl (local.get $place) (i32.const 2))))
    (local.set $number (i32.load (local.get $at)))
    (if (i32.eqz (local.get $number)) (then (return (local.get $at))))
    (if (i64.eq (i64.load (call $node (local.get $number))) (local.get $key)) (then (return (local.get $at))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br $probe))
  unreachable)

(func $node (param $number i32) (result i32)
  (i32.add (i32.load (i32.const @SEARCH_NODES)) (i32.mul (local.get $number) (i32.const 40))))

;; ``root_node(index)``: the address of the node of an option of the root, 0 when there is none.
(func (export "root_node") (param $index i32) (result i32)
  (local $number i32)
  (call $ask_first)
  (local.set $number (i32.load (call $entry (call $after (i64.const 0) (call $key (call $asked) (local.get $index))))))
  (if (result i32) (local.get $number) (then (call $node (local.get $number))) (else (i32.const 0))))

;; The natural logarithm, from a table of those below 1,024.
(func $ln (param $n i32) (result f64)
  (local $shift i32)
  (block $done
    (loop $again
      (br_if $done (i32.lt_u (i32.shr_u (local.get $n) (local.get $shift)) (i32.const 1024)))
      (local.set $shift (i32.add (local.get $shift) (i32.const 1)))
      (br $again)))
  (f64.add
    (f64.load (i32.add (i32.load (i32.const @SEARCH_LN))
      (i32.shl (i32.shr_u (local.get $n) (local.get $shift)) (i32.const 3))))
    (f64.mul (f64.convert_i32_u (local.get $shift)) (f64.const 0.6931471805599453))))

(func $width (param $visits i32) (result i32)  ;; how many options are tried after so many visits
  (local $wide i32)
  (local.set $wide (i32.shl (i32.trunc_f64_u (f64.sqrt (f64.convert_i32_u (local.get $visits)))) (i32.const 1)))
  (select (local.get $wide) (i32.load (i32.const @SEARCH_WIDE))
    (i32.gt_u (local.get $wide) (i32.load (i32.const @SEARCH_WIDE)))))

;; What $weigh finds: how many options have nodes, how often these were visited; the best of them; and one without.
(global $known (mut i32) (i32.const 0))
(global $visits (mut i32) (i32.const 0))
(global $best (mut i32) (i32.const 0))
(global $best_key (mut i64) (i64.const 0))
(global $best_node (mut i32) (i32.const 0))
(global $pick (mut i32) (i32.const 0))
(global $pick_key (mut i64) (i64.const 0))
(global $pick_entry (mut i32) (i32.const 0))

;; Looks at the options of the decision that is open, from some place on. The best by UCB1, with how often it could have
;; been taken; of those without a node it picks the first, at the root the first by rank. Written out without calls: this
;; is what a search adds to its playouts.
(func $weigh (param $asked i64) (param $root i32)
  (local $i i32) (local $left i32) (local $count i32) (local $before i64) (local $key i64) (local $full i64)
  (local $bytes i32) (local $words i32) (local $widths i32) (local $at i32) (local $n i32)
  (local $table i32) (local $mask i32) (local $nodes i32) (local $place i32) (local $entry i32) (local $number i32)
  (local $node i32) (local $known i32) (local $visits i32) (local $times f64) (local $available i32) (local $ln f64)
  (local $value f64) (local $most f64) (local $rank i32) (local $least i32) (local $explore f64)
  (local.set $count (i32.load (i32.const @ASK_COUNT)))
  (local.set $words (i32.load (i32.const @ASK_WORDS)))
  (local.set $bytes (i32.shl (local.get $words) (i32.const 2)))
  (local.set $widths (i32.load (i32.const @ASK_WIDTHS)))
  (local.set $table (i32.load (i32.const @SEARCH_TABLE)))
  (local.set $mask (i32.load (i32.const @SEARCH_MASK)))
  (local.set $nodes (i32.load (i32.const @SEARCH_NODES)))
  (local.set $explore (f64.load (i32.const @SEARCH_EXPLORE)))
  (local.set $before (i64.rotl
    (i64.load (i32.add (i32.const @SEARCH_HISTORY) (i32.shl (i32.load (i32.const @ASK_PLAYER)) (i32.const 3))))
    (i64.const 23)))
  (local.set $i (if (result i32) (local.get $root)
    (then (i32.const 0))
    (else (call $below (i32.const @STREAM) (local.get $count)))))
  (local.set $left (local.get $count))
  (local.set $least (i32.const 0x7FFFFFFF))
  (local.set $most (f64.const -1))
  (global.set $pick (i32.const -1))
  (loop $each
    ;; Its key, as $key works it out.
    (local.set $at (i32.add (i32.const @OPTIONS) (i32.mul (local.get $i) (local.get $bytes))))
    (local.set $key (local.get $asked))
    (local.set $n (local.get $words))
    (if (local.get $widths)
      (then (local.set $key (call $key (local.get $asked) (local.get $i))))
      (else
        (block $done
          (loop $again
            (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
            (local.set $key (i64.mul (i64.xor (i64.rotl (local.get $key) (i64.const 23)) (i64.load32_u (local.get $at)))
              (i64.const 0x9E3779B97F4A7C15)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (local.set $n (i32.sub (local.get $n) (i32.const 1)))
            (br $again)))
        (local.set $key (i64.xor (local.get $key) (i64.shr_u (local.get $key) (i64.const 32))))))
    ;; Its node.
    (local.set $full (i64.mul (i64.xor (local.get $before) (local.get $key)) (i64.const 0x9E3779B97F4A7C15)))
    (local.set $full (i64.xor (local.get $full) (i64.shr_u (local.get $full) (i64.const 32))))
    (local.set $place (i32.wrap_i64 (local.get $full)))
    (block $there
      (loop $probe
        (local.set $entry (i32.add (local.get $table)
          (i32.shl (i32.and (local.get $place) (local.get $mask)) (i32.const 2))))
        (local.set $number (i32.load (local.get $entry)))
        (br_if $there (i32.eqz (local.get $number)))
        (local.set $node (i32.add (local.get $nodes) (i32.mul (local.get $number) (i32.const 40))))
        (br_if $there (i64.eq (i64.load (local.get $node)) (local.get $full)))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br $probe)))
    (if (local.get $number)
      (then
        (local.set $known (i32.add (local.get $known) (i32.const 1)))
        (local.set $visits (i32.add (local.get $visits) (i32.load offset=28 (local.get $node))))
        (local.set $n (i32.add (i32.load offset=32 (local.get $node)) (i32.const 1)))
        (i32.store offset=32 (local.get $node) (local.get $n))
        (if (i32.ne (local.get $n) (local.get $available)) (then
          (local.set $available (local.get $n))
          (local.set $ln (if (result f64) (i32.lt_u (local.get $n) (i32.const 1024))
            (then (f64.load (i32.add (i32.load (i32.const @SEARCH_LN)) (i32.shl (local.get $n) (i32.const 3)))))
            (else (call $ln (local.get $n)))))))
        (local.set $times (f64.convert_i32_u (i32.load offset=28 (local.get $node))))
        (local.set $value (f64.div
          (f64.add
            (f64.mul (f64.convert_i64_s (i64.load offset=8 (local.get $node))) (f64.const 0x1p-16))
            (f64.mul (local.get $explore) (f64.sqrt (f64.mul (local.get $ln) (local.get $times)))))
          (local.get $times)))
        (if (f64.gt (local.get $value) (local.get $most)) (then
          (local.set $most (local.get $value))
          (global.set $best (local.get $i))
          (global.set $best_key (local.get $key))
          (global.set $best_node (local.get $number)))))
      (else
        (if (local.get $root) (then
          (local.set $rank (i32.load (i32.add (i32.load (i32.const @SEARCH_ORDER)) (i32.shl (local.get $i) (i32.const 2)))))))
        (if (i32.lt_s (local.get $rank) (local.get $least)) (then
          (local.set $least (local.get $rank))
          (global.set $pick (local.get $i))
          (global.set $pick_key (local.get $full))
          (global.set $pick_entry (local.get $entry))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (if (i32.eq (local.get $i) (local.get $count)) (then (local.set $i (i32.const 0))))
    (local.set $left (i32.sub (local.get $left) (i32.const 1)))
    (br_if $each (local.get $left)))
  (global.set $known (local.get $known))
  (global.set $visits (local.get $visits)))

;; One iteration: down the tree along the options of a world, a new node, and random play.
(func $iterate (param $number i32)
  (local $status i32) (local $root i32) (local $asked i64) (local $room i32)
  (i32.store (i32.const @SEARCH_PATH) (i32.const 0))
  (call $nothing_seen)
  (call $enter
    (i32.rem_u (local.get $number) (i32.load (i32.const @SEARCH_COUNT)))
    (call $scramble (i64.xor (i64.load (i32.const @SEARCH_SEED)) (i64.extend_i32_u (local.get $number)))))
  (local.set $root (i32.const 1))
  (local.set $status (i32.const 2))
  (block $leaf
    (loop $deeper
      (br_if $leaf (i32.ne (local.get $status) (i32.const 2)))
      (if (i32.eq (i32.load (i32.const @ASK_COUNT)) (i32.const 1)) (then
        (local.set $status (call $take (i32.const 0)))
        (br $deeper)))
      (br_if $leaf (i32.ge_u (i32.load (i32.const @SEARCH_PATH)) (i32.load (i32.const @SEARCH_DEPTH))))
      (call $reveal)
      (local.set $asked (call $asked))
      (call $weigh (local.get $asked) (local.get $root))
      (local.set $root (i32.const 0))
      (local.set $room (i32.lt_u (i32.load (i32.const @SEARCH_MADE)) (i32.load (i32.const @SEARCH_MOST))))
      (if (i32.and
            (i32.and (i32.ge_s (global.get $pick) (i32.const 0))
              (i32.lt_u (global.get $known) (call $width (global.get $visits))))
            (i32.or (local.get $room) (i32.eqz (global.get $known)))) (then
        (if (local.get $room) (then (call $grown)))  ;; a full tree grows no more
        (local.set $status (call $take (global.get $pick)))
        (br $leaf)))
      (call $passed (global.get $best_node))
      (call $learn (local.get $asked) (global.get $best_key))
      (local.set $status (call $take (global.get $best)))
      (br $deeper)))
  (call $roll (local.get $status) (i32.load (i32.const @SEARCH_LIMIT)))
  (call $judge)
  (call $back))

(func $grown  ;; one more node, for the option that was picked
  (local $number i32) (local $node i32)
  (local.set $number (i32.add (i32.load (i32.const @SEARCH_MADE)) (i32.const 1)))
  (i32.store (i32.const @SEARCH_MADE) (local.get $number))
  (i32.store (global.get $pick_entry) (local.get $number))
  (local.set $node (call $node (local.get $number)))
  (memory.fill (local.get $node) (i32.const 0) (i32.const 40))
  (i64.store (local.get $node) (global.get $pick_key))
  (i32.store offset=24 (local.get $node) (i32.load (i32.const @ASK_PLAYER)))
  (i32.store offset=32 (local.get $node) (i32.const 1))
  (call $passed (local.get $number)))

(func $passed (param $number i32)
  (local $length i32)
  (local.set $length (i32.load (i32.const @SEARCH_PATH)))
  (i32.store (i32.add (i32.load (i32.const @SEARCH_PASSED)) (i32.shl (local.get $length) (i32.const 2))) (local.get $number))
  (i32.store (i32.const @SEARCH_PATH) (i32.add (local.get $length) (i32.const 1))))

(func $back  ;; the rewards to the nodes of the path
  (local $i i32) (local $node i32) (local $reward i64)
  (block $done
    (loop $each
      (br_if $done (i32.ge_u (local.get $i) (i32.load (i32.const @SEARCH_PATH))))
      (local.set $node (call $node (i32.load
        (i32.add (i32.load (i32.const @SEARCH_PASSED)) (i32.shl (local.get $i) (i32.const 2))))))
      (local.set $reward (i64.load32_u
        (i32.add (i32.const @REWARDS) (i32.shl (i32.load offset=24 (local.get $node)) (i32.const 2)))))
      (i64.store offset=8 (local.get $node) (i64.add (i64.load offset=8 (local.get $node)) (local.get $reward)))
      (i64.store offset=16 (local.get $node) (i64.add (i64.load offset=16 (local.get $node))
        (i64.shr_u (i64.mul (local.get $reward) (local.get $reward)) (i64.const 16))))
      (i32.store offset=28 (local.get $node) (i32.add (i32.load offset=28 (local.get $node)) (i32.const 1)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each))))

;; ``seek(number)``: as many iterations.
(func (export "seek") (param $number i32)
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $number)))
      (call $iterate (i32.load (i32.const @SEARCH_ITERATIONS)))
      (i32.store (i32.const @SEARCH_ITERATIONS) (i32.add (i32.load (i32.const @SEARCH_ITERATIONS)) (i32.const 1)))
      (local.set $number (i32.sub (local.get $number) (i32.const 1)))
      (br $again))))

;; ``dropped()``: after a fault. What the iteration came by was visited, and is worth half of everything to everybody.
(func (export "dropped")
  (local $seat i32)
  (global.set $rolling (i32.const 0))
  (loop $each
    (i32.store (i32.add (i32.const @REWARDS) (i32.shl (local.get $seat) (i32.const 2))) (i32.const 32768))
    (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $seat) (i32.const @PLAYERS))))
  (call $back)
  (i32.store (i32.const @SEARCH_ITERATIONS) (i32.add (i32.load (i32.const @SEARCH_ITERATIONS)) (i32.const 1)))
  (i32.store (i32.const @SEARCH_DROPPED) (i32.add (i32.load (i32.const @SEARCH_DROPPED)) (i32.const 1))))
