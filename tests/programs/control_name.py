"""Answers a name with DEL and a C1 control: valid, because each byte is at least 0x20, and harmful when printed."""

from asked import play

play(name="a\x7fb\x9b31mc\n".encode())
