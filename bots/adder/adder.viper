name: Adder
description: Goes for tails up to three steps away.

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
