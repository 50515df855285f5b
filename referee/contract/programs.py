"""Players that need no process, and programs in a game's own language, which the referee runs itself.

1. A program is a text. Such a language consists of *charts*, small squares of cells around the own head. The first chart that
   fits decides. A page or an editor knows charts, and no game.
2. A program has two more forms than its text: a `Document` for editors, and a `Policy` that plays. A document holds everything
   that the program says, and what the language allows.
3. Whether a chart fits, and why, is said by the language alone (`decide`), so that no rule is written twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from referee.contract.frame import Sheet

Obs = TypeVar("Obs")
ActOut = TypeVar("ActOut", covariant=True)

Document: TypeAlias = dict[str, Any]
"""A program as JSON, for editors (programs.md, Programs as JSON)."""


class Request(NamedTuple, Generic[Obs]):
    """A question to one seat. The observation may share data with the state: it is valid until the next `advance`."""

    seat: int
    ask: str
    observation: Obs


class Policy(Protocol[Obs, ActOut]):
    """A player that needs no process: a program in the game's own language, or a player of the house. Pure and fast."""

    @property
    def name(self) -> str:
        """The answer to `getName`."""

    def decide(self, request: Request[Obs]) -> ActOut:
        """The answer to any other request."""


@dataclass(frozen=True, slots=True)
class ConvertedProgram:
    """A program converted from another server's format or into it: the new text, and notes on what was changed."""

    text: str
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class ChartCell:
    """A cell of a chart laid over the board.

    Attributes:
        x, y: the cell in the chart, as it is written.
        dx, dy: where it is from the own head: cells to the right and down.
        text: as written in the program. fits: whether what is there matches it.
    """

    x: int
    y: int
    dx: int
    dy: int
    text: str
    fits: bool


@dataclass(frozen=True, slots=True)
class ChartRuling:
    """What a chart says to a request.

    Attributes:
        chart: its number, from 1.
        verdict: `fires` for the chart that decides; `fits` for a later one that would decide without it; `no` for one that does
            not fit; `unreached` for a later one that does not fit either.
        why: one line: the first cell that fails, or how the moves were rated.
        moves: the moves that it chooses, one letter each; a letter that occurs twice is twice as likely. Empty if it does
            not fit.
        goes: the move of the variant in `cells`; empty if no variant was checked.
        cells: the variant that fits best, or comes nearest, as it lies on the board.
    """

    chart: int
    verdict: Literal["fires", "fits", "no", "unreached"]
    why: str
    moves: str
    goes: str
    cells: Sequence[ChartCell]

    def as_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a program answers to a request, and what each of its charts says. `action` is what `Policy.decide` returns."""

    action: Any
    charts: Sequence[ChartRuling]

    @property
    def fired(self) -> int:
        """The number of the chart that decides; 0 if none does."""
        return next((ruling.chart for ruling in self.charts if ruling.verdict == "fires"), 0)


class Programs(Protocol):
    """Programs in a game's own language, which the referee runs itself. `source` is bytes, `file` a name for messages."""

    suffix: str
    """The suffix of their files, with the dot."""

    @property
    def part(self) -> str:
        """The word that players use for a chart."""

    @property
    def moves(self) -> str:
        """The letters of all moves."""

    def compile(self, source: bytes, file: str) -> Policy[Any, Any]:
        """Read a program. Raises: ProgramError: with file, line and column."""

    def document(self, source: bytes, file: str) -> Document:
        """A program as a document. Raises: ProgramError."""

    def text(self, document: Document, source: bytes | None = None) -> str:
        """The text of a document, which may come from a stranger.

        Args:
            source: the text before it was edited. If the document says the same, its bytes are kept.

        Raises:
            ProgramError: it is no program. Line and column are those of the text that it would have.
        """

    def show(self, source: bytes, file: str) -> Sequence[Sheet]:
        """Draw a program. Raises: ProgramError."""

    def decide(self, source: bytes, file: str, request: Request[Any]) -> Ruling:
        """What the program decides on a request, and what each chart says. Raises: ProgramError."""

    def explain(self, source: bytes, file: str, request: Request[Any]) -> Sequence[Sheet]:
        """What the program decides on a request, and why. The first sheet is what it sees, with the outcome as its notes.

        Raises: ProgramError.
        """

    def import_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Convert a program of another server. Raises: ProgramError."""

    def export_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Convert a program to the format of another server. Raises: ProgramError."""
