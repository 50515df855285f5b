"""Every game of the referee keeps the contract."""

from referee import games
from referee.testing import conformance

test_conformance = conformance(*games.own())
