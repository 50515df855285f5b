"""The figures of a tournament, computed from the results of its series. Pure.

1. Only series that *count* enter: all their matches are played. Void series are left out here; callers may pass them.
2. No figure depends on the order in which results are passed. Numbers are not rounded.
3. The *pairs* of a match are its games of two: a win is 1, a shared place 0.5. An entrant that sits in several seats plays no
   game with itself.

`table` puts the rows together; `rating` and `sums` are its parts. `comparison` tests whether one bot is better than another.
`times` keeps answer times.
"""
