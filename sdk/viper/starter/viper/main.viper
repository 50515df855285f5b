name: @NAME@
description: Bites tails beside its head, moves towards tails nearby, and avoids dead ends.

scheme and: bite a tail that is beside the head
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Z- -- -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: go for a tail that is two steps away
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Zw -- -- --
-- -- Zw V- Zw -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: go for a tail ahead, where there is a way on
-- Zw Zw Zw Zw Zw --
-- Zw Zw Zw Zw Zw --
-- Zw Zw Zw Zw Zw --
-- Zw Zw Vy Zw Zw --
-- Zw Vy V- Vy Zw --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --

scheme or: two free cells in a row, straight on or to one side
-- -- -- -- -- -- --
-- -- -- Vw -- -- --
-- -- -- Vw -- -- --
-- Vb Vb V- Vy Vy --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
