"""Crashes when its python has no body."""

from parts import log, own, requests, say

for lines in requests():
    if lines != ["getName"]:
        body = own(lines)[4:]
        log(f"my body: {body}")
        tail = body[-2], body[-1]
        assert tail
    say("bot\n" if lines == ["getName"] else "N\n")
