"""The exact bytes of a match on disk, and which step each of them belongs to.

1. A transcript is a folder: a file for each seat and stream (`seatK.in`, `seatK.out`, `seatK.err`, K from 0) and `index.jsonl`.
   `in` has the requests, `out` the answers, and `err` the player's log, at most `writing.LOG_CAP` bytes.
2. The index begins with a header that names the match. Then each step of the match has a line, written as the match runs: for
   each seat that was asked, how long its three files were after its answer. So the bytes of a step are those between the seat's
   previous line and this one.
3. Requests and answers are exact. A log arrives by itself, so the referee reads what has arrived when it has the answer. What a
   player writes (and flushes) before its answer belongs to the step of that answer. What it writes later, while it waits or
   ponders, belongs to its next step. What it writes after its last answer belongs to none.
4. A reader trusts nothing: the folder may be of another match, incomplete, or written by somebody else.
"""
