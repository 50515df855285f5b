name: Taipan
description: Hunts every tail that it sees, and else stays beside its own.

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

scheme and: a tail four or five steps away
-- -- Zw Zw Zw -- --
-- Zw Zw Zw Zw Zw --
Zw Zw Zw Vy Zw Zw Zw
Zw Zw Vy V- Vy Zw Zw
-- Zw -- ^^ -- Zw --
-- -- -- -- -- -- --
-- -- -- -- -- -- --

scheme and: a tail somewhere ahead
Zw Zw Zw Zw Zw Zw Zw
Zw Zw Zw Zw Zw Zw Zw
Zw Zw Zw Zw Zw Zw Zw
Zw Zw Zw Zw Zw Zw Zw
-- Zw Zw Vy Zw Zw --
-- -- Vy V- Vy -- --
-- -- -- ^^ -- -- --

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

scheme or: a lane on one side
-- -- -- -- -- -- --
-- -- -- Vw -- -- --
-- -- -- Vw -- -- --
-- Vb Vb V- Vy Vy --
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
