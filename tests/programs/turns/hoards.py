"""Allocates 64 MiB and waits."""

from turned import read, rest

read()
hoard = bytearray(b"x") * (64 << 20)
rest()
