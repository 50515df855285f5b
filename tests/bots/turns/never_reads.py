"""Leaves its request where it is."""

from turned import rest

rest()
