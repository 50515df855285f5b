"""Answers its first getAction and exits."""

from asked import answer, play_until_action

play_until_action()
answer("getAction")
raise SystemExit(4)
