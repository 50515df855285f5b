"""A harness for contests between programs: it plays, times, judges, saves and replays matches.

As a library, it offers the names of `__all__`; `referee help library` describes them. Each is imported on first use, so that
`import referee` costs nothing. `referee.env` makes environments for training. No other name of the package is public.
"""

TYPE_CHECKING = False  # type checkers read it as true; to import it from `typing` would take longer than all the rest
if TYPE_CHECKING:
    from referee import env as env
    from referee.contract.game import Fault as Fault
    from referee.contract.ranking import Outcome as Outcome
    from referee.contract.ranking import Ranked as Ranked
    from referee.errors import BotError as BotError
    from referee.errors import InternalError as InternalError
    from referee.errors import InvalidReply as InvalidReply
    from referee.errors import IsolationError as IsolationError
    from referee.errors import ProgramError as ProgramError
    from referee.errors import RefereeError as RefereeError
    from referee.errors import SavedGameError as SavedGameError
    from referee.errors import SetupError as SetupError
    from referee.errors import UsageError as UsageError
    from referee.library.board import Board as Board
    from referee.library.board import Game as Game
    from referee.library.board import Request as Request
    from referee.library.matches import Match as Match
    from referee.library.matches import play as play
    from referee.library.policies import Player as Player
    from referee.library.policies import Policy as Policy
    from referee.library.saved import Answer as Answer
    from referee.library.saved import SavedGame as SavedGame
    from referee.library.saved import Step as Step
    from referee.library.saved import load as load
    from referee.library.standings import Standings as Standings
    from referee.library.standings import rate as rate

__version__ = "0.2.0"

_ERRORS = (
    "BotError InternalError InvalidReply IsolationError ProgramError RefereeError SavedGameError SetupError UsageError"
)
_MODULES = {
    "referee.errors": _ERRORS,
    "referee.contract.game": "Fault",
    "referee.library.board": "Board Game Request",
    "referee.library.matches": "Match play",
    "referee.library.policies": "Player Policy",
    "referee.library.saved": "Answer SavedGame Step load",
    "referee.library.standings": "Standings rate",
    "referee.contract.ranking": "Outcome Ranked",
}
"""The public names by the module that each is imported from."""
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_HOMES)


if not TYPE_CHECKING:  # to a type checker, it would make every name valid

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "env":
            return import_module("referee.env")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        member: object = getattr(import_module(_HOMES[name]), name)
        globals()[name] = member
        return member


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "env"})
