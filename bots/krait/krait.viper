name: Krait
description: Goes for tails that are near, and else stays beside its own.

scheme and: bite
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Z- -- -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: a tail two steps away
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Zw -- -- --
-- -- Zw V- Zw -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: a tail three steps away
-- -- -- -- -- -- --
-- -- -- Zw -- -- --
-- -- Zw Vy Zw -- --
-- Zw Vy V- Vy Zw --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: onto the own tail
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- T- -- -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: after the own tail
-- -- Tw Tw Tw -- --
-- Tw Tw Tw Tw Tw --
Tw Tw Tw Tw Tw Tw Tw
Tw Tw Tw Vy Tw Tw Tw
-- Tw Vy V- Vy Tw --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --

scheme and: two ways on
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Vw -- -- --
-- -- Vy V- Vw -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: a way on
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Vw -- -- --
-- -- Vw V- Vw -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
