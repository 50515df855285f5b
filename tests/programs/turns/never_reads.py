"""Does not read its request."""

from turned import rest

rest()
