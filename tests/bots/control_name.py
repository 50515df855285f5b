"""A name with DEL and a C1 control: legal, since each byte is at least 0x20, and harmful when shown."""

from asked import play

play(name="a\x7fb\x9b31mc\n".encode())
