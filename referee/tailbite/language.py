"""Programs in the form of the contract. `Language` holds what differs between the games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.boards.grid import DIRECTIONS
from referee.contract.frame import Sheet
from referee.contract.programs import ConvertedProgram, Document, Policy, Request, Ruling
from referee.tailbite import rulings
from referee.tailbite.parsing import Dialect, parse
from referee.tailbite.sheets import Drawer
from referee.tailbite.sight import Sight
from referee.tailbite.verdicts import Meaning


@dataclass(slots=True)
class Language:
    """A game's own language for players. It is a `referee.contract.programs.Programs`.

    Attributes:
        suffix: the suffix of the language's files.
        dialect: how its text differs from that of the other game.
        meaning: how its charts are matched.
        importer: converts a program of another server. exporter: converts a program for that server. Both raise ProgramError.
    """

    suffix: str
    dialect: Dialect
    meaning: Meaning
    importer: Callable[[bytes, str], ConvertedProgram]
    exporter: Callable[[bytes, str], ConvertedProgram]

    @property
    def part(self) -> str:
        """The word that players use for a chart."""
        return self.dialect.part

    @property
    def moves(self) -> str:
        """The letters of all moves."""
        return "".join(DIRECTIONS)

    def compile(self, source: bytes, file: str) -> Policy[Sight, str]:
        """Make a player of a program. Raises: ProgramError, with file, line and column."""
        return self.meaning.policy(parse(source, file, self.dialect))

    def document(self, source: bytes, file: str) -> Document:
        """A program as a document. Raises: ProgramError."""
        from referee.tailbite.documents import document_of

        return document_of(source, file, self.dialect, self.meaning)

    def text(self, document: Document, source: bytes | None = None) -> str:
        """The text of a document. Raises: ProgramError."""
        from referee.tailbite.documents import text_of

        return text_of(document, source, self.dialect)

    def show(self, source: bytes, file: str) -> Sequence[Sheet]:
        """Draw a program: one sheet for its name, description and sets, and one for each chart. Raises: ProgramError."""
        return Drawer(self.dialect, self.meaning).shown(parse(source, file, self.dialect))

    def decide(self, source: bytes, file: str, request: Request[Sight]) -> Ruling:
        """What the program decides, and what each chart says. Raises: ProgramError."""
        return rulings.decide(parse(source, file, self.dialect), self.dialect, self.meaning, request)

    def explain(self, source: bytes, file: str, request: Request[Sight]) -> Sequence[Sheet]:
        """Explain what the program decides for a request. Raises: ProgramError."""
        return Drawer(self.dialect, self.meaning).explained(parse(source, file, self.dialect), request)

    def import_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Import a program that was written for another server. Raises: ProgramError."""
        return self.importer(source, file)

    def export_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Export a program to another server. Raises: ProgramError."""
        return self.exporter(source, file)
