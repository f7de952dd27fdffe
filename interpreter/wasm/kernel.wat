;; What every module has beside the code of its game. Names that begin with @ are addresses and limits of the memory.
;; A list is the number of its members and then their words; a row is one member. Where rows are compared, $row says how
;; long they are: in words, where their words say which is the first, and else the negative address of a shape ($order).

(global $arena i32 (i32.const @ARENA))
(global $top (mut i32) (i32.const @ARENA))
(global $limit (mut i32) (i32.const @ARENA_END))
(global $kept_from i32 (i32.const @ARENA_END))
(global $kept (mut i32) (i32.const @ARENA_END))  ;; what is remembered until the next game lies behind the arena
(global $build (mut i32) (i32.const @BUILD))
(global $resume (mut i32) (i32.const 0))
(global $offers (mut i32) (i32.const 0))
(global $offers_end i32 (i32.const @OPTIONS_END))
(global $rolling (mut i32) (i32.const 0))  ;; whether chance decides where a module stops at decisions

;; ---------------------------------------------------------------- faults

(func $fault (param $point i32) (param $a i32) (param $b i32) (param $c i32)
  (i32.store offset=@FAULT_A (i32.const @SCRATCH) (local.get $a))
  (i32.store offset=@FAULT_B (i32.const @SCRATCH) (local.get $b))
  (i32.store offset=@FAULT_C (i32.const @SCRATCH) (local.get $c))
  (i32.store (i32.const @SCRATCH) (local.get $point))
  unreachable)

;; ---------------------------------------------------------------- work

;; Takes work from the budget of the decision, and stops where none is left. What is short is paid for by whoever calls
;; it (wat/paid.py); here pays what may be long, for a pass of a loop or for what there is to go through.
(func $spend (param $work i32)
  (i64.store (i32.const @LEFT) (i64.sub (i64.load (i32.const @LEFT)) (i64.extend_i32_u (local.get $work))))
  (if (i64.lt_s (i64.load (i32.const @LEFT)) (i64.load (i32.const @FLOOR))) (then
    (call $fault (i32.const -5) (i32.const 0) (i32.const 0) (i32.const 0)))))

;; ---------------------------------------------------------------- fingerprints

(func $mix (param $bits i64) (param $word i32) (result i64)
  (call $mix_wide (local.get $bits) (i64.extend_i32_u (local.get $word))))

(func $mix_wide (param $bits i64) (param $word i64) (result i64)
  (local.set $bits (i64.mul (i64.xor (local.get $bits) (local.get $word)) (i64.const 0x9E3779B97F4A7C15)))
  (i64.xor (local.get $bits) (i64.shr_u (local.get $bits) (i64.const 32))))

;; Words that lie one after another. Four lanes, mixed like those of XXH64, take eight words at a time; what is left is
;; mixed word by word.
(func $mix_words (param $bits i64) (param $at i32) (param $n i32) (result i64)
  (local $a i64) (local $b i64) (local $c i64) (local $d i64)
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (local.get $n))))
  (if (i32.ge_u (local.get $n) (i32.const 8)) (then
    (local.set $a (local.get $bits))
    (local.set $b (local.get $bits))
    (local.set $c (local.get $bits))
    (local.set $d (local.get $bits))
    (loop $again
      (local.set $a (i64.mul (i64.rotl (i64.add (local.get $a)
              (i64.mul (i64.load (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))) (i64.const 31))
          (i64.const 0x9E3779B185EBCA87)))
      (local.set $b (i64.mul (i64.rotl (i64.add (local.get $b)
              (i64.mul (i64.load offset=8 (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))) (i64.const 31))
          (i64.const 0x9E3779B185EBCA87)))
      (local.set $c (i64.mul (i64.rotl (i64.add (local.get $c)
              (i64.mul (i64.load offset=16 (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))) (i64.const 31))
          (i64.const 0x9E3779B185EBCA87)))
      (local.set $d (i64.mul (i64.rotl (i64.add (local.get $d)
              (i64.mul (i64.load offset=24 (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))) (i64.const 31))
          (i64.const 0x9E3779B185EBCA87)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (local.set $n (i32.sub (local.get $n) (i32.const 8)))
      (br_if $again (i32.ge_u (local.get $n) (i32.const 8))))
    (local.set $bits (call $mix_wide (call $mix_wide (call $mix_wide (call $mix_wide (local.get $bits)
      (local.get $a)) (local.get $b)) (local.get $c)) (local.get $d)))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $bits (i64.mul (i64.xor (local.get $bits) (i64.load32_u (local.get $at)))
                                (i64.const 0x9E3779B97F4A7C15)))
      (local.set $bits (i64.xor (local.get $bits) (i64.shr_u (local.get $bits) (i64.const 32))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (local.get $bits))

;; How many members of a list of pairs of words are $low and $high.
(func $pairs_like (param $list i32) (param $low i32) (param $high i32) (result i32)
  (local $n i32) (local $found i32)
  (local.set $n (i32.load (local.get $list)))
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (i32.mul (local.get $n) (i32.const 4)))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $found (i32.add (local.get $found) (i32.and
        (i32.eq (i32.load offset=4 (local.get $list)) (local.get $low))
        (i32.eq (i32.load offset=8 (local.get $list)) (local.get $high)))))
      (local.set $list (i32.add (local.get $list) (i32.const 8)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (local.get $found))

;; ---------------------------------------------------------------- planes

;; The masks of a row of cells, which lie $step bytes apart: value v of member m is bit m of the mask of $bytes bytes at
;; $planes + $bytes (v + 1).
(func $mask_cells (param $cells i32) (param $members i32) (param $step i32) (param $planes i32) (param $bytes i32)
  (local $member i32) (local $word i32)
  (loop $each
    (local.set $word (i32.add
      (i32.add (local.get $planes)
        (i32.mul (i32.add (i32.load (local.get $cells)) (i32.const 1)) (local.get $bytes)))
      (i32.shl (i32.shr_u (local.get $member) (i32.const 6)) (i32.const 3))))
    (i64.store (local.get $word) (i64.or (i64.load (local.get $word))
      (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $member)))))
    (local.set $cells (i32.add (local.get $cells) (local.get $step)))
    (local.set $member (i32.add (local.get $member) (i32.const 1)))
    (br_if $each (i32.lt_u (local.get $member) (local.get $members)))))

;; ---------------------------------------------------------------- room

(func $alloc (param $bytes i32) (result i32)
  (local $at i32)
  (local.set $at (global.get $top))
  (global.set $top (i32.and (i32.add (i32.add (local.get $at) (local.get $bytes)) (i32.const 7)) (i32.const -8)))
  (if (i32.gt_u (global.get $top) (global.get $limit)) (then
    (call $fault (i32.const -1) (i32.const 0) (i32.const 0) (i32.const 0))))
  (local.get $at))

(func $grow (param $bytes i32) (result i32)  ;; room in the build region
  (local $at i32)
  (local.set $at (global.get $build))
  (global.set $build (i32.add (local.get $at) (local.get $bytes)))
  (if (i32.gt_u (global.get $build) (i32.const @BUILD_END)) (then
    (call $fault (i32.const -1) (i32.const 0) (i32.const 0) (i32.const 0))))
  (local.get $at))

;; Room for one more row of the list whose rows begin at $from.
(func $push (param $from i32) (param $bytes i32) (result i32)
  (if (i32.gt_u (i32.sub (global.get $build) (local.get $from))
                (i32.mul (local.get $bytes) (i32.const @MOST_MEMBERS_LESS_ONE))) (then
    (call $fault (i32.const -4) (i32.const 0) (i32.const 0) (i32.const 0))))
  (call $grow (local.get $bytes)))

(func $built (param $from i32) (param $row i32) (result i32)  ;; the rows from $from on, as a list in the arena
  (local $at i32) (local $size i32)
  (local.set $size (i32.sub (global.get $build) (local.get $from)))
  (local.set $at (call $alloc (i32.add (local.get $size) (i32.const 4))))
  (i32.store (local.get $at) (i32.div_u (local.get $size) (local.get $row)))
  (if (i32.le_u (local.get $size) (i32.const 64))
    (then (call $move_words (i32.add (local.get $at) (i32.const 4)) (local.get $from)
      (i32.shr_u (local.get $size) (i32.const 2))))
    (else (memory.copy (i32.add (local.get $at) (i32.const 4)) (local.get $from) (local.get $size))))
  (global.set $build (local.get $from))
  (local.get $at))

(func $offer (param $bytes i32) (result i32)  ;; room for one more option
  (local $at i32)
  (local.set $at (global.get $offers))
  (global.set $offers (i32.add (local.get $at) (local.get $bytes)))
  (if (i32.gt_u (global.get $offers) (i32.const @OPTIONS_END)) (then
    (call $fault (i32.const -2) (i32.const 0) (i32.const 0) (i32.const 0))))
  (local.get $at))

;; Sees to it that there is room for so many bytes of options.
(func $room (param $bytes i32)
  (if (i32.gt_u (i32.add (global.get $offers) (local.get $bytes)) (i32.const @OPTIONS_END)) (then
    (call $fault (i32.const -2) (i32.const 0) (i32.const 0) (i32.const 0)))))

;; Takes back the last row, $bytes long, when one with the same first $words stands before it from $from on.
;; A few rows are compared one by one; more of them are found by their hash, in a table of the numbers of rows.
;; An entry is a stamp, so that nothing need be cleared, and the number of a row.

(global $o_known (mut i32) (i32.const 0))  ;; the rows that are in the table
(global $o_mask (mut i32) (i32.const 0))   ;; its size, less one
(global $o_stamp (mut i32) (i32.const 0))

(func $once (param $from i32) (param $bytes i32) (param $words i32)
  (local $last i32) (local $n i32) (local $row i32)
  (local.set $last (i32.sub (global.get $offers) (local.get $bytes)))
  (local.set $n (i32.div_u (i32.sub (local.get $last) (local.get $from)) (local.get $bytes)))
  (if (i32.gt_u (local.get $n) (i32.const @MOST_OPTIONS)) (then (return)))  ;; too many: the game will stop
  (if (i32.lt_u (local.get $n) (i32.const 16))
    (then
      (global.set $o_known (i32.const 0))
      (local.set $row (local.get $from))
      (block $new
        (loop $again
          (br_if $new (i32.ge_u (local.get $row) (local.get $last)))
          (if (call $same_words (local.get $row) (local.get $last) (local.get $words)) (then
            (global.set $offers (local.get $last))
            (return)))
          (local.set $row (i32.add (local.get $row) (local.get $bytes)))
          (br $again))))
    (else
      (if (i32.or (i32.ne (global.get $o_known) (local.get $n))
                  (i32.gt_u (i32.shl (local.get $n) (i32.const 1)) (global.get $o_mask))) (then
        (call $once_anew (local.get $from) (local.get $n) (local.get $bytes) (local.get $words))))
      (if (call $once_seen (local.get $from) (local.get $last) (local.get $n) (local.get $bytes) (local.get $words))
        (then (global.set $offers (local.get $last)))
        (else (global.set $o_known (i32.add (local.get $n) (i32.const 1))))))))

(func $once_anew (param $from i32) (param $n i32) (param $bytes i32) (param $words i32)  ;; a table with room to spare
  (local $i i32) (local $at i32)
  (call $spend (i32.mul (local.get $n) (i32.const 16)))
  (global.set $o_stamp (i32.add (global.get $o_stamp) (i32.const 1)))
  (if (i32.eqz (global.get $o_stamp)) (then  ;; every four thousand million tables
    (memory.fill (i32.const @ONCE) (i32.const 0) (i32.const @ONCE_ROOM))
    (global.set $o_stamp (i32.const 1))))
  (global.set $o_mask (i32.sub (call $power (i32.shl (local.get $n) (i32.const 3))) (i32.const 1)))
  (if (i32.ge_u (global.get $o_mask) (i32.const @ONCE_MOST)) (then
    (global.set $o_mask (i32.sub (i32.const @ONCE_MOST) (i32.const 1)))))
  (local.set $at (local.get $from))
  (loop $again
    (drop (call $once_seen (local.get $from) (local.get $at) (local.get $i) (local.get $bytes) (local.get $words)))
    (local.set $at (i32.add (local.get $at) (local.get $bytes)))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $i) (local.get $n))))
  (global.set $o_known (local.get $n)))

;; Whether a row like the one at $at is in the table; else row number $n, which it is, is put there.
(func $once_seen (param $from i32) (param $at i32) (param $n i32) (param $bytes i32) (param $words i32) (result i32)
  (local $place i32) (local $entry i32)
  (local.set $place (i32.and (call $hash (local.get $at) (local.get $words)) (global.get $o_mask)))
  (loop $again
    (local.set $entry (i32.add (i32.const @ONCE) (i32.shl (local.get $place) (i32.const 3))))
    (if (i32.ne (i32.load (local.get $entry)) (global.get $o_stamp)) (then
      (i32.store (local.get $entry) (global.get $o_stamp))
      (i32.store offset=4 (local.get $entry) (local.get $n))
      (return (i32.const 0))))
    (if (call $same_words (local.get $at) (i32.add (local.get $from)
          (i32.mul (i32.load offset=4 (local.get $entry)) (local.get $bytes))) (local.get $words)) (then
      (return (i32.const 1))))
    (local.set $place (i32.and (i32.add (local.get $place) (i32.const 1)) (global.get $o_mask)))
    (br $again))
  unreachable)

(func $hash (param $at i32) (param $words i32) (result i32)
  (local $found i64)
  (block $done
    (loop $again
      (br_if $done (i32.le_s (local.get $words) (i32.const 0)))
      (local.set $found (i64.mul (i64.xor (i64.rotl (local.get $found) (i64.const 23)) (i64.load32_u (local.get $at)))
        (i64.const 0x9E3779B97F4A7C15)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $words (i32.sub (local.get $words) (i32.const 1)))
      (br $again)))
  (i32.wrap_i64 (i64.shr_u (local.get $found) (i64.const 36))))

(func $power (param $n i32) (result i32)  ;; the least power of two that is not less than a number from 2 on
  (i32.shl (i32.const 1) (i32.sub (i32.const 32) (i32.clz (i32.sub (local.get $n) (i32.const 1))))))

;; ---------------------------------------------------------------- words

(func $move_words (param $to i32) (param $from i32) (param $n i32)  ;; a few words; the places do not overlap
  (block $done
    (loop $again
      (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
      (i32.store (local.get $to) (i32.load (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again))))

(func $same_words (param $a i32) (param $b i32) (param $n i32) (result i32)
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (i32.mul (local.get $n) (i32.const 4)))))
  (block $done
    (loop $again
      (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
      (if (i32.ne (i32.load (local.get $a)) (i32.load (local.get $b))) (then (return (i32.const 0))))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (local.set $b (i32.add (local.get $b) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (i32.const 1))

;; Counts of pieces are 0 or more. One that would be greater than the greatest number is that number.
(func $at_most (param $count i64) (result i32)
  (i32.wrap_i64 (select (local.get $count) (i64.const 0x7FFFFFFF) (i64.lt_u (local.get $count) (i64.const 0x7FFFFFFF)))))

(func $sum_words (param $a i32) (param $n i32) (result i32)
  (local $sum i64) (local $sums v128) (local $four v128) (local $end i32)
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (local.get $n))))
  (local.set $end (i32.add (local.get $a) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 2))))
  (block $fours
    (loop $again
      (br_if $fours (i32.ge_u (local.get $a) (local.get $end)))
      (local.set $four (v128.load (local.get $a)))
      (local.set $sums (i64x2.add (local.get $sums) (i64x2.add
        (i64x2.extend_low_i32x4_u (local.get $four)) (i64x2.extend_high_i32x4_u (local.get $four)))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (br $again)))
  (local.set $sum (i64.add (i64x2.extract_lane 0 (local.get $sums)) (i64x2.extract_lane 1 (local.get $sums))))
  (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 2))))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
      (local.set $sum (i64.add (local.get $sum) (i64.load32_u (local.get $a))))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (br $again)))
  (i32.wrap_i64 (select (local.get $sum) (i64.const 0x7FFFFFFF) (i64.lt_u (local.get $sum) (i64.const 0x7FFFFFFF)))))

(func $same_list (param $a i32) (param $b i32) (param $row i32) (result i32)
  (if (i32.ne (i32.load (local.get $a)) (i32.load (local.get $b))) (then (return (i32.const 0))))
  (call $same_words (i32.add (local.get $a) (i32.const 4)) (i32.add (local.get $b) (i32.const 4))
    (i32.mul (i32.load (local.get $a)) (local.get $row))))

(func $copy_words (param $a i32) (param $n i32) (result i32)
  (local $at i32)
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (i32.shr_u (local.get $n) (i32.const 1)))))
  (local.set $at (call $alloc (i32.shl (local.get $n) (i32.const 2))))
  (if (i32.le_u (local.get $n) (i32.const 8))
    (then (call $move_words (local.get $at) (local.get $a) (local.get $n)))
    (else (memory.copy (local.get $at) (local.get $a) (i32.shl (local.get $n) (i32.const 2)))))
  (local.get $at))

(func $copy_list (param $a i32) (param $row i32) (result i32)
  (call $copy_words (local.get $a)
    (i32.add (i32.mul (i32.load (local.get $a)) (local.get $row)) (i32.const 1))))

(func $zeroes (param $n i32) (result i32)
  (local $at i32)
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (i32.shr_u (local.get $n) (i32.const 1)))))
  (local.set $at (call $alloc (i32.shl (local.get $n) (i32.const 2))))
  (if (i32.gt_u (local.get $n) (i32.const 8))
    (then (memory.fill (local.get $at) (i32.const 0) (i32.shl (local.get $n) (i32.const 2))))
    (else
      (block $done
        (loop $again
          (br_if $done (i32.le_s (local.get $n) (i32.const 0)))
          (local.set $n (i32.sub (local.get $n) (i32.const 1)))
          (i32.store (i32.add (local.get $at) (i32.shl (local.get $n) (i32.const 2))) (i32.const 0))
          (br $again)))))
  (local.get $at))

;; The rows of a list from position $first to $last, counted from 1; positions beyond its ends count for nothing.
(func $part (param $a i32) (param $first i32) (param $last i32) (param $row i32) (result i32)
  (local $to i32) (local $n i32) (local $bytes i32)
  (local.set $bytes (i32.shl (local.get $row) (i32.const 2)))
  (if (i32.lt_s (local.get $first) (i32.const 1)) (then (local.set $first (i32.const 1))))
  (if (i32.gt_s (local.get $last) (i32.load (local.get $a))) (then (local.set $last (i32.load (local.get $a)))))
  (if (i32.ge_s (local.get $last) (local.get $first))
    (then (local.set $n (i32.add (i32.sub (local.get $last) (local.get $first)) (i32.const 1))))
    (else (local.set $first (i32.const 1))))
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (local.get $n))))
  (local.set $to (call $alloc (i32.add (i32.mul (local.get $n) (local.get $bytes)) (i32.const 4))))
  (i32.store (local.get $to) (local.get $n))
  (memory.copy (i32.add (local.get $to) (i32.const 4))
    (i32.add (i32.add (local.get $a) (i32.const 4))
      (i32.mul (i32.sub (local.get $first) (i32.const 1)) (local.get $bytes)))
    (i32.mul (local.get $n) (local.get $bytes)))
  (local.get $to))

(func $reversed (param $a i32) (param $row i32) (result i32)
  (local $to i32) (local $n i32) (local $bytes i32) (local $out i32)
  (local.set $n (i32.load (local.get $a)))
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (i32.mul (local.get $n) (i32.const 8)))))
  (local.set $to (call $copy_list (local.get $a) (local.get $row)))
  (local.set $bytes (i32.shl (local.get $row) (i32.const 2)))
  (local.set $a (i32.add (local.get $a) (i32.const 4)))
  (local.set $out (i32.add (i32.add (local.get $to) (i32.const 4)) (i32.mul (local.get $n) (local.get $bytes))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $out (i32.sub (local.get $out) (local.get $bytes)))
      (memory.copy (local.get $out) (local.get $a) (local.get $bytes))
      (local.set $a (i32.add (local.get $a) (local.get $bytes)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (local.get $to))

;; ---------------------------------------------------------------- the order of rows

(func $bytes_of (param $row i32) (result i32)
  (i32.shl (if (result i32) (i32.lt_s (local.get $row) (i32.const 0))
    (then (i32.load (i32.sub (i32.const 0) (local.get $row))))
    (else (local.get $row)))
    (i32.const 2)))

(func $less (param $a i32) (param $b i32) (param $row i32) (result i32)  ;; rows in rising order
  (local $x i32) (local $y i32)
  (if (i32.gt_s (local.get $row) (i32.const 0)) (then  ;; mostly the first words tell
    (local.set $x (i32.load (local.get $a)))
    (local.set $y (i32.load (local.get $b)))
    (if (i32.or (i32.ne (local.get $x) (local.get $y)) (i32.eq (local.get $row) (i32.const 1))) (then
      (return (i32.lt_s (local.get $x) (local.get $y)))))))
  (i32.lt_s (call $order_rows (local.get $a) (local.get $b) (local.get $row)) (i32.const 0)))

(func $same_rows (param $a i32) (param $b i32) (param $row i32) (result i32)
  (if (i32.ge_s (local.get $row) (i32.const 0)) (then
    (return (call $same_words (local.get $a) (local.get $b) (local.get $row)))))
  (i32.eqz (call $order (local.get $a) (local.get $b) (i32.sub (i32.const 0) (local.get $row)))))

;; Which of two comes first: less than 0, 0 or more than 0. The same for words, masks and lists below.
(func $order_rows (param $a i32) (param $b i32) (param $row i32) (result i32)
  (if (i32.lt_s (local.get $row) (i32.const 0)) (then
    (return (call $order (local.get $a) (local.get $b) (i32.sub (i32.const 0) (local.get $row))))))
  (call $order_words (local.get $a) (local.get $b) (local.get $row)))

;; By a shape: the words of a row, then for each of its parts what it is and a number, and 0 at the end.
;; 1: so many words. 2: a mask. 3: the address of so many words. 4: the address of a list, and its $row.
;; 5: a word that says whether there is one, then it, and its $row.
(func $order (param $a i32) (param $b i32) (param $shape i32) (result i32)
  (local $kind i32) (local $number i32) (local $found i32)
  (loop $again
    (local.set $shape (i32.add (local.get $shape) (i32.const 4)))
    (local.set $kind (i32.load (local.get $shape)))
    (if (i32.eqz (local.get $kind)) (then (return (i32.const 0))))
    (local.set $shape (i32.add (local.get $shape) (i32.const 4)))
    (local.set $number (i32.load (local.get $shape)))
    (block $next
      (if (i32.eq (local.get $kind) (i32.const 1)) (then
        (local.set $found (call $order_words (local.get $a) (local.get $b) (local.get $number)))
        (local.set $a (i32.add (local.get $a) (i32.shl (local.get $number) (i32.const 2))))
        (local.set $b (i32.add (local.get $b) (i32.shl (local.get $number) (i32.const 2))))
        (br $next)))
      (if (i32.eq (local.get $kind) (i32.const 2)) (then
        (local.set $found (call $order_masks (i64.load (local.get $a)) (i64.load (local.get $b))))
        (local.set $a (i32.add (local.get $a) (i32.const 8)))
        (local.set $b (i32.add (local.get $b) (i32.const 8)))
        (br $next)))
      (if (i32.eq (local.get $kind) (i32.const 5)) (then
        (local.set $found (i32.sub (i32.load (local.get $a)) (i32.load (local.get $b))))
        (if (i32.and (i32.eqz (local.get $found)) (i32.load (local.get $a))) (then
          (local.set $found (call $order_rows (i32.add (local.get $a) (i32.const 4))
            (i32.add (local.get $b) (i32.const 4)) (local.get $number)))))
        (local.set $kind (i32.add (call $bytes_of (local.get $number)) (i32.const 4)))
        (local.set $a (i32.add (local.get $a) (local.get $kind)))
        (local.set $b (i32.add (local.get $b) (local.get $kind)))
        (br $next)))
      (local.set $found (if (result i32) (i32.eq (local.get $kind) (i32.const 3))
        (then (call $order_words (i32.load (local.get $a)) (i32.load (local.get $b)) (local.get $number)))
        (else (call $order_lists (i32.load (local.get $a)) (i32.load (local.get $b)) (local.get $number)))))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (local.set $b (i32.add (local.get $b) (i32.const 4))))
    (br_if $again (i32.eqz (local.get $found))))
  (local.get $found))

(func $order_words (param $a i32) (param $b i32) (param $n i32) (result i32)
  (local $x i32) (local $y i32)
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (i32.mul (local.get $n) (i32.const 4)))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $x (i32.load (local.get $a)))
      (local.set $y (i32.load (local.get $b)))
      (if (i32.ne (local.get $x) (local.get $y)) (then
        (return (select (i32.const -1) (i32.const 1) (i32.lt_s (local.get $x) (local.get $y))))))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (local.set $b (i32.add (local.get $b) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (i32.const 0))

;; Masks go by their members, from the least on: up to the first that only one of them has, they are alike. Whoever has
;; it comes first, unless the other has no more members at all.
(func $order_masks (param $x i64) (param $y i64) (result i32)
  (local $first i64) (local $in_x i32)
  (if (i64.eq (local.get $x) (local.get $y)) (then (return (i32.const 0))))
  (local.set $first (i64.ctz (i64.xor (local.get $x) (local.get $y))))
  (local.set $in_x (i32.wrap_i64 (i64.and (i64.shr_u (local.get $x) (local.get $first)) (i64.const 1))))
  (if (result i32) (i64.eqz (i64.shr_u
        (select (local.get $y) (local.get $x) (local.get $in_x)) (local.get $first)))
    (then (select (i32.const 1) (i32.const -1) (local.get $in_x)))
    (else (select (i32.const -1) (i32.const 1) (local.get $in_x)))))

(func $order_lists (param $a i32) (param $b i32) (param $row i32) (result i32)
  (local $n i32) (local $bytes i32) (local $found i32) (local $x i32) (local $y i32)
  (local.set $bytes (call $bytes_of (local.get $row)))
  (local.set $n (select (i32.load (local.get $a)) (i32.load (local.get $b))
    (i32.lt_u (i32.load (local.get $a)) (i32.load (local.get $b)))))
  (if (i32.gt_u (local.get $n) (i32.const 512)) (then (call $spend (i32.mul (local.get $n) (i32.const 16)))))
  (local.set $x (i32.add (local.get $a) (i32.const 4)))
  (local.set $y (i32.add (local.get $b) (i32.const 4)))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $found (call $order_rows (local.get $x) (local.get $y) (local.get $row)))
      (if (local.get $found) (then (return (local.get $found))))
      (local.set $x (i32.add (local.get $x) (local.get $bytes)))
      (local.set $y (i32.add (local.get $y) (local.get $bytes)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (i32.sub (i32.load (local.get $a)) (i32.load (local.get $b))))

;; Where a row stands in a list in rising order, or would stand: the first place whose row is not less.
(func $place_in (param $list i32) (param $n i32) (param $at i32) (param $row i32) (result i32)
  (local $low i32) (local $high i32) (local $middle i32) (local $bytes i32)
  (local.set $high (local.get $n))
  (local.set $bytes (call $bytes_of (local.get $row)))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $low) (local.get $high)))
      (local.set $middle (i32.shr_u (i32.add (local.get $low) (local.get $high)) (i32.const 1)))
      (if (call $less
            (i32.add (i32.add (local.get $list) (i32.const 4))
              (i32.mul (local.get $middle) (local.get $bytes)))
            (local.get $at) (local.get $row))
        (then (local.set $low (i32.add (local.get $middle) (i32.const 1))))
        (else (local.set $high (local.get $middle))))
      (br $again)))
  (local.get $low))

;; A list as a set: in rising order, equal ones once. The list is changed.
(func $rising (param $list i32) (param $row i32) (result i32)
  (local $n i32) (local $i i32) (local $place i32) (local $bytes i32) (local $from i32) (local $to i32) (local $spare i32)
  (if (i32.gt_u (i32.load (local.get $list)) (i32.const 32)) (then
    (return (call $merged (local.get $list) (local.get $row)))))
  (local.set $bytes (call $bytes_of (local.get $row)))
  (local.set $spare (call $alloc (local.get $bytes)))
  (call $spend (i32.mul (i32.load (local.get $list)) (i32.const 32)))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $i) (i32.load (local.get $list))))
      (local.set $from (i32.add (i32.add (local.get $list) (i32.const 4)) (i32.mul (local.get $i) (local.get $bytes))))
      ;; Most lists are in order already, so the last row is looked at first.
      (local.set $place (local.get $n))
      (if (i32.and (i32.ne (local.get $n) (i32.const 0)) (i32.eqz (call $less
            (i32.sub (i32.add (i32.add (local.get $list) (i32.const 4)) (i32.mul (local.get $n) (local.get $bytes)))
              (local.get $bytes))
            (local.get $from) (local.get $row)))) (then
        (local.set $place (call $place_in (local.get $list) (local.get $n) (local.get $from) (local.get $row)))))
      (if (i32.and (i32.eq (local.get $place) (local.get $n)) (i32.eq (local.get $i) (local.get $n))) (then
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $again)))
      (local.set $to (i32.add (i32.add (local.get $list) (i32.const 4)) (i32.mul (local.get $place) (local.get $bytes))))
      (if (i32.or (i32.ge_u (local.get $place) (local.get $n))
                  (i32.eqz (call $same_rows (local.get $to) (local.get $from) (local.get $row)))) (then
        (call $move_words (local.get $spare) (local.get $from) (i32.shr_u (local.get $bytes) (i32.const 2)))
        (if (i32.lt_u (local.get $place) (local.get $n)) (then
          (memory.copy (i32.add (local.get $to) (local.get $bytes)) (local.get $to)
            (i32.mul (i32.sub (local.get $n) (local.get $place)) (local.get $bytes)))))
        (call $move_words (local.get $to) (local.get $spare) (i32.shr_u (local.get $bytes) (i32.const 2)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (i32.store (local.get $list) (local.get $n))
  (local.get $list))

;; The same by halves. While the second is sorted, its number stands in the last word of the first. Then the first is moved
;; aside, and the rows of both are taken in order.
(func $merged (param $list i32) (param $row i32) (result i32)
  (local $n i32) (local $bytes i32) (local $mark i32) (local $other i32) (local $last i32) (local $to i32) (local $first i32)
  (local $end i32)
  (local.set $mark (global.get $top))
  (local.set $bytes (call $bytes_of (local.get $row)))
  (local.set $n (i32.load (local.get $list)))
  (call $spend (i32.mul (local.get $n) (i32.const 16)))
  (local.set $other (i32.add (local.get $list) (i32.mul (i32.shr_u (local.get $n) (i32.const 1)) (local.get $bytes))))
  (i32.store (local.get $list) (i32.shr_u (local.get $n) (i32.const 1)))
  (drop (call $rising (local.get $list) (local.get $row)))
  (local.set $last (i32.load (local.get $other)))
  (i32.store (local.get $other) (i32.sub (local.get $n) (i32.shr_u (local.get $n) (i32.const 1))))
  (drop (call $rising (local.get $other) (local.get $row)))
  (local.set $n (i32.load (local.get $other)))
  (i32.store (local.get $other) (local.get $last))
  (local.set $other (i32.add (local.get $other) (i32.const 4)))
  (local.set $last (i32.add (local.get $other) (i32.mul (local.get $n) (local.get $bytes))))
  (local.set $to (i32.add (local.get $list) (i32.const 4)))
  (local.set $n (i32.mul (i32.load (local.get $list)) (local.get $bytes)))
  (local.set $first (call $alloc (local.get $n)))
  (local.set $end (i32.add (local.get $first) (local.get $n)))
  (memory.copy (local.get $first) (local.get $to) (local.get $n))
  (block $done
    (loop $again
      (br_if $done (i32.or (i32.eq (local.get $first) (local.get $end)) (i32.eq (local.get $other) (local.get $last))))
      (if (call $less (local.get $other) (local.get $first) (local.get $row))
        (then
          (call $move_words (local.get $to) (local.get $other) (i32.shr_u (local.get $bytes) (i32.const 2)))
          (local.set $other (i32.add (local.get $other) (local.get $bytes))))
        (else
          (if (call $same_rows (local.get $other) (local.get $first) (local.get $row)) (then
            (local.set $other (i32.add (local.get $other) (local.get $bytes)))))
          (call $move_words (local.get $to) (local.get $first) (i32.shr_u (local.get $bytes) (i32.const 2)))
          (local.set $first (i32.add (local.get $first) (local.get $bytes)))))
      (local.set $to (i32.add (local.get $to) (local.get $bytes)))
      (br $again)))
  ;; Of one of the two nothing is left.
  (local.set $n (i32.sub (local.get $end) (local.get $first)))
  (memory.copy (local.get $to) (local.get $first) (local.get $n))
  (local.set $to (i32.add (local.get $to) (local.get $n)))
  (local.set $n (i32.sub (local.get $last) (local.get $other)))
  (memory.copy (local.get $to) (local.get $other) (local.get $n))
  (local.set $to (i32.sub (i32.add (local.get $to) (local.get $n)) (i32.add (local.get $list) (i32.const 4))))
  (i32.store (local.get $list) (i32.div_u (local.get $to) (local.get $bytes)))
  (global.set $top (local.get $mark))
  (local.get $list))

;; The place of a row in a list, -1 when it is not there. Rows are told apart by their first two words first.
(func $find (param $list i32) (param $at i32) (param $row i32) (result i32)
  (local $to i32) (local $end i32) (local $bytes i32) (local $key i64)
  (local.set $bytes (call $bytes_of (local.get $row)))
  (if (i32.gt_u (i32.load (local.get $list)) (i32.const 512)) (then (call $spend (i32.mul (i32.load (local.get $list)) (i32.const 4)))))
  (local.set $to (i32.add (local.get $list) (i32.const 4)))
  (local.set $end (i32.add (local.get $to) (i32.mul (i32.load (local.get $list)) (local.get $bytes))))
  (if (i32.lt_s (local.get $row) (i32.const 0)) (then
    (loop $again
      (if (i32.ge_u (local.get $to) (local.get $end)) (then (return (i32.const -1))))
      (if (call $same_rows (local.get $to) (local.get $at) (local.get $row)) (then
        (return (i32.div_u (i32.sub (i32.sub (local.get $to) (local.get $list)) (i32.const 4)) (local.get $bytes)))))
      (local.set $to (i32.add (local.get $to) (local.get $bytes)))
      (br $again))))
  (if (i32.lt_u (local.get $row) (i32.const 2))
    (then
      (local.set $key (i64.load32_u (local.get $at)))
      (loop $again
        (if (i32.ge_u (local.get $to) (local.get $end)) (then (return (i32.const -1))))
        (if (i64.eq (i64.load32_u (local.get $to)) (local.get $key)) (then
          (return (i32.div_u (i32.sub (i32.sub (local.get $to) (local.get $list)) (i32.const 4)) (local.get $bytes)))))
        (local.set $to (i32.add (local.get $to) (local.get $bytes)))
        (br $again)))
    (else
      (local.set $key (i64.load (local.get $at)))
      (loop $again
        (if (i32.ge_u (local.get $to) (local.get $end)) (then (return (i32.const -1))))
        (if (i64.eq (i64.load (local.get $to)) (local.get $key)) (then
          (if (call $same_words (i32.add (local.get $to) (i32.const 8)) (i32.add (local.get $at) (i32.const 8))
                (i32.sub (local.get $row) (i32.const 2))) (then
            (return (i32.div_u (i32.sub (i32.sub (local.get $to) (local.get $list)) (i32.const 4)) (local.get $bytes)))))))
        (local.set $to (i32.add (local.get $to) (local.get $bytes)))
        (br $again))))
  unreachable)

;; ---------------------------------------------------------------- chance: SplitMix64, Lemire's bounded numbers

(func $next (param $at i32) (result i64)
  (local $z i64)
  (local.set $z (i64.add (i64.load (local.get $at)) (i64.const 0x9E3779B97F4A7C15)))
  (i64.store (local.get $at) (local.get $z))
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30))) (i64.const 0xBF58476D1CE4E5B9)))
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27))) (i64.const 0x94D049BB133111EB)))
  (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))

(func $below (param $at i32) (param $n i32) (result i32)
  (local $x i64) (local $m i64) (local $low i64) (local $state i64)
  (if (i32.eq (local.get $n) (i32.const 1)) (then (return (i32.const 0))))
  (local.set $m (i64.extend_i32_u (local.get $n)))
  (local.set $state (i64.load (local.get $at)))
  (loop $again
    ;; $next, written out
    (local.set $state (i64.add (local.get $state) (i64.const 0x9E3779B97F4A7C15)))
    (local.set $x (i64.mul (i64.xor (local.get $state) (i64.shr_u (local.get $state) (i64.const 30)))
      (i64.const 0xBF58476D1CE4E5B9)))
    (local.set $x (i64.mul (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27)))
      (i64.const 0x94D049BB133111EB)))
    (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))
    (local.set $low (i64.mul (local.get $x) (local.get $m)))
    ;; 2**64 mod n is below n, so it is worked out only when the low half is below n too.
    (if (i64.lt_u (local.get $low) (local.get $m)) (then
      (br_if $again (i64.lt_u (local.get $low)
        (i64.rem_u (i64.sub (i64.const 0) (local.get $m)) (local.get $m)))))))
  (i64.store (local.get $at) (local.get $state))
  (local.set $low (i64.mul (i64.and (local.get $x) (i64.const 0xFFFFFFFF)) (local.get $m)))
  (i32.wrap_i64 (i64.shr_u (i64.add (i64.mul (i64.shr_u (local.get $x) (i64.const 32)) (local.get $m))
    (i64.shr_u (local.get $low) (i64.const 32))) (i64.const 32))))

(func $scramble (param $value i64) (result i64)  ;; one output of a generator with this state
  (local.set $value (i64.add (local.get $value) (i64.const 0x9E3779B97F4A7C15)))
  (local.set $value (i64.mul (i64.xor (local.get $value) (i64.shr_u (local.get $value) (i64.const 30))) (i64.const 0xBF58476D1CE4E5B9)))
  (local.set $value (i64.mul (i64.xor (local.get $value) (i64.shr_u (local.get $value) (i64.const 27))) (i64.const 0x94D049BB133111EB)))
  (i64.xor (local.get $value) (i64.shr_u (local.get $value) (i64.const 31))))

(func $shuffle (param $list i32) (result i32)  ;; one word a member; whether the order changed
  (local $i i32) (local $j i32) (local $x i32) (local $y i32) (local $before i32)
  (local $state i64) (local $z i64) (local $m i64) (local $low i64)
  (local.set $before (call $copy_list (local.get $list) (i32.const 1)))
  (local.set $i (i32.sub (i32.load (local.get $list)) (i32.const 1)))
  (if (i32.gt_s (local.get $i) (i32.const 64)) (then (call $spend (i32.mul (local.get $i) (i32.const 24)))))
  (local.set $state (i64.load (i32.const @CHANCE)))
  (block $done
    (loop $again
      (br_if $done (i32.le_s (local.get $i) (i32.const 0)))
      ;; $below, written out
      (local.set $m (i64.extend_i32_u (i32.add (local.get $i) (i32.const 1))))
      (loop $draw
        (local.set $state (i64.add (local.get $state) (i64.const 0x9E3779B97F4A7C15)))
        (local.set $z (i64.mul (i64.xor (local.get $state) (i64.shr_u (local.get $state) (i64.const 30)))
          (i64.const 0xBF58476D1CE4E5B9)))
        (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27)))
          (i64.const 0x94D049BB133111EB)))
        (local.set $z (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))
        (local.set $low (i64.mul (local.get $z) (local.get $m)))
        (if (i64.lt_u (local.get $low) (local.get $m)) (then
          (br_if $draw (i64.lt_u (local.get $low)
            (i64.rem_u (i64.sub (i64.const 0) (local.get $m)) (local.get $m)))))))
      (local.set $low (i64.mul (i64.and (local.get $z) (i64.const 0xFFFFFFFF)) (local.get $m)))
      (local.set $j (i32.add (local.get $list) (i32.shl
        (i32.wrap_i64 (i64.shr_u (i64.add (i64.mul (i64.shr_u (local.get $z) (i64.const 32)) (local.get $m))
          (i64.shr_u (local.get $low) (i64.const 32))) (i64.const 32)))
        (i32.const 2))))
      (local.set $x (i32.load offset=4 (local.get $j)))
      (local.set $y (i32.add (local.get $list) (i32.shl (local.get $i) (i32.const 2))))
      (i32.store offset=4 (local.get $j) (i32.load offset=4 (local.get $y)))
      (i32.store offset=4 (local.get $y) (local.get $x))
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))
      (br $again)))
  (i64.store (i32.const @CHANCE) (local.get $state))
  (local.set $x (i32.eqz (call $same_list (local.get $list) (local.get $before) (i32.const 1))))
  (global.set $top (local.get $before))
  (local.get $x))

(func $drawn (param $counts i32) (param $n i32) (result i32)  ;; the place of the kind of one piece
  (local $place i32) (local $kind i32)
  (local.set $place (call $below (i32.const @CHANCE) (call $sum_words (local.get $counts) (local.get $n))))
  (loop $again
    (if (i32.lt_s (local.get $place) (i32.load (local.get $counts))) (then (return (local.get $kind))))
    (local.set $place (i32.sub (local.get $place) (i32.load (local.get $counts))))
    (local.set $counts (i32.add (local.get $counts) (i32.const 4)))
    (local.set $kind (i32.add (local.get $kind) (i32.const 1)))
    (br $again))
  unreachable)

;; The next outcome that is fixed. -1: there are no more, and chance goes on; -2: whoever fixed them must say.
(func $fixed (result i32)
  (local $left i32) (local $at i32)
  (local.set $left (i32.load offset=@FIXED_LEFT (i32.const @SCRATCH)))
  (if (i32.eqz (local.get $left)) (then
    (return (select (i32.const -1) (i32.const -2) (i32.load offset=@FIXED_ENDS (i32.const @SCRATCH))))))
  (i32.store offset=@FIXED_LEFT (i32.const @SCRATCH) (i32.sub (local.get $left) (i32.const 1)))
  (local.set $at (i32.load offset=@FIXED_NEXT (i32.const @SCRATCH)))
  (i32.store offset=@FIXED_NEXT (i32.const @SCRATCH) (i32.add (local.get $at) (i32.const 4)))
  (i32.load (local.get $at)))

;; ---------------------------------------------------------------- pieces

(func $add_pieces (param $a i32) (param $b i32) (param $n i32) (result i32)
  (local $to i32) (local $i i32)
  (local.set $to (call $alloc (i32.shl (local.get $n) (i32.const 2))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (i32.store (i32.add (local.get $to) (local.get $i))
        (call $at_most (i64.add (i64.load32_u (i32.add (local.get $a) (local.get $i)))
                                (i64.load32_u (i32.add (local.get $b) (local.get $i))))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (local.get $to))

(func $sub_pieces (param $a i32) (param $b i32) (param $n i32) (result i32)
  (local $to i32) (local $i i32) (local $x i32)
  (local.set $to (call $alloc (i32.shl (local.get $n) (i32.const 2))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $x
        (i32.sub (i32.load (i32.add (local.get $a) (local.get $i))) (i32.load (i32.add (local.get $b) (local.get $i)))))
      (i32.store (i32.add (local.get $to) (local.get $i))
        (select (local.get $x) (i32.const 0) (i32.gt_s (local.get $x) (i32.const 0))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (local.get $to))

(func $scale_pieces (param $number i32) (param $a i32) (param $n i32) (result i32)
  (local $to i32) (local $i i32)
  (local.set $number (select (local.get $number) (i32.const 0) (i32.gt_s (local.get $number) (i32.const 0))))
  (local.set $to (call $alloc (i32.shl (local.get $n) (i32.const 2))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (i32.store (i32.add (local.get $to) (local.get $i))
        (call $at_most (i64.mul (i64.extend_i32_u (local.get $number))
                                (i64.load32_u (i32.add (local.get $a) (local.get $i))))))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (local.get $to))

;; Writes as many words as the counts say to $to, each its kind; the kinds are numbered from $low on.
(func $spread_to (param $a i32) (param $n i32) (param $low i32) (param $to i32)
  (local $count i32) (local $end i32)
  (local.set $end (i32.add (local.get $a) (i32.shl (local.get $n) (i32.const 2))))
  (block $done
    (loop $again
      (block $skipped  ;; four kinds of which there are none
        (loop $fours
          (br_if $skipped (i32.gt_u (i32.add (local.get $a) (i32.const 16)) (local.get $end)))
          (br_if $skipped (v128.any_true (v128.load (local.get $a))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $low (i32.add (local.get $low) (i32.const 4)))
          (br $fours)))
      (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
      (local.set $n (i32.const 0))  ;; at most four kinds, one by one
      (loop $kinds
        (local.set $count (i32.load (local.get $a)))
        (if (i32.gt_s (local.get $count) (i32.const 512)) (then (call $spend (i32.mul (local.get $count) (i32.const 4)))))
        (block $next
          (loop $more
            (br_if $next (i32.le_s (local.get $count) (i32.const 0)))
            (i32.store (local.get $to) (local.get $low))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (local.set $count (i32.sub (local.get $count) (i32.const 1)))
            (br $more)))
        (local.set $a (i32.add (local.get $a) (i32.const 4)))
        (local.set $low (i32.add (local.get $low) (i32.const 1)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if $kinds (i32.and (i32.lt_u (local.get $n) (i32.const 4)) (i32.lt_u (local.get $a) (local.get $end)))))
      (br $again))))

;; Which of at most 64 words are more than so much, as a mask; four words at a time.
(func $above (param $a i32) (param $n i32) (param $than i32) (result i64)
  (local $many v128) (local $mask i64) (local $i i32)
  (local.set $many (i32x4.splat (local.get $than)))
  (block $fours
    (loop $again
      (br_if $fours (i32.gt_u (i32.add (local.get $i) (i32.const 4)) (local.get $n)))
      (local.set $mask (i64.or (local.get $mask) (i64.shl
        (i64.extend_i32_u (i32x4.bitmask (i32x4.gt_s (v128.load (local.get $a)) (local.get $many))))
        (i64.extend_i32_u (local.get $i)))))
      (local.set $a (i32.add (local.get $a) (i32.const 16)))
      (local.set $i (i32.add (local.get $i) (i32.const 4)))
      (br $again)))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
      (local.set $mask (i64.or (local.get $mask) (i64.shl
        (i64.extend_i32_u (i32.gt_s (i32.load (local.get $a)) (local.get $than)))
        (i64.extend_i32_u (local.get $i)))))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (local.get $mask))

;; Adds words to others.
(func $add_to (param $to i32) (param $from i32) (param $n i32)
  (local $end i32)
  (local.set $end (i32.add (local.get $to) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 2))))
  (block $fours
    (loop $again
      (br_if $fours (i32.ge_u (local.get $to) (local.get $end)))
      (v128.store (local.get $to) (i32x4.add (v128.load (local.get $to)) (v128.load (local.get $from))))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br $again)))
  (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 2))))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $to) (local.get $end)))
      (i32.store (local.get $to) (i32.add (i32.load (local.get $to)) (i32.load (local.get $from))))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br $again))))

(func $spread (param $a i32) (param $n i32) (param $low i32) (result i32)
  (local $from i32) (local $count i32)
  (local.set $from (global.get $build))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $count (i32.load (local.get $a)))
      (if (i32.gt_s (local.get $count) (i32.const 512)) (then (call $spend (i32.mul (local.get $count) (i32.const 8)))))
      (block $next
        (loop $more
          (br_if $next (i32.le_s (local.get $count) (i32.const 0)))
          (i32.store (call $grow (i32.const 4)) (local.get $low))
          (local.set $count (i32.sub (local.get $count) (i32.const 1)))
          (br $more)))
      (local.set $a (i32.add (local.get $a) (i32.const 4)))
      (local.set $low (i32.add (local.get $low) (i32.const 1)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (call $built (local.get $from) (i32.const 4)))

;; Whether $cost can be paid from $held; $rate pieces of other kinds stand for a missing one, 0: none can.
(func $covers (param $held i32) (param $cost i32) (param $n i32) (param $rate i32) (result i32)
  (local $missing i64) (local $surplus i64) (local $x i64)
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $x (i64.sub (i64.load32_u (local.get $held)) (i64.load32_u (local.get $cost))))
      (if (i64.lt_s (local.get $x) (i64.const 0))
        (then (local.set $missing (i64.sub (local.get $missing) (local.get $x))))
        (else (local.set $surplus (i64.add (local.get $surplus) (local.get $x)))))
      (local.set $held (i32.add (local.get $held) (i32.const 4)))
      (local.set $cost (i32.add (local.get $cost) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (i32.or (i64.eqz (local.get $missing))
    (i32.and (i32.gt_s (local.get $rate) (i32.const 0))
      (i64.ge_s (local.get $surplus) (i64.mul (i64.extend_i32_u (local.get $rate)) (local.get $missing))))))

;; The first bundle of $number pieces within the limits, the least in rising order; 0 when there is none.
;; What comes before place $from stays as it is.
(func $first_bundle (param $limits i32) (param $n i32) (param $from i32) (param $number i32) (param $to i32) (result i32)
  (local $i i32) (local $x i32)
  ;; All that can be is left to the last kinds.
  (local.set $i (local.get $n))
  (block $done
    (loop $again
      (br_if $done (i32.le_s (local.get $i) (local.get $from)))
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))
      (local.set $x (i32.load (i32.add (local.get $limits) (i32.shl (local.get $i) (i32.const 2)))))
      (if (i32.gt_s (local.get $x) (local.get $number)) (then (local.set $x (local.get $number))))
      (i32.store (i32.add (local.get $to) (i32.shl (local.get $i) (i32.const 2))) (local.get $x))
      (local.set $number (i32.sub (local.get $number) (local.get $x)))
      (br $again)))
  (i32.eqz (local.get $number)))

;; The next bundle of as many pieces in rising order; 0 after the last.
(func $next_bundle (param $limits i32) (param $n i32) (param $to i32) (result i32)
  (local $i i32) (local $free i32) (local $at i32)
  ;; From the end: the last place before some pieces that can take one more.
  (local.set $i (local.get $n))
  (loop $again
    (if (i32.eqz (local.get $i)) (then (return (i32.const 0))))
    (local.set $i (i32.sub (local.get $i) (i32.const 1)))
    (local.set $at (i32.add (local.get $to) (i32.shl (local.get $i) (i32.const 2))))
    (if (i32.and (i32.gt_s (local.get $free) (i32.const 0))
                 (i32.lt_s (i32.load (local.get $at))
                           (i32.load (i32.add (local.get $limits) (i32.shl (local.get $i) (i32.const 2)))))) (then
      (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
      (return (call $first_bundle (local.get $limits) (local.get $n) (i32.add (local.get $i) (i32.const 1))
        (i32.sub (local.get $free) (i32.const 1)) (local.get $to)))))
    (local.set $free (i32.add (local.get $free) (i32.load (local.get $at))))
    (br $again))
  unreachable)

;; Every choice of $number pieces out of $held, as a list of rows of $n words.
(func $bundles (param $held i32) (param $n i32) (param $number i32) (result i32)
  (local $from i32) (local $row i32) (local $bytes i32)
  (local.set $from (global.get $build))
  (local.set $bytes (i32.shl (local.get $n) (i32.const 2)))
  (local.set $row (call $alloc (local.get $bytes)))
  (if (i32.and (i32.ge_s (local.get $number) (i32.const 0))
               (call $first_bundle (local.get $held) (local.get $n) (i32.const 0) (local.get $number) (local.get $row))) (then
    (loop $again
      (call $spend (i32.mul (local.get $n) (i32.const 8)))
      (memory.copy (call $push (local.get $from) (local.get $bytes)) (local.get $row) (local.get $bytes))
      (br_if $again (call $next_bundle (local.get $held) (local.get $n) (local.get $row))))))
  (call $built (local.get $from) (local.get $bytes)))

;; How many bundles there are, in a table with a row for each kind of which there is a piece, and one more: in how many
;; ways can 0, 1, ... $number pieces be taken of the kinds from there on? $most stands for any number that is no less.
;; Before it: the number of rows less one, $number, the address of the table, how many bundles there are, the kinds.
(func $bundle_table (param $held i32) (param $n i32) (param $number i32) (param $most i32) (result i32)
  (local $at i32) (local $m i32) (local $i i32) (local $bytes i32) (local $row i32) (local $j i32) (local $t i32)
  (local $x i32) (local $sum i32)
  (local.set $at (call $alloc (i32.add (i32.shl (local.get $n) (i32.const 2)) (i32.const 16))))
  (block $done
    (loop $each
      (br_if $done (i32.ge_s (local.get $i) (local.get $n)))
      (if (i32.gt_s (i32.load (i32.add (local.get $held) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 0)) (then
        (i32.store offset=16 (i32.add (local.get $at) (i32.shl (local.get $m) (i32.const 2))) (local.get $i))
        (local.set $m (i32.add (local.get $m) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each)))
  (local.set $bytes (i32.shl (i32.add (local.get $number) (i32.const 1)) (i32.const 2)))
  (local.set $row (call $alloc (i32.mul (local.get $bytes) (i32.add (local.get $m) (i32.const 1)))))
  (i32.store (local.get $at) (local.get $m))
  (i32.store offset=4 (local.get $at) (local.get $number))
  (i32.store offset=8 (local.get $at) (local.get $row))
  ;; Of no kind, nothing can be taken, in one way.
  (local.set $row (i32.add (local.get $row) (i32.mul (local.get $bytes) (local.get $m))))
  (memory.fill (local.get $row) (i32.const 0) (local.get $bytes))
  (i32.store (local.get $row) (i32.const 1))
  (block $done
    (loop $each
      (br_if $done (i32.eqz (local.get $m)))
      (local.set $m (i32.sub (local.get $m) (i32.const 1)))
      (local.set $row (i32.sub (local.get $row) (local.get $bytes)))
      (local.set $x (i32.load (i32.add (local.get $held)
        (i32.shl (i32.load offset=16 (i32.add (local.get $at) (i32.shl (local.get $m) (i32.const 2)))) (i32.const 2)))))
      (local.set $j (i32.const 0))
      (loop $further
        (local.set $sum (i32.const 0))
        (call $spend (i32.add (i32.shl (select (local.get $j) (local.get $x) (i32.lt_s (local.get $j) (local.get $x)))
          (i32.const 3)) (i32.const 16)))
        (local.set $t (i32.const 0))
        (loop $taken
          (local.set $sum (i32.add (local.get $sum) (i32.load (i32.add (i32.add (local.get $row) (local.get $bytes))
            (i32.shl (i32.sub (local.get $j) (local.get $t)) (i32.const 2))))))
          (if (i32.gt_u (local.get $sum) (local.get $most)) (then (local.set $sum (local.get $most))))
          (local.set $t (i32.add (local.get $t) (i32.const 1)))
          (br_if $taken (i32.and (i32.le_s (local.get $t) (local.get $j)) (i32.le_s (local.get $t) (local.get $x)))))
        (i32.store (i32.add (local.get $row) (i32.shl (local.get $j) (i32.const 2))) (local.get $sum))
        (local.set $j (i32.add (local.get $j) (i32.const 1)))
        (br_if $further (i32.le_s (local.get $j) (local.get $number))))
      (br $each)))
  (i32.store offset=12 (local.get $at)
    (i32.load (i32.add (local.get $row) (i32.shl (local.get $number) (i32.const 2)))))
  (local.get $at))

;; Bundle number $r in rising order, from 0 on, by the table at $at: counts of $n kinds.
(func $bundle_at (param $at i32) (param $n i32) (param $r i32) (result i32)
  (local $to i32) (local $i i32) (local $left i32) (local $bytes i32) (local $row i32) (local $t i32) (local $x i32)
  (local.set $to (call $zeroes (local.get $n)))
  (local.set $left (i32.load offset=4 (local.get $at)))
  (local.set $bytes (i32.shl (i32.add (local.get $left) (i32.const 1)) (i32.const 2)))
  (local.set $row (i32.load offset=8 (local.get $at)))
  (block $done
    (loop $each
      (br_if $done (i32.ge_s (local.get $i) (i32.load (local.get $at))))
      (local.set $row (i32.add (local.get $row) (local.get $bytes)))
      (local.set $t (i32.const 0))
      (block $found
        (loop $more
          (local.set $x (i32.load (i32.add (local.get $row)
            (i32.shl (i32.sub (local.get $left) (local.get $t)) (i32.const 2)))))
          (br_if $found (i32.lt_u (local.get $r) (local.get $x)))
          (local.set $r (i32.sub (local.get $r) (local.get $x)))
          (local.set $t (i32.add (local.get $t) (i32.const 1)))
          (br_if $more (i32.le_s (local.get $t) (local.get $left)))))
      (i32.store (i32.add (local.get $to)
        (i32.shl (i32.load offset=16 (i32.add (local.get $at) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 2)))
        (local.get $t))
      (local.set $left (i32.sub (local.get $left) (local.get $t)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each)))
  (local.get $to))

;; Offers every bundle that pays $cost: the direct one, then by the number of pieces replaced, then in rising order.
;; See ``plans`` of the reference engine for why this is right. Of each kind and each number of it that may be paid, the
;; least and the most that can be paid directly are worked out first; a bundle counts when the sums allow what is asked.
(global $p_n (mut i32) (i32.const 0))
(global $p_limits (mut i32) (i32.const 0))
(global $p_rest (mut i32) (i32.const 0))   ;; of each kind, how many pieces the kinds from it on allow
(global $p_ranges (mut i32) (i32.const 0)) ;; of each kind, the address of its pairs
(global $p_row (mut i32) (i32.const 0))
(global $p_direct (mut i32) (i32.const 0)) ;; how many pieces are paid directly
(global $p_start (mut i32) (i32.const 0))
(global $p_once (mut i32) (i32.const 0))

(func $plans (param $held i32) (param $cost i32) (param $n i32) (param $rate i32)
  (local $bytes i32) (local $asked i32) (local $all i32) (local $missing i32) (local $total i32)
  (local $i i32) (local $x i32) (local $y i32) (local $mark i32)
  (local.set $mark (global.get $top))
  (local.set $bytes (i32.shl (local.get $n) (i32.const 2)))
  (global.set $p_start (global.get $offers))
  (if (call $covers (local.get $held) (local.get $cost) (local.get $n) (i32.const 0)) (then
    (memory.copy (call $offer (local.get $bytes)) (local.get $cost) (local.get $bytes))))
  (if (i32.le_s (local.get $rate) (i32.const 0)) (then (return)))
  (local.set $asked (call $sum_words (local.get $cost) (local.get $n)))
  (local.set $all (call $sum_words (local.get $held) (local.get $n)))
  (global.set $p_n (local.get $n))
  (global.set $p_once (i32.eq (local.get $rate) (i32.const 1)))
  (global.set $p_limits (call $alloc (local.get $bytes)))
  (global.set $p_rest (call $alloc (i32.add (local.get $bytes) (i32.const 4))))
  (global.set $p_ranges (call $alloc (local.get $bytes)))
  (global.set $p_row (call $alloc (local.get $bytes)))
  (block $done
    (loop $again
      (local.set $missing (i32.add (local.get $missing) (i32.const 1)))
      (call $spend (i32.mul (local.get $n) (i32.const 32)))
      (br_if $done (i32.gt_s (local.get $missing) (local.get $asked)))
      (local.set $total (i32.add (local.get $asked)
        (i32.mul (i32.sub (local.get $rate) (i32.const 1)) (local.get $missing))))
      (br_if $done (i32.gt_s (local.get $total) (local.get $all)))
      (global.set $p_direct (i32.sub (local.get $asked) (local.get $missing)))
      (local.set $i (local.get $bytes))
      (i32.store (i32.add (global.get $p_rest) (local.get $i)) (i32.const 0))
      (loop $each
        (local.set $i (i32.sub (local.get $i) (i32.const 4)))
        (local.set $x (i32.load (i32.add (local.get $held) (local.get $i))))
        (local.set $y (i32.add (i32.load (i32.add (local.get $cost) (local.get $i)))
          (i32.mul (local.get $rate) (local.get $missing))))
        (local.set $x (select (local.get $x) (local.get $y) (i32.lt_s (local.get $x) (local.get $y))))
        (i32.store (i32.add (global.get $p_limits) (local.get $i)) (local.get $x))
        (i32.store (i32.add (global.get $p_rest) (local.get $i))
          (i32.add (local.get $x) (i32.load offset=4 (i32.add (global.get $p_rest) (local.get $i)))))
        (i32.store (i32.add (global.get $p_ranges) (local.get $i))
          (call $ranges (local.get $x) (i32.load (i32.add (local.get $cost) (local.get $i)))
            (local.get $rate) (local.get $missing)))
        (br_if $each (local.get $i)))
      (if (i32.le_s (local.get $total) (i32.load (global.get $p_rest))) (then
        (call $pay_from (i32.const 0) (local.get $total) (i32.const 0) (i32.const 0))))
      (br $again)))
  (global.set $top (local.get $mark)))

;; For every number up to the limit that may be paid of a kind: the least and the most of it that is paid directly.
(func $ranges (param $limit i32) (param $wanted i32) (param $rate i32) (param $missing i32) (result i32)
  (local $at i32) (local $to i32) (local $paid i32) (local $low i32) (local $x i32)
  (if (i32.gt_u (local.get $limit) (i32.const 64)) (then (call $spend (i32.mul (local.get $limit) (i32.const 16)))))
  (local.set $at (call $alloc (i32.shl (i32.add (local.get $limit) (i32.const 1)) (i32.const 3))))
  (local.set $to (local.get $at))
  (loop $again
    ;; the least: 0, wanted - missing, or ceil((paid - rate (missing - wanted)) / (rate + 1))
    (local.set $low (i32.sub (local.get $wanted) (local.get $missing)))
    (local.set $low (select (local.get $low) (i32.const 0) (i32.gt_s (local.get $low) (i32.const 0))))
    (local.set $x (i32.sub (local.get $paid)
      (i32.mul (local.get $rate) (i32.sub (local.get $missing) (local.get $wanted)))))
    (if (i32.gt_s (local.get $x) (i32.const 0)) (then
      (local.set $x (i32.div_u (i32.add (local.get $x) (local.get $rate)) (i32.add (local.get $rate) (i32.const 1))))
      (local.set $low (select (local.get $x) (local.get $low) (i32.gt_s (local.get $x) (local.get $low))))))
    (i32.store (local.get $to) (local.get $low))
    (i32.store offset=4 (local.get $to)
      (select (local.get $wanted) (local.get $paid) (i32.lt_s (local.get $wanted) (local.get $paid))))
    (local.set $to (i32.add (local.get $to) (i32.const 8)))
    (local.set $paid (i32.add (local.get $paid) (i32.const 1)))
    (br_if $again (i32.le_s (local.get $paid) (local.get $limit))))
  (local.get $at))

(func $offer_payment
  (local $bytes i32)
  (local.set $bytes (i32.shl (global.get $p_n) (i32.const 2)))
  (call $move_words (call $offer (local.get $bytes)) (global.get $p_row) (global.get $p_n))
  (if (global.get $p_once) (then (call $once (global.get $p_start) (local.get $bytes) (global.get $p_n)))))

(func $pay_from (param $kind i32) (param $left i32) (param $least i32) (param $most i32)
  (local $x i32) (local $end i32) (local $at i32) (local $i i32) (local $low i32) (local $high i32)
  (local.set $i (i32.shl (local.get $kind) (i32.const 2)))
  (local.set $x (i32.sub (local.get $left) (i32.load offset=4 (i32.add (global.get $p_rest) (local.get $i)))))
  (local.set $x (select (local.get $x) (i32.const 0) (i32.gt_s (local.get $x) (i32.const 0))))
  (local.set $end (i32.load (i32.add (global.get $p_limits) (local.get $i))))
  (local.set $end (select (local.get $end) (local.get $left) (i32.lt_s (local.get $end) (local.get $left))))
  (block $done
    (loop $again
      (br_if $done (i32.gt_s (local.get $x) (local.get $end)))
      (call $spend (i32.const 32))
      (local.set $at (i32.add (i32.load (i32.add (global.get $p_ranges) (local.get $i)))
        (i32.shl (local.get $x) (i32.const 3))))
      (local.set $low (i32.load (local.get $at)))
      (local.set $high (i32.load offset=4 (local.get $at)))
      (if (i32.and (i32.le_s (local.get $low) (local.get $high))
                   (i32.le_s (i32.add (local.get $least) (local.get $low)) (global.get $p_direct))) (then
        (i32.store (i32.add (global.get $p_row) (local.get $i)) (local.get $x))
        (if (i32.eq (i32.add (local.get $kind) (i32.const 2)) (global.get $p_n))
          (then  ;; the last kind takes what is left, which is no more than it allows
            (local.set $at (i32.add (i32.load offset=4 (i32.add (global.get $p_ranges) (local.get $i)))
              (i32.shl (i32.sub (local.get $left) (local.get $x)) (i32.const 3))))
            (local.set $low (i32.add (local.get $low) (i32.load (local.get $at))))
            (if (i32.and
                  (i32.le_s (i32.load (local.get $at)) (i32.load offset=4 (local.get $at)))
                  (i32.and
                    (i32.le_s (i32.add (local.get $least) (local.get $low)) (global.get $p_direct))
                    (i32.ge_s (i32.add (i32.add (local.get $most) (local.get $high)) (i32.load offset=4 (local.get $at)))
                              (global.get $p_direct)))) (then
              (i32.store offset=4 (i32.add (global.get $p_row) (local.get $i)) (i32.sub (local.get $left) (local.get $x)))
              (call $offer_payment))))
          (else (if (i32.lt_s (i32.add (local.get $kind) (i32.const 1)) (global.get $p_n))
            (then (call $pay_from (i32.add (local.get $kind) (i32.const 1)) (i32.sub (local.get $left) (local.get $x))
              (i32.add (local.get $least) (local.get $low)) (i32.add (local.get $most) (local.get $high))))
            (else (if (i32.ge_s (i32.add (local.get $most) (local.get $high)) (global.get $p_direct)) (then
              (call $offer_payment)))))))))
      (local.set $x (i32.add (local.get $x) (i32.const 1)))
      (br $again))))

;; ---------------------------------------------------------------- payments by any exchanges

;; All bundles that pay $cost but for $less of its pieces: a list of rows, the number of pieces beyond the cost and the
;; counts, rising.
;; See ``plans_by`` of interpreter/evaluation/payments.py. $table: for each of $m exchanges its number, then a mark for
;; each kind that is given, then one for each kind that may be due.
(func $payments (param $held i32) (param $cost i32) (param $n i32) (param $table i32) (param $m i32) (param $less i32)
    (result i32)
  (local $mark i32) (local $list i32) (local $kind i32) (local $number i32) (local $bytes i32) (local $from i32)
  (local $at i32) (local $end i32) (local $total i32)
  (local.set $mark (global.get $top))
  (local.set $bytes (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 2)))
  (local.set $total (call $sum_words (local.get $cost) (local.get $n)))
  (if (i32.lt_s (local.get $less) (i32.const 0)) (then (local.set $less (i32.const 0))))
  (if (i32.gt_s (local.get $less) (local.get $total)) (then (local.set $less (local.get $total))))
  (local.set $from (global.get $build))
  (if (i32.gt_s (i32.sub (local.get $total) (local.get $less)) (call $sum_words (local.get $held) (local.get $n))) (then
    (return (call $built (local.get $from) (local.get $bytes)))))
  ;; The first word of a row is the number of pieces left out, until all are settled.
  (memory.fill (call $grow (local.get $bytes)) (i32.const 0) (local.get $bytes))
  (local.set $list (call $built (local.get $from) (local.get $bytes)))
  (loop $each
    (local.set $number (i32.load (i32.add (local.get $cost) (i32.shl (local.get $kind) (i32.const 2)))))
    (block $settled
      (loop $piece
        (br_if $settled (i32.le_s (local.get $number) (i32.const 0)))
        (local.set $number (i32.sub (local.get $number) (i32.const 1)))
        (local.set $from (global.get $build))
        (local.set $at (i32.add (local.get $list) (i32.const 4)))
        (local.set $end (i32.add (local.get $at) (i32.mul (i32.load (local.get $list)) (local.get $bytes))))
        (block $all
          (loop $row
            (br_if $all (i32.ge_u (local.get $at) (local.get $end)))
            (call $settle (local.get $at) (local.get $held) (local.get $n) (local.get $kind) (local.get $table)
              (local.get $m) (local.get $less))
            (local.set $at (i32.add (local.get $at) (local.get $bytes)))
            (br $row)))
        (local.set $list (call $kept_at (local.get $mark)
          (call $rising (call $built (local.get $from) (local.get $bytes)) (i32.add (local.get $n) (i32.const 1)))
          (local.get $bytes)))
        (if (i32.gt_u (i32.load (local.get $list)) (i32.const @MOST_OPTIONS)) (then
          (call $fault (i32.const -2) (i32.const 0) (i32.const 0) (i32.const 0))))
        (br $piece)))
    (local.set $kind (i32.add (local.get $kind) (i32.const 1)))
    (br_if $each (i32.lt_s (local.get $kind) (local.get $n))))
  (local.set $from (global.get $build))
  (local.set $at (i32.add (local.get $list) (i32.const 4)))
  (local.set $end (i32.add (local.get $at) (i32.mul (i32.load (local.get $list)) (local.get $bytes))))
  (block $all
    (loop $row
      (br_if $all (i32.ge_u (local.get $at) (local.get $end)))
      (if (i32.eq (i32.load (local.get $at)) (local.get $less)) (then
        (i32.store (local.get $at) (call $beyond (i32.add (local.get $at) (i32.const 4)) (local.get $cost) (local.get $n)))
        (memory.copy (call $grow (local.get $bytes)) (local.get $at) (local.get $bytes))))
      (local.set $at (i32.add (local.get $at) (local.get $bytes)))
      (br $row)))
  (call $kept_at (local.get $mark)
    (call $rising (call $built (local.get $from) (local.get $bytes)) (i32.add (local.get $n) (i32.const 1)))
    (local.get $bytes)))

;; The list, moved down to where the arena was; what is behind it is given up.
(func $kept_at (param $mark i32) (param $list i32) (param $bytes i32) (result i32)
  (local $size i32) (local $to i32)
  (local.set $size (i32.add (i32.mul (i32.load (local.get $list)) (local.get $bytes)) (i32.const 4)))
  (global.set $top (local.get $mark))
  (local.set $to (call $alloc (local.get $size)))
  (memory.copy (local.get $to) (local.get $list) (local.get $size))
  (local.get $to))

;; The ways to settle one more piece of a kind after the row at $at: rows in the build region.
(func $settle (param $at i32) (param $held i32) (param $n i32) (param $kind i32) (param $table i32) (param $m i32)
    (param $less i32)
  (local $bytes i32) (local $to i32) (local $mark i32) (local $free i32) (local $more i32) (local $i i32) (local $x i32)
  (call $spend (i32.mul (i32.mul (local.get $n) (i32.add (local.get $m) (i32.const 1))) (i32.const 16)))
  (local.set $bytes (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 2)))
  (local.set $kind (i32.shl (local.get $kind) (i32.const 2)))
  (if (i32.lt_s (i32.load (local.get $at)) (local.get $less)) (then
    (local.set $to (call $grow (local.get $bytes)))
    (memory.copy (local.get $to) (local.get $at) (local.get $bytes))
    (i32.store (local.get $to) (i32.add (i32.load (local.get $to)) (i32.const 1)))))
  (if (i32.lt_s (i32.load offset=4 (i32.add (local.get $at) (local.get $kind)))
                (i32.load (i32.add (local.get $held) (local.get $kind)))) (then
    (local.set $to (call $grow (local.get $bytes)))
    (memory.copy (local.get $to) (local.get $at) (local.get $bytes))
    (local.set $to (i32.add (local.get $to) (local.get $kind)))
    (i32.store offset=4 (local.get $to) (i32.add (i32.load offset=4 (local.get $to)) (i32.const 1)))))
  (local.set $mark (global.get $top))
  (local.set $free (call $alloc (local.get $bytes)))
  (local.set $more (call $alloc (local.get $bytes)))
  (block $done
    (loop $exchange
      (br_if $done (i32.eqz (local.get $m)))
      (local.set $m (i32.sub (local.get $m) (i32.const 1)))
      (if (i32.load (i32.add (i32.add (local.get $table) (local.get $kind)) (local.get $bytes))) (then
        ;; what is free of the kinds that may stand for it
        (local.set $i (i32.const 0))
        (loop $kinds
          (local.set $x (i32.mul
            (i32.sub (i32.load (i32.add (local.get $held) (local.get $i)))
                     (i32.load offset=4 (i32.add (local.get $at) (local.get $i))))
            (i32.load offset=4 (i32.add (local.get $table) (local.get $i)))))
          (i32.store (i32.add (local.get $free) (local.get $i))
            (select (i32.const 0) (local.get $x) (i32.eq (local.get $i) (local.get $kind))))
          (local.set $i (i32.add (local.get $i) (i32.const 4)))
          (br_if $kinds (i32.lt_u (i32.add (local.get $i) (i32.const 4)) (local.get $bytes))))
        (if (call $first_bundle (local.get $free) (local.get $n) (i32.const 0) (i32.load (local.get $table))
              (local.get $more)) (then
          (loop $bundle
            (call $spend (i32.mul (local.get $n) (i32.const 16)))
            (local.set $to (call $grow (local.get $bytes)))
            (memory.copy (local.get $to) (local.get $at) (local.get $bytes))
            (local.set $i (i32.const 0))
            (loop $kinds
              (local.set $x (i32.add (local.get $to) (local.get $i)))
              (i32.store offset=4 (local.get $x) (i32.add (i32.load offset=4 (local.get $x))
                (i32.load (i32.add (local.get $more) (local.get $i)))))
              (local.set $i (i32.add (local.get $i) (i32.const 4)))
              (br_if $kinds (i32.lt_u (i32.add (local.get $i) (i32.const 4)) (local.get $bytes))))
            (br_if $bundle (call $next_bundle (local.get $free) (local.get $n) (local.get $more))))))))
      (local.set $table (i32.add (local.get $table)
        (i32.add (local.get $bytes) (i32.sub (local.get $bytes) (i32.const 4)))))
      (br $exchange)))
  (global.set $top (local.get $mark)))

(func $beyond (param $a i32) (param $b i32) (param $n i32) (result i32)  ;; how many pieces of $a are not in $b
  (local $found i32) (local $x i32)
  (loop $again
    (local.set $x (i32.sub (i32.load (local.get $a)) (i32.load (local.get $b))))
    (if (i32.gt_s (local.get $x) (i32.const 0)) (then
      (local.set $found (i32.add (local.get $found) (local.get $x)))))
    (local.set $a (i32.add (local.get $a) (i32.const 4)))
    (local.set $b (i32.add (local.get $b) (i32.const 4)))
    (local.set $n (i32.sub (local.get $n) (i32.const 1)))
    (br_if $again (local.get $n)))
  (local.get $found))

(func $covers_by (param $held i32) (param $cost i32) (param $n i32) (param $table i32) (param $m i32) (param $less i32)
    (result i32)
  (local $mark i32) (local $found i32)
  (if (i32.le_s (local.get $less) (i32.const 0)) (then
    (if (i32.eq (local.get $m) (i32.const 1)) (then
      (return (call $covers_through (local.get $held) (local.get $cost) (local.get $n) (local.get $table)))))
    (if (call $covers (local.get $held) (local.get $cost) (local.get $n) (i32.const 0)) (then
      (return (i32.const 1))))))
  (local.set $mark (global.get $top))
  (local.set $found (i32.load (call $payments (local.get $held) (local.get $cost) (local.get $n) (local.get $table)
    (local.get $m) (local.get $less))))
  (global.set $top (local.get $mark))
  (i32.ne (local.get $found) (i32.const 0)))

;; Whether $cost can be paid with the one exchange in $table.
(func $covers_through (param $held i32) (param $cost i32) (param $n i32) (param $table i32) (result i32)
  (local $missing i64) (local $surplus i64) (local $x i64) (local $number i64) (local $bytes i32)
  (local.set $number (i64.load32_u (local.get $table)))
  (local.set $bytes (i32.shl (local.get $n) (i32.const 2)))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $table (i32.add (local.get $table) (i32.const 4)))
      (local.set $x (i64.sub (i64.load32_u (local.get $held)) (i64.load32_u (local.get $cost))))
      (if (i64.ge_s (local.get $x) (i64.const 0))
        (then (local.set $surplus (i64.add (local.get $surplus)
          (i64.mul (local.get $x) (i64.load32_u (local.get $table))))))
        (else
          (if (i32.eqz (i32.load (i32.add (local.get $table) (local.get $bytes)))) (then (return (i32.const 0))))
          (local.set $missing (i64.sub (local.get $missing) (local.get $x)))))
      (local.set $held (i32.add (local.get $held) (i32.const 4)))
      (local.set $cost (i32.add (local.get $cost) (i32.const 4)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (br $again)))
  (i64.ge_s (local.get $surplus) (i64.mul (local.get $number) (local.get $missing))))

;; Offers every bundle that pays, the closest to the cost first.
(func $plans_by (param $held i32) (param $cost i32) (param $n i32) (param $table i32) (param $m i32) (param $less i32)
  (local $mark i32) (local $list i32) (local $bytes i32) (local $at i32) (local $end i32)
  (local.set $mark (global.get $top))
  (local.set $bytes (i32.shl (i32.add (local.get $n) (i32.const 1)) (i32.const 2)))
  (local.set $list (call $payments (local.get $held) (local.get $cost) (local.get $n) (local.get $table)
    (local.get $m) (local.get $less)))
  (local.set $at (i32.add (local.get $list) (i32.const 4)))
  (local.set $end (i32.add (local.get $at) (i32.mul (i32.load (local.get $list)) (local.get $bytes))))
  (block $all
    (loop $row
      (br_if $all (i32.ge_u (local.get $at) (local.get $end)))
      (call $move_words (call $offer (i32.shl (local.get $n) (i32.const 2)))
        (i32.add (local.get $at) (i32.const 4)) (local.get $n))
      (local.set $at (i32.add (local.get $at) (local.get $bytes)))
      (br $row)))
  (global.set $top (local.get $mark)))

;; ---------------------------------------------------------------- grids: lists of (piece, x, y, turn)

(func $beside (param $grid i32) (param $x i32) (param $y i32) (result i32)  ;; the address of the spot there, or 0
  (local $end i32) (local $key i64)
  (if (i32.gt_u (i32.load (local.get $grid)) (i32.const 512)) (then (call $spend (i32.mul (i32.load (local.get $grid)) (i32.const 4)))))
  (local.set $key (i64.or (i64.extend_i32_u (local.get $x)) (i64.shl (i64.extend_i32_u (local.get $y)) (i64.const 32))))
  (local.set $end (i32.add (local.get $grid) (i32.shl (i32.load (local.get $grid)) (i32.const 4))))
  (block $none
    (loop $again
      (br_if $none (i32.ge_u (local.get $grid) (local.get $end)))
      (if (i64.eq (i64.load offset=8 (local.get $grid)) (local.get $key)) (then
        (return (i32.add (local.get $grid) (i32.const 4)))))
      (local.set $grid (i32.add (local.get $grid) (i32.const 16)))
      (br $again)))
  (i32.const 0))

;; What is remembered of grids counts while this is what it was. A number never comes again, except when a supposition ends
;; and grids are again what they were.
(global $version (mut i32) (i32.const 1))
(global $versions (mut i32) (i32.const 1))  ;; the last of them

(func $grids_changed
  (global.set $versions (i32.add (global.get $versions) (i32.const 1)))
  (global.set $version (global.get $versions)))

;; Like ``beside`` for a grid that is a cell: what was found since grids last changed is remembered, 512 squares of it.
(func $beside_of (param $grid i32) (param $x i32) (param $y i32) (result i32)
  (local $at i32) (local $key i64)
  (local.set $key (i64.or (i64.shl (i64.extend_i32_u (local.get $grid)) (i64.const 32))
    (i64.extend_i32_u (i32.or (i32.shl (i32.and (local.get $x) (i32.const 0xFFFF)) (i32.const 16))
      (i32.and (local.get $y) (i32.const 0xFFFF))))))
  (local.set $at (i32.add (i32.const @SQUARES) (i32.shl (i32.and (i32.add (i32.add
    (i32.mul (local.get $x) (i32.const 23)) (local.get $y)) (i32.shr_u (local.get $grid) (i32.const 4)))
    (i32.const 511)) (i32.const 4))))
  (if (i32.eqz (i32.and (i64.eq (i64.load (local.get $at)) (local.get $key))
                        (i32.eq (i32.load offset=8 (local.get $at)) (global.get $version)))) (then
    (i64.store (local.get $at) (local.get $key))
    (i32.store offset=8 (local.get $at) (global.get $version))
    (i32.store offset=12 (local.get $at) (call $beside (local.get $grid) (local.get $x) (local.get $y)))))
  (i32.load offset=12 (local.get $at)))

(func $openings (param $grid i32) (param $capacity i32) (param $reach i32) (param $is_cell i32) (result i32)
  (local $from i32) (local $at i32) (local $end i32) (local $side i32) (local $x i32) (local $y i32) (local $to i32)
  (local.set $from (global.get $build))
  (if (i32.gt_u (i32.load (local.get $grid)) (i32.const 16)) (then
    (call $spend (i32.mul (i32.load (local.get $grid)) (i32.const 128)))))
  (local.set $at (i32.add (local.get $grid) (i32.const 4)))
  (local.set $end (i32.add (local.get $at) (i32.shl (i32.load (local.get $grid)) (i32.const 4))))
  (if (i32.lt_u (i32.load (local.get $grid)) (local.get $capacity)) (then
    (if (i32.eqz (i32.load (local.get $grid))) (then
      (local.set $to (call $grow (i32.const 8)))
      (i64.store (local.get $to) (i64.const 0))))
    (block $done
      (loop $again
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $side (i32.const 0))
        (loop $sides
          (local.set $x (i32.add (i32.load offset=4 (local.get $at))
            (i32.sub (i32.eq (local.get $side) (i32.const 1)) (i32.eq (local.get $side) (i32.const 3)))))
          (local.set $y (i32.add (i32.load offset=8 (local.get $at))
            (i32.sub (i32.eq (local.get $side) (i32.const 0)) (i32.eq (local.get $side) (i32.const 2)))))
          (if (i32.eqz (if (result i32) (local.get $is_cell)
                (then (call $beside_of (local.get $grid) (local.get $x) (local.get $y)))
                (else (call $beside (local.get $grid) (local.get $x) (local.get $y))))) (then
            (if (i32.and
                  (i32.and (i32.le_s (local.get $x) (local.get $reach)) (i32.le_s (local.get $y) (local.get $reach)))
                  (i32.and (i32.ge_s (local.get $x) (i32.sub (i32.const 0) (local.get $reach)))
                           (i32.ge_s (local.get $y) (i32.sub (i32.const 0) (local.get $reach))))) (then
              (local.set $to (call $grow (i32.const 8)))
              (i32.store (local.get $to) (local.get $x))
              (i32.store offset=4 (local.get $to) (local.get $y))))))
          (local.set $side (i32.add (local.get $side) (i32.const 1)))
          (br_if $sides (i32.lt_u (local.get $side) (i32.const 4))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $again)))))
  (call $rising (call $built (local.get $from) (i32.const 8)) (i32.const 2)))

;; Takes the marked rows off a list: their first words as a list, in order. A mark is a byte.
(func $taken (param $list i32) (param $row i32) (param $marks i32) (result i32)
  (local $i i32) (local $n i32) (local $all i32) (local $bytes i32) (local $from i32) (local $at i32)
  (local.set $bytes (i32.shl (local.get $row) (i32.const 2)))
  (local.set $all (i32.load (local.get $list)))
  (if (i32.gt_u (local.get $all) (i32.const 512)) (then (call $spend (i32.mul (local.get $all) (i32.const 8)))))
  (local.set $from (global.get $build))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $i) (local.get $all)))
      (local.set $at (i32.add (i32.add (local.get $list) (i32.const 4)) (i32.mul (local.get $i) (local.get $bytes))))
      (if (i32.load8_u (i32.add (local.get $marks) (local.get $i)))
        (then (i32.store (call $grow (i32.const 4)) (i32.load (local.get $at))))
        (else
          (memory.copy (i32.add (i32.add (local.get $list) (i32.const 4)) (i32.mul (local.get $n) (local.get $bytes)))
            (local.get $at) (local.get $bytes))
          (local.set $n (i32.add (local.get $n) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (i32.store (local.get $list) (local.get $n))
  (call $built (local.get $from) (i32.const 4)))

;; Marks the last $number rows whose first word is $kind; how many there are, though fewer were asked for.
(func $mark_kind (param $list i32) (param $row i32) (param $marks i32) (param $kind i32) (param $number i32) (result i32)
  (local $i i32) (local $found i32)
  (local.set $i (i32.load (local.get $list)))
  (if (i32.gt_u (local.get $i) (i32.const 512)) (then (call $spend (i32.mul (local.get $i) (i32.const 8)))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $i)))
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))
      (if (i32.eq (local.get $kind) (i32.load offset=4 (i32.add (local.get $list)
            (i32.mul (local.get $i) (i32.shl (local.get $row) (i32.const 2)))))) (then
        (local.set $found (i32.add (local.get $found) (i32.const 1)))
        (if (i32.gt_s (local.get $number) (i32.const 0)) (then
          (local.set $number (i32.sub (local.get $number) (i32.const 1)))
          (i32.store8 (i32.add (local.get $marks) (local.get $i)) (i32.const 1))))))
      (br $again)))
  (local.get $found))

;; Marks the last $number rows.
(func $mark_last (param $list i32) (param $marks i32) (param $number i32)
  (memory.fill (i32.add (local.get $marks) (i32.sub (i32.load (local.get $list)) (local.get $number)))
    (i32.const 1) (local.get $number)))

;; The rows of a list, each once, where it stands first. The list is changed. A few rows are compared one by one, more
;; are found by their hash, in a table of the numbers of rows, counted from 1.
(func $distinct (param $list i32) (param $row i32) (result i32)
  (local $n i32) (local $i i32) (local $all i32) (local $bytes i32) (local $first i32) (local $from i32)
  (local $table i32) (local $mask i32) (local $place i32) (local $entry i32) (local $mark i32)
  (local.set $bytes (call $bytes_of (local.get $row)))
  (local.set $first (i32.add (local.get $list) (i32.const 4)))
  (local.set $all (i32.load (local.get $list)))
  (if (i32.gt_u (local.get $all) (i32.const 16)) (then (call $spend (i32.mul (local.get $all) (i32.const 32)))))
  (local.set $mark (global.get $top))
  (if (i32.and (i32.gt_u (local.get $all) (i32.const 16)) (i32.gt_s (local.get $row) (i32.const 0))) (then
    (local.set $mask (call $power (i32.shl (local.get $all) (i32.const 1))))
    (local.set $table (call $zeroes (local.get $mask)))
    (local.set $mask (i32.sub (local.get $mask) (i32.const 1)))))
  (i32.store (local.get $list) (i32.const 0))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $i) (local.get $all)))
      (local.set $from (i32.add (local.get $first) (i32.mul (local.get $i) (local.get $bytes))))
      (block $known
        (if (local.get $table)
          (then
            (local.set $place (i32.and (call $hash (local.get $from) (local.get $row)) (local.get $mask)))
            (block $new
              (loop $probe
                (local.set $entry (i32.load (i32.add (local.get $table) (i32.shl (local.get $place) (i32.const 2)))))
                (br_if $new (i32.eqz (local.get $entry)))
                (br_if $known (call $same_words (local.get $from) (i32.add (local.get $first)
                  (i32.mul (i32.sub (local.get $entry) (i32.const 1)) (local.get $bytes))) (local.get $row)))
                (local.set $place (i32.and (i32.add (local.get $place) (i32.const 1)) (local.get $mask)))
                (br $probe)))
            (i32.store (i32.add (local.get $table) (i32.shl (local.get $place) (i32.const 2)))
              (i32.add (local.get $n) (i32.const 1))))
          (else
            (br_if $known (i32.ge_s (call $find (local.get $list) (local.get $from) (local.get $row)) (i32.const 0)))))
        (memory.copy (i32.add (local.get $first) (i32.mul (local.get $n) (local.get $bytes)))
          (local.get $from) (local.get $bytes))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (i32.store (local.get $list) (local.get $n)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (global.set $top (local.get $mark))
  (local.get $list))

(func $root (param $parents i32) (param $node i32) (result i32)
  (local $parent i32)
  (loop $again
    (local.set $parent (i32.load (i32.add (local.get $parents) (i32.shl (local.get $node) (i32.const 2)))))
    (if (i32.eq (local.get $parent) (local.get $node)) (then (return (local.get $node))))
    (local.set $node (local.get $parent))
    (br $again))
  unreachable)

(func $singles (param $n i32) (result i32)  ;; every node a group of its own
  (local $at i32)
  (local.set $at (call $alloc (i32.shl (local.get $n) (i32.const 2))))
  (block $done
    (loop $again
      (br_if $done (i32.eqz (local.get $n)))
      (local.set $n (i32.sub (local.get $n) (i32.const 1)))
      (i32.store (i32.add (local.get $at) (i32.shl (local.get $n) (i32.const 2))) (local.get $n))
      (br $again)))
  (local.get $at))

(func $join (param $parents i32) (param $a i32) (param $b i32)
  (local.set $a (call $root (local.get $parents) (local.get $a)))
  (local.set $b (call $root (local.get $parents) (local.get $b)))
  ;; The lower number is the root, so a group is found by its first node.
  (if (i32.lt_u (local.get $a) (local.get $b))
    (then (i32.store (i32.add (local.get $parents) (i32.shl (local.get $b) (i32.const 2))) (local.get $a)))
    (else (i32.store (i32.add (local.get $parents) (i32.shl (local.get $a) (i32.const 2))) (local.get $b)))))

;; The nodes whose root is $node, as a set. No node before the root belongs to it.
(func $group_of (param $nodes i32) (param $parents i32) (param $node i32) (param $row i32) (result i32)
  (local $from i32) (local $i i32) (local $n i32) (local $bytes i32)
  (local.set $bytes (call $bytes_of (local.get $row)))
  (local.set $from (global.get $build))
  (local.set $n (i32.load (local.get $nodes)))
  (call $spend (i32.mul (local.get $n) (i32.const 16)))
  (local.set $i (local.get $node))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
      (if (i32.eq (call $root (local.get $parents) (local.get $i)) (local.get $node)) (then
        (call $move_words (call $grow (local.get $bytes))
          (i32.add (i32.add (local.get $nodes) (i32.const 4)) (i32.mul (local.get $i) (local.get $bytes)))
          (i32.shr_u (local.get $bytes) (i32.const 2)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (call $rising (call $built (local.get $from) (local.get $bytes)) (local.get $row)))

;; All groups, by their first node: a list of addresses of sets.
(func $groups (param $nodes i32) (param $parents i32) (param $row i32) (result i32)
  (local $from i32) (local $i i32) (local $set i32) (local $at i32)
  ;; A root has a lower number than its nodes, so one pass makes every node point at it.
  (block $flat
    (loop $each
      (br_if $flat (i32.ge_u (local.get $i) (i32.load (local.get $nodes))))
      (local.set $at (i32.add (local.get $parents) (i32.shl (local.get $i) (i32.const 2))))
      (i32.store (local.get $at)
        (i32.load (i32.add (local.get $parents) (i32.shl (i32.load (local.get $at)) (i32.const 2)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each)))
  (local.set $i (i32.const 0))
  (local.set $from (global.get $build))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $i) (i32.load (local.get $nodes))))
      (if (i32.eq (i32.load (i32.add (local.get $parents) (i32.shl (local.get $i) (i32.const 2)))) (local.get $i)) (then
        (local.set $set (call $group_of (local.get $nodes) (local.get $parents) (local.get $i) (local.get $row)))
        (i32.store (call $grow (i32.const 4)) (local.get $set))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (call $built (local.get $from) (i32.const 4)))

;; ---------------------------------------------------------------- trails: walks that use no edge twice

(global $t_value (mut i32) (i32.const 0))   ;; of each node, the number of what is counted there
(global $t_first (mut i32) (i32.const 0))   ;; of each node, where its ways begin, and one more
(global $t_ways (mut i32) (i32.const 0))    ;; pairs: the node a way leads to, and its edge
(global $t_used (mut i32) (i32.const 0))    ;; of each edge, a byte
(global $t_seen (mut i32) (i32.const 0))    ;; of each value, how often the trail has met it
(global $t_stamp (mut i32) (i32.const 0))   ;; of each node, when it was last reached
(global $t_passed (mut i32) (i32.const 0))  ;; of each value, when a trail could last pass it
(global $t_queue (mut i32) (i32.const 0))
(global $t_known (mut i32) (i32.const 0))   ;; positions that were tried: the edges used, and the node
(global $t_mask (mut i64) (i64.const 0))
(global $t_few (mut i32) (i32.const 0))     ;; whether the edges fit a mask
(global $t_time (mut i32) (i32.const 0))
(global $t_best (mut i32) (i32.const 0))
(global $t_whole (mut i32) (i32.const 0))

(func $at4 (param $base i32) (param $i i32) (result i32)
  (i32.load (i32.add (local.get $base) (i32.shl (local.get $i) (i32.const 2)))))

(func $put4 (param $base i32) (param $i i32) (param $x i32)
  (i32.store (i32.add (local.get $base) (i32.shl (local.get $i) (i32.const 2))) (local.get $x)))

;; The most different values along one trail. Exact; see the reference engine for the bound.
(func $longest_trail (param $nodes i32) (param $edges i32) (param $measures i32) (param $row i32) (result i32)
  (local $mark i32) (local $n i32) (local $m i32) (local $i i32) (local $j i32) (local $a i32) (local $b i32)
  (local $parents i32) (local $fill i32)
  (local.set $mark (global.get $top))
  (local.set $n (i32.load (local.get $nodes)))
  (local.set $m (i32.load (local.get $edges)))
  (global.set $t_value (call $zeroes (local.get $n)))
  (global.set $t_first (call $zeroes (i32.add (local.get $n) (i32.const 2))))
  (global.set $t_ways (call $zeroes (i32.shl (local.get $m) (i32.const 2))))
  (global.set $t_used (call $zeroes (i32.add (i32.shr_u (local.get $m) (i32.const 2)) (i32.const 1))))
  (global.set $t_seen (call $zeroes (local.get $n)))
  (global.set $t_stamp (call $zeroes (local.get $n)))
  (global.set $t_passed (call $zeroes (local.get $n)))
  (global.set $t_queue (call $zeroes (local.get $n)))
  (global.set $t_known (call $zeroes (i32.const 16384)))
  (local.set $fill (call $zeroes (i32.add (local.get $n) (i32.const 1))))
  (global.set $t_mask (i64.const 0))
  (global.set $t_time (i32.const 0))
  (global.set $t_best (i32.const 0))
  (global.set $t_few (i32.le_u (local.get $m) (i32.const 64)))
  (local.set $parents (call $singles (local.get $n)))
  ;; equal measures have the number of the first of them
  (block $valued
    (loop $again
      (br_if $valued (i32.ge_u (local.get $i) (local.get $n)))
      (call $put4 (global.get $t_value) (local.get $i) (call $find (local.get $measures)
        (i32.add (i32.add (local.get $measures) (i32.const 4))
          (i32.mul (local.get $i) (call $bytes_of (local.get $row))))
        (local.get $row)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  ;; how many ways lead from each node; then where they begin
  (local.set $i (i32.const 0))
  (block $counted
    (loop $again
      (br_if $counted (i32.ge_u (local.get $i) (local.get $m)))
      (local.set $a (i32.load offset=4 (i32.add (local.get $edges) (i32.shl (local.get $i) (i32.const 3)))))
      (local.set $b (i32.load offset=8 (i32.add (local.get $edges) (i32.shl (local.get $i) (i32.const 3)))))
      (call $join (local.get $parents) (local.get $a) (local.get $b))
      (call $put4 (global.get $t_first) (i32.add (local.get $a) (i32.const 1))
        (i32.add (call $at4 (global.get $t_first) (i32.add (local.get $a) (i32.const 1))) (i32.const 1)))
      (call $put4 (global.get $t_first) (i32.add (local.get $b) (i32.const 1))
        (i32.add (call $at4 (global.get $t_first) (i32.add (local.get $b) (i32.const 1))) (i32.const 1)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (local.set $i (i32.const 0))
  (block $summed
    (loop $again
      (br_if $summed (i32.ge_u (local.get $i) (local.get $n)))
      (call $put4 (global.get $t_first) (i32.add (local.get $i) (i32.const 1))
        (i32.add (call $at4 (global.get $t_first) (local.get $i))
                 (call $at4 (global.get $t_first) (i32.add (local.get $i) (i32.const 1)))))
      (call $put4 (local.get $fill) (local.get $i) (call $at4 (global.get $t_first) (local.get $i)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (local.set $i (i32.const 0))
  (block $wayed
    (loop $again
      (br_if $wayed (i32.ge_u (local.get $i) (local.get $m)))
      (local.set $a (i32.load offset=4 (i32.add (local.get $edges) (i32.shl (local.get $i) (i32.const 3)))))
      (local.set $b (i32.load offset=8 (i32.add (local.get $edges) (i32.shl (local.get $i) (i32.const 3)))))
      (call $way (local.get $fill) (local.get $a) (local.get $b) (local.get $i))
      (call $way (local.get $fill) (local.get $b) (local.get $a) (local.get $i))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  ;; group by group: how many values it has, and then a trail from each of its nodes
  (local.set $i (i32.const 0))
  (block $done
    (loop $groups
      (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
      (if (i32.eq (call $root (local.get $parents) (local.get $i)) (local.get $i)) (then
        (global.set $t_whole (i32.const 0))
        (call $spend (i32.mul (local.get $n) (i32.const 16)))
        (global.set $t_time (i32.add (global.get $t_time) (i32.const 1)))
        (local.set $j (i32.const 0))
        (loop $values
          (if (i32.eq (call $root (local.get $parents) (local.get $j)) (local.get $i)) (then
            (local.set $a (call $at4 (global.get $t_value) (local.get $j)))
            (if (i32.ne (call $at4 (global.get $t_passed) (local.get $a)) (global.get $t_time)) (then
              (call $put4 (global.get $t_passed) (local.get $a) (global.get $t_time))
              (global.set $t_whole (i32.add (global.get $t_whole) (i32.const 1)))))))
          (local.set $j (i32.add (local.get $j) (i32.const 1)))
          (br_if $values (i32.lt_u (local.get $j) (local.get $n))))
        (local.set $j (i32.const 0))
        (block $enough
          (loop $starts
            (br_if $enough (i32.ge_u (global.get $t_best) (global.get $t_whole)))
            (if (i32.eq (call $root (local.get $parents) (local.get $j)) (local.get $i)) (then
              (local.set $a (call $at4 (global.get $t_value) (local.get $j)))
              (call $put4 (global.get $t_seen) (local.get $a) (i32.const 1))
              (local.set $b (call $trail (local.get $j) (i32.const 1)))
              ;; a search that ended early left its marks
              (memory.fill (global.get $t_seen) (i32.const 0) (i32.shl (local.get $n) (i32.const 2)))
              (memory.fill (global.get $t_used) (i32.const 0) (local.get $m))
              (global.set $t_mask (i64.const 0))))
            (local.set $j (i32.add (local.get $j) (i32.const 1)))
            (br_if $starts (i32.lt_u (local.get $j) (local.get $n)))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $groups)))
  (global.set $top (local.get $mark))
  (global.get $t_best))

(func $way (param $fill i32) (param $a i32) (param $b i32) (param $edge i32)
  (local $at i32)
  (local.set $at (call $at4 (local.get $fill) (local.get $a)))
  (call $put4 (local.get $fill) (local.get $a) (i32.add (local.get $at) (i32.const 1)))
  (local.set $at (i32.add (global.get $t_ways) (i32.shl (local.get $at) (i32.const 3))))
  (i32.store (local.get $at) (local.get $b))
  (i32.store offset=4 (local.get $at) (local.get $edge)))

;; Goes on from a node; 1 when no trail of the group can be longer.
(func $trail (param $node i32) (param $seen i32) (result i32)
  (local $at i32) (local $end i32) (local $other i32) (local $edge i32) (local $value i32) (local $bit i64) (local $met i32)
  (call $spend (i32.const 64))
  (if (i32.gt_u (local.get $seen) (global.get $t_best)) (then (global.set $t_best (local.get $seen))))
  (if (i32.eq (global.get $t_best) (global.get $t_whole)) (then (return (i32.const 1))))
  (if (global.get $t_few) (then
    ;; Positions forget each other where they meet: that costs time, never the answer.
    (local.set $at (i32.add (global.get $t_known) (i32.shl (i32.and (i32.wrap_i64 (i64.shr_u
      (i64.mul (i64.xor (global.get $t_mask) (i64.shl (i64.extend_i32_u (local.get $node)) (i64.const 56)))
        (i64.const 0x9E3779B97F4A7C15)) (i64.const 44))) (i32.const 4095)) (i32.const 4))))
    (if (i32.and (i64.eq (i64.load (local.get $at)) (global.get $t_mask))
                 (i32.eq (i32.load offset=8 (local.get $at)) (i32.add (local.get $node) (i32.const 1)))) (then
      (return (i32.const 0))))
    (i64.store (local.get $at) (global.get $t_mask))
    (i32.store offset=8 (local.get $at) (i32.add (local.get $node) (i32.const 1)))))
  (if (i32.le_u (i32.add (local.get $seen) (call $still (local.get $node))) (global.get $t_best)) (then
    (return (i32.const 0))))
  (local.set $at (i32.add (global.get $t_ways)
    (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (local.get $node) (i32.const 2)))) (i32.const 3))))
  (local.set $end (i32.add (global.get $t_ways)
    (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (i32.add (local.get $node) (i32.const 1)) (i32.const 2)))) (i32.const 3))))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $edge (i32.load offset=4 (local.get $at)))
      (if (i32.eqz (i32.load8_u (i32.add (global.get $t_used) (local.get $edge)))) (then
        (local.set $other (i32.load (local.get $at)))
        (local.set $value (i32.load (i32.add (global.get $t_value) (i32.shl (local.get $other) (i32.const 2)))))
        (local.set $met (i32.load (i32.add (global.get $t_seen) (i32.shl (local.get $value) (i32.const 2)))))
        (local.set $bit (select (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $edge))) (i64.const 0) (global.get $t_few)))
        (i32.store8 (i32.add (global.get $t_used) (local.get $edge)) (i32.const 1))
        (global.set $t_mask (i64.or (global.get $t_mask) (local.get $bit)))
        (i32.store (i32.add (global.get $t_seen) (i32.shl (local.get $value) (i32.const 2))) (i32.add (local.get $met) (i32.const 1)))
        (if (call $trail (local.get $other) (i32.add (local.get $seen) (i32.eqz (local.get $met)))) (then
          (return (i32.const 1))))
        (i32.store (i32.add (global.get $t_seen) (i32.shl (local.get $value) (i32.const 2))) (local.get $met))
        (global.set $t_mask (i64.xor (global.get $t_mask) (local.get $bit)))
        (i32.store8 (i32.add (global.get $t_used) (local.get $edge)) (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $again)))
  (i32.const 0))

;; How many more values a trail could meet from a node on, at most: of the nodes that one free edge leads to, one only.
(func $still (param $start i32) (result i32)
  (local $head i32) (local $tail i32) (local $node i32) (local $at i32) (local $end i32) (local $free i32) (local $other i32)
  (local $value i32) (local $more i32) (local $last i32)
  (global.set $t_time (i32.add (global.get $t_time) (i32.const 1)))
  (i32.store (i32.add (global.get $t_stamp) (i32.shl (local.get $start) (i32.const 2))) (global.get $t_time))
  (i32.store (global.get $t_queue) (local.get $start))
  (local.set $tail (i32.const 1))
  (loop $nodes
    (local.set $node (i32.load (i32.add (global.get $t_queue) (i32.shl (local.get $head) (i32.const 2)))))
    (local.set $free (i32.const 0))
    (local.set $at (i32.add (global.get $t_ways)
      (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (local.get $node) (i32.const 2)))) (i32.const 3))))
    (local.set $end (i32.add (global.get $t_ways)
      (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (i32.add (local.get $node) (i32.const 1)) (i32.const 2)))) (i32.const 3))))
    (block $done
      (loop $ways
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.eqz (i32.load8_u (i32.add (global.get $t_used) (i32.load offset=4 (local.get $at))))) (then
          (local.set $free (i32.add (local.get $free) (i32.const 1)))
          (local.set $other (i32.load (local.get $at)))
          (if (i32.ne (i32.load (i32.add (global.get $t_stamp) (i32.shl (local.get $other) (i32.const 2)))) (global.get $t_time)) (then
            (i32.store (i32.add (global.get $t_stamp) (i32.shl (local.get $other) (i32.const 2))) (global.get $t_time))
            (i32.store (i32.add (global.get $t_queue) (i32.shl (local.get $tail) (i32.const 2))) (local.get $other))
            (local.set $tail (i32.add (local.get $tail) (i32.const 1)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $ways)))
    (local.set $value (i32.load (i32.add (global.get $t_value) (i32.shl (local.get $node) (i32.const 2)))))
    (if (i32.and (i32.eqz (i32.load (i32.add (global.get $t_seen) (i32.shl (local.get $value) (i32.const 2)))))
                 (i32.ne (i32.load (i32.add (global.get $t_passed) (i32.shl (local.get $value) (i32.const 2)))) (global.get $t_time))) (then
      (if (i32.or (i32.ne (local.get $free) (i32.const 1)) (i32.eq (local.get $node) (local.get $start)))
        (then
          (i32.store (i32.add (global.get $t_passed) (i32.shl (local.get $value) (i32.const 2))) (global.get $t_time))
          (local.set $more (i32.add (local.get $more) (i32.const 1))))
        (else (local.set $last (i32.const 1))))))
    (local.set $head (i32.add (local.get $head) (i32.const 1)))
    (br_if $nodes (i32.lt_u (local.get $head) (local.get $tail))))
  (call $spend (i32.mul (local.get $tail) (i32.const 64)))
  ;; An end whose value a passed node has too is counted once more than it need be: still a bound.
  (i32.add (local.get $more) (local.get $last)))

;; ---------------------------------------------------------------- ways by length
;; $edges: (a, b, length) in rising order, for each direction that an edge leads in.

(global $w_first (mut i32) (i32.const 0))  ;; for each node the number of its first edge, and one more
(global $w_length (mut i32) (i32.const 0)) ;; for each node the length of the shortest way to it, -1 for none
(global $w_rank (mut i32) (i32.const 0))   ;; for each node how many ways are shorter, or as short and come first

(func $edge_at (param $edges i32) (param $i i32) (result i32)  ;; the address of three words
  (i32.add (i32.add (local.get $edges) (i32.const 4)) (i32.mul (local.get $i) (i32.const 12))))

(func $edges_begin (param $n i32) (param $edges i32)
  (local $i i32) (local $m i32) (local $at i32)
  (global.set $w_first (call $zeroes (i32.add (local.get $n) (i32.const 2))))
  (local.set $m (i32.load (local.get $edges)))
  (call $spend (i32.mul (i32.add (local.get $n) (local.get $m)) (i32.const 16)))
  (block $counted
    (loop $again
      (br_if $counted (i32.ge_u (local.get $i) (local.get $m)))
      (local.set $at (i32.add (i32.load (call $edge_at (local.get $edges) (local.get $i))) (i32.const 1)))
      (call $put4 (global.get $w_first) (local.get $at)
        (i32.add (call $at4 (global.get $w_first) (local.get $at)) (i32.const 1)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (local.set $i (i32.const 0))
  (block $summed
    (loop $again
      (br_if $summed (i32.ge_u (local.get $i) (local.get $n)))
      (call $put4 (global.get $w_first) (i32.add (local.get $i) (i32.const 1))
        (i32.add (call $at4 (global.get $w_first) (local.get $i))
                 (call $at4 (global.get $w_first) (i32.add (local.get $i) (i32.const 1)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again))))

;; The lengths of the shortest ways from a node, and their order.
(func $ways_from (param $n i32) (param $edges i32) (param $from i32)
  (local $done i32) (local $rank i32) (local $i i32) (local $best i32) (local $least i32) (local $end i32) (local $at i32)
  (local $other i32) (local $length i32)
  (call $edges_begin (local.get $n) (local.get $edges))
  (global.set $w_length (call $zeroes (i32.add (local.get $n) (i32.const 1))))
  (memory.fill (global.get $w_length) (i32.const 255) (i32.shl (local.get $n) (i32.const 2)))
  (global.set $w_rank (call $zeroes (i32.add (local.get $n) (i32.const 1))))
  (local.set $done (call $zeroes (i32.add (local.get $n) (i32.const 1))))
  (if (i32.lt_s (local.get $from) (i32.const 0)) (then (return)))
  (call $put4 (global.get $w_length) (local.get $from) (i32.const 0))
  (block $all
    (loop $nodes
      (call $spend (i32.mul (local.get $n) (i32.const 8)))
      (local.set $best (i32.const -1))
      (local.set $i (i32.const 0))
      (loop $look
        (if (i32.eqz (call $at4 (local.get $done) (local.get $i))) (then
          (local.set $length (call $at4 (global.get $w_length) (local.get $i)))
          (if (i32.and (i32.ge_s (local.get $length) (i32.const 0))
                       (i32.or (i32.lt_s (local.get $best) (i32.const 0)) (i32.lt_s (local.get $length) (local.get $least))))
            (then
              (local.set $best (local.get $i))
              (local.set $least (local.get $length))))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $look (i32.lt_u (local.get $i) (local.get $n))))
      (br_if $all (i32.lt_s (local.get $best) (i32.const 0)))
      (call $put4 (local.get $done) (local.get $best) (i32.const 1))
      (call $put4 (global.get $w_rank) (local.get $best) (local.get $rank))
      (local.set $rank (i32.add (local.get $rank) (i32.const 1)))
      (local.set $i (call $at4 (global.get $w_first) (local.get $best)))
      (local.set $end (call $at4 (global.get $w_first) (i32.add (local.get $best) (i32.const 1))))
      (block $no_more
        (loop $edge
          (br_if $no_more (i32.ge_u (local.get $i) (local.get $end)))
          (local.set $at (call $edge_at (local.get $edges) (local.get $i)))
          (local.set $other (i32.load offset=4 (local.get $at)))
          (local.set $length (i32.add (local.get $least) (i32.load offset=8 (local.get $at))))
          (if (i32.or (i32.lt_s (call $at4 (global.get $w_length) (local.get $other)) (i32.const 0))
                      (i32.lt_s (local.get $length) (call $at4 (global.get $w_length) (local.get $other)))) (then
            (call $put4 (global.get $w_length) (local.get $other) (local.get $length))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $edge)))
      (br $nodes))))

(func $shortest (param $nodes i32) (param $edges i32) (param $from i32) (param $to i32) (result i32)
  (local $mark i32) (local $found i32)
  (if (i32.or (i32.lt_s (local.get $from) (i32.const 0)) (i32.lt_s (local.get $to) (i32.const 0))) (then
    (return (i32.const -1))))
  (local.set $mark (global.get $top))
  (call $ways_from (i32.load (local.get $nodes)) (local.get $edges) (local.get $from))
  (local.set $found (call $at4 (global.get $w_length) (local.get $to)))
  (global.set $top (local.get $mark))
  (local.get $found))

(func $node_at (param $nodes i32) (param $i i32) (param $row i32) (result i32)
  (i32.add (i32.add (local.get $nodes) (i32.const 4)) (i32.mul (local.get $i) (i32.shl (local.get $row) (i32.const 2)))))

;; From the end back, the first node that a shortest way can come from is taken.
(func $shortest_way (param $nodes i32) (param $edges i32) (param $from i32) (param $to i32) (param $row i32) (result i32)
  (local $n i32) (local $m i32) (local $i i32) (local $at i32) (local $a i32) (local $start i32) (local $here i32)
  (local.set $start (global.get $build))
  (local.set $n (i32.load (local.get $nodes)))
  (local.set $m (i32.load (local.get $edges)))
  (local.set $here (local.get $to))
  (block $done
    (br_if $done (i32.or (i32.lt_s (local.get $from) (i32.const 0)) (i32.lt_s (local.get $to) (i32.const 0))))
    (call $ways_from (local.get $n) (local.get $edges) (local.get $from))
    (br_if $done (i32.lt_s (call $at4 (global.get $w_length) (local.get $to)) (i32.const 0)))
    (loop $again
      (call $spend (i32.mul (local.get $m) (i32.const 8)))
      (call $move_words (call $push (local.get $start) (i32.shl (local.get $row) (i32.const 2)))
        (call $node_at (local.get $nodes) (local.get $here) (local.get $row)) (local.get $row))
      (br_if $done (i32.eq (local.get $here) (local.get $from)))
      (local.set $i (i32.const 0))
      (loop $edge
        (local.set $at (call $edge_at (local.get $edges) (local.get $i)))
        (local.set $a (i32.load (local.get $at)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $edge (i32.ne (i32.load offset=4 (local.get $at)) (local.get $here)))
        (br_if $edge (i32.lt_s (call $at4 (global.get $w_length) (local.get $a)) (i32.const 0)))
        (br_if $edge (i32.ge_s (call $at4 (global.get $w_rank) (local.get $a))
                               (call $at4 (global.get $w_rank) (local.get $here))))
        (br_if $edge (i32.ne (call $at4 (global.get $w_length) (local.get $here))
          (i32.add (call $at4 (global.get $w_length) (local.get $a)) (i32.load offset=8 (local.get $at))))))
      (local.set $here (local.get $a))
      (br $again)))
  (call $reversed (call $built (local.get $start) (i32.shl (local.get $row) (i32.const 2))) (local.get $row)))

(func $within (param $nodes i32) (param $edges i32) (param $from i32) (param $most i32) (param $row i32)
              (param $order i32) (result i32)
  (local $n i32) (local $i i32) (local $length i32) (local $start i32)
  (local.set $start (global.get $build))
  (local.set $n (i32.load (local.get $nodes)))
  (call $ways_from (local.get $n) (local.get $edges) (local.get $from))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
      (local.set $length (call $at4 (global.get $w_length) (local.get $i)))
      (if (i32.and (i32.ge_s (local.get $length) (i32.const 0)) (i32.le_s (local.get $length) (local.get $most))) (then
        (call $move_words (call $push (local.get $start) (i32.shl (local.get $row) (i32.const 2)))
          (call $node_at (local.get $nodes) (local.get $i) (local.get $row)) (local.get $row))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (call $rising (call $built (local.get $start) (i32.shl (local.get $row) (i32.const 2))) (local.get $order)))

;; The greatest length of a walk that uses no edge twice, -1 for too many edges. Exact; see the reference engine for the
;; bound.
;; $t_value: the lengths of the edges. An edge between two nodes is the shortest of them, so the first in the list.
(func $longest_by_length (param $nodes i32) (param $given i32) (result i32)
  (local $mark i32) (local $n i32) (local $m i32) (local $i i32) (local $j i32) (local $a i32) (local $b i32)
  (local $parents i32) (local $fill i32) (local $edges i32) (local $at i32) (local $before i64) (local $this i64)
  (local.set $mark (global.get $top))
  (local.set $n (i32.load (local.get $nodes)))
  (local.set $edges (call $zeroes (i32.add (i32.mul (i32.load (local.get $given)) (i32.const 3)) (i32.const 1))))
  (local.set $before (i64.const -1))
  (block $taken
    (loop $again
      (br_if $taken (i32.ge_u (local.get $i) (i32.load (local.get $given))))
      (local.set $at (call $edge_at (local.get $given) (local.get $i)))
      (local.set $this (i64.load (local.get $at)))
      (if (i32.and (i64.ne (local.get $this) (local.get $before))
                   (i32.lt_u (i32.load (local.get $at)) (i32.load offset=4 (local.get $at)))) (then
        (call $move_words (call $edge_at (local.get $edges) (local.get $m)) (local.get $at) (i32.const 3))
        (local.set $m (i32.add (local.get $m) (i32.const 1)))))
      (local.set $before (local.get $this))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (i32.store (local.get $edges) (local.get $m))
  (if (i32.gt_u (local.get $m) (i32.const @MOST_EDGES)) (then
    (global.set $top (local.get $mark))
    (return (i32.const -1))))
  (global.set $t_value (call $zeroes (i32.add (local.get $m) (i32.const 1))))
  (global.set $t_first (call $zeroes (i32.add (local.get $n) (i32.const 2))))
  (global.set $t_ways (call $zeroes (i32.add (i32.shl (local.get $m) (i32.const 2)) (i32.const 1))))
  (global.set $t_used (call $zeroes (i32.add (i32.shr_u (local.get $m) (i32.const 2)) (i32.const 1))))
  (global.set $t_stamp (call $zeroes (i32.add (local.get $n) (i32.const 1))))
  (global.set $t_queue (call $zeroes (i32.add (local.get $n) (i32.const 1))))
  (global.set $t_known (call $zeroes (i32.const 16384)))
  (local.set $fill (call $zeroes (i32.add (local.get $n) (i32.const 1))))
  (global.set $t_mask (i64.const 0))
  (global.set $t_time (i32.const 0))
  (global.set $t_best (i32.const 0))
  (global.set $t_few (i32.le_u (local.get $m) (i32.const 64)))
  (local.set $parents (call $singles (local.get $n)))
  (local.set $i (i32.const 0))
  (block $counted
    (loop $again
      (br_if $counted (i32.ge_u (local.get $i) (local.get $m)))
      (local.set $at (call $edge_at (local.get $edges) (local.get $i)))
      (local.set $a (i32.load (local.get $at)))
      (local.set $b (i32.load offset=4 (local.get $at)))
      (call $put4 (global.get $t_value) (local.get $i) (i32.load offset=8 (local.get $at)))
      (call $join (local.get $parents) (local.get $a) (local.get $b))
      (call $put4 (global.get $t_first) (i32.add (local.get $a) (i32.const 1))
        (i32.add (call $at4 (global.get $t_first) (i32.add (local.get $a) (i32.const 1))) (i32.const 1)))
      (call $put4 (global.get $t_first) (i32.add (local.get $b) (i32.const 1))
        (i32.add (call $at4 (global.get $t_first) (i32.add (local.get $b) (i32.const 1))) (i32.const 1)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (local.set $i (i32.const 0))
  (block $summed
    (loop $again
      (br_if $summed (i32.ge_u (local.get $i) (local.get $n)))
      (call $put4 (global.get $t_first) (i32.add (local.get $i) (i32.const 1))
        (i32.add (call $at4 (global.get $t_first) (local.get $i))
                 (call $at4 (global.get $t_first) (i32.add (local.get $i) (i32.const 1)))))
      (call $put4 (local.get $fill) (local.get $i) (call $at4 (global.get $t_first) (local.get $i)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  (local.set $i (i32.const 0))
  (block $wayed
    (loop $again
      (br_if $wayed (i32.ge_u (local.get $i) (local.get $m)))
      (local.set $at (call $edge_at (local.get $edges) (local.get $i)))
      (local.set $a (i32.load (local.get $at)))
      (local.set $b (i32.load offset=4 (local.get $at)))
      (call $way (local.get $fill) (local.get $a) (local.get $b) (local.get $i))
      (call $way (local.get $fill) (local.get $b) (local.get $a) (local.get $i))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $again)))
  ;; group by group: how long all its edges are, and then a walk from each of its nodes
  (local.set $i (i32.const 0))
  (block $done
    (loop $groups
      (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
      (if (i32.eq (call $root (local.get $parents) (local.get $i)) (local.get $i)) (then
        (global.set $t_whole (i32.const 0))
        (call $spend (i32.mul (local.get $m) (i32.const 16)))
        (local.set $j (i32.const 0))
        (block $all
          (loop $edges
            (br_if $all (i32.ge_u (local.get $j) (local.get $m)))
            (if (i32.eq (call $root (local.get $parents) (i32.load (call $edge_at (local.get $edges) (local.get $j))))
                        (local.get $i)) (then
              (global.set $t_whole (i32.add (global.get $t_whole) (call $at4 (global.get $t_value) (local.get $j))))))
            (local.set $j (i32.add (local.get $j) (i32.const 1)))
            (br $edges)))
        (memory.fill (global.get $t_known) (i32.const 0) (i32.const 65536))
        (local.set $j (i32.const 0))
        (block $enough
          (loop $starts
            (br_if $enough (i32.ge_u (global.get $t_best) (global.get $t_whole)))
            (if (i32.eq (call $root (local.get $parents) (local.get $j)) (local.get $i)) (then
              (drop (call $walk (local.get $j) (i32.const 0)))
              ;; a search that ended early left its marks
              (memory.fill (global.get $t_used) (i32.const 0) (local.get $m))
              (global.set $t_mask (i64.const 0))))
            (local.set $j (i32.add (local.get $j) (i32.const 1)))
            (br_if $starts (i32.lt_u (local.get $j) (local.get $n)))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $groups)))
  (global.set $top (local.get $mark))
  (global.get $t_best))

;; Goes on from a node; 1 when no walk of the group can be longer.
(func $walk (param $node i32) (param $length i32) (result i32)
  (local $at i32) (local $end i32) (local $edge i32) (local $bit i64)
  (call $spend (i32.const 64))
  (if (i32.gt_u (local.get $length) (global.get $t_best)) (then (global.set $t_best (local.get $length))))
  (if (i32.ge_u (global.get $t_best) (global.get $t_whole)) (then (return (i32.const 1))))
  (if (global.get $t_few) (then
    (local.set $at (i32.add (global.get $t_known) (i32.shl (i32.and (i32.wrap_i64 (i64.shr_u
      (i64.mul (i64.xor (global.get $t_mask) (i64.shl (i64.extend_i32_u (local.get $node)) (i64.const 56)))
        (i64.const 0x9E3779B97F4A7C15)) (i64.const 44))) (i32.const 4095)) (i32.const 4))))
    (if (i32.and (i64.eq (i64.load (local.get $at)) (global.get $t_mask))
                 (i32.eq (i32.load offset=8 (local.get $at)) (i32.add (local.get $node) (i32.const 1)))) (then
      (return (i32.const 0))))
    (i64.store (local.get $at) (global.get $t_mask))
    (i32.store offset=8 (local.get $at) (i32.add (local.get $node) (i32.const 1)))))
  (if (i32.le_u (i32.add (local.get $length) (call $left_over (local.get $node))) (global.get $t_best)) (then
    (return (i32.const 0))))
  (local.set $at (i32.add (global.get $t_ways)
    (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (local.get $node) (i32.const 2)))) (i32.const 3))))
  (local.set $end (i32.add (global.get $t_ways)
    (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (i32.add (local.get $node) (i32.const 1)) (i32.const 2)))) (i32.const 3))))
  (block $done
    (loop $again
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $edge (i32.load offset=4 (local.get $at)))
      (if (i32.eqz (i32.load8_u (i32.add (global.get $t_used) (local.get $edge)))) (then
        (local.set $bit (select (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $edge))) (i64.const 0) (global.get $t_few)))
        (i32.store8 (i32.add (global.get $t_used) (local.get $edge)) (i32.const 1))
        (global.set $t_mask (i64.or (global.get $t_mask) (local.get $bit)))
        (if (call $walk (i32.load (local.get $at))
              (i32.add (local.get $length) (i32.load (i32.add (global.get $t_value) (i32.shl (local.get $edge) (i32.const 2)))))) (then
          (return (i32.const 1))))
        (global.set $t_mask (i64.xor (global.get $t_mask) (local.get $bit)))
        (i32.store8 (i32.add (global.get $t_used) (local.get $edge)) (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $again)))
  (i32.const 0))

;; What a walk can still gain at most: the edges it can reach, less those that it cannot all use.
(func $left_over (param $start i32) (result i32)
  (local $head i32) (local $tail i32) (local $node i32) (local $at i32) (local $end i32) (local $free i32) (local $other i32)
  (local $whole i64) (local $odd i32) (local $least i32) (local $length i32)
  (global.set $t_time (i32.add (global.get $t_time) (i32.const 1)))
  (i32.store (i32.add (global.get $t_stamp) (i32.shl (local.get $start) (i32.const 2))) (global.get $t_time))
  (i32.store (global.get $t_queue) (local.get $start))
  (local.set $tail (i32.const 1))
  (local.set $least (i32.const 0x7FFFFFFF))
  (loop $nodes
    (local.set $node (i32.load (i32.add (global.get $t_queue) (i32.shl (local.get $head) (i32.const 2)))))
    (local.set $free (i32.const 0))
    (local.set $at (i32.add (global.get $t_ways)
      (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (local.get $node) (i32.const 2)))) (i32.const 3))))
    (local.set $end (i32.add (global.get $t_ways)
      (i32.shl (i32.load (i32.add (global.get $t_first) (i32.shl (i32.add (local.get $node) (i32.const 1)) (i32.const 2)))) (i32.const 3))))
    (block $done
      (loop $ways
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (if (i32.eqz (i32.load8_u (i32.add (global.get $t_used) (i32.load offset=4 (local.get $at))))) (then
          (local.set $free (i32.add (local.get $free) (i32.const 1)))
          (local.set $length (i32.load (i32.add (global.get $t_value) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 2)))))
          (local.set $whole (i64.add (local.get $whole) (i64.extend_i32_u (local.get $length))))
          (if (i32.lt_s (local.get $length) (local.get $least)) (then (local.set $least (local.get $length))))
          (local.set $other (i32.load (local.get $at)))
          (if (i32.ne (i32.load (i32.add (global.get $t_stamp) (i32.shl (local.get $other) (i32.const 2)))) (global.get $t_time)) (then
            (i32.store (i32.add (global.get $t_stamp) (i32.shl (local.get $other) (i32.const 2))) (global.get $t_time))
            (i32.store (i32.add (global.get $t_queue) (i32.shl (local.get $tail) (i32.const 2))) (local.get $other))
            (local.set $tail (i32.add (local.get $tail) (i32.const 1)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $ways)))
    (if (i32.and (i32.and (local.get $free) (i32.const 1)) (i32.ne (local.get $node) (local.get $start))) (then
      (local.set $odd (i32.add (local.get $odd) (i32.const 1)))))
    (local.set $head (i32.add (local.get $head) (i32.const 1)))
    (br_if $nodes (i32.lt_u (local.get $head) (local.get $tail))))
  (call $spend (i32.mul (local.get $tail) (i32.const 64)))
  (if (i64.eqz (local.get $whole)) (then (return (i32.const 0))))
  (local.set $odd (select (i32.shr_u (i32.sub (local.get $odd) (i32.const 1)) (i32.const 1)) (i32.const 0) (local.get $odd)))
  (i32.wrap_i64 (i64.sub (i64.shr_u (local.get $whole) (i64.const 1))
    (i64.mul (i64.extend_i32_u (local.get $odd)) (i64.extend_i32_u (local.get $least))))))
