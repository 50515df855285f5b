"""All formats, by the `kind` of `[format]`. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from referee.tournament.formats import Format
from referee.tournament.formats.compare import Compare
from referee.tournament.formats.develobear import Develobear
from referee.tournament.formats.gauntlet import Gauntlet
from referee.tournament.formats.knockout import Knockout
from referee.tournament.formats.ladder import Ladder
from referee.tournament.formats.round_robin import RoundRobin
from referee.tournament.formats.swiss import Swiss

Kind: TypeAlias = Literal["round-robin", "gauntlet", "swiss", "knockout", "develobear", "ladder", "compare"]
KINDS: Final[Mapping[Kind, type[Format]]] = {
    "round-robin": RoundRobin,
    "gauntlet": Gauntlet,
    "swiss": Swiss,
    "knockout": Knockout,
    "develobear": Develobear,
    "ladder": Ladder,
    "compare": Compare,
}
