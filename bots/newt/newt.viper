name: Newt
description: Bites a tail beside its head; else it goes where it can.

scheme and: bite
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
-- -- -- Z- -- -- --
-- -- -- ^^ -- -- --
-- -- -- -- -- -- --
-- -- -- -- -- -- --
