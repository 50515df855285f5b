"""Ends its lines with a lone carriage return, as old Macs did."""

from parts import play

play("bot\r", "N\r")
