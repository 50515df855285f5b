"""Answers its first getAction and ends."""

from asked import answer, play_until_action

play_until_action()
answer("getAction")
raise SystemExit(4)
