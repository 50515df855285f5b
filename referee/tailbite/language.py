"""Programs in the form of the contract. `Language` holds what differs between the games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.contract.frame import Sheet
from referee.contract.programs import ConvertedProgram, Document, Policy, Request, Ruling
from referee.tailbite import rulings
from referee.tailbite.parsing import parse
from referee.tailbite.patterns import Program
from referee.tailbite.sheets import Drawer
from referee.tailbite.sight import LETTERS, Sight
from referee.tailbite.verdicts import Decider, Meaning


@dataclass(slots=True)
class Language:
    """A game's own language for players: the `Programs` of the contract.

    `importer` converts a program of another server, `exporter` a program for that server. Both raise ProgramError.
    """

    suffix: str
    meaning: Meaning
    importer: Callable[[bytes, str], ConvertedProgram]
    exporter: Callable[[bytes, str], ConvertedProgram]

    @property
    def part(self) -> str:
        """The word that players use for a chart."""
        return self.meaning.dialect.part

    @property
    def moves(self) -> str:
        """The letters of all moves."""
        return LETTERS

    def compile(self, source: bytes, file: str) -> Policy[Sight, str]:
        """Make a player of a program. Raises: ProgramError, with file, line and column."""
        return Decider(self._parse(source, file), self.meaning)

    def document(self, source: bytes, file: str) -> Document:
        """A program as a document. Raises: ProgramError."""
        from referee.tailbite.documents import document_of

        return document_of(source, file, self.meaning)

    def text(self, document: Document, source: bytes | None = None) -> str:
        """The text of a document. Raises: ProgramError."""
        from referee.tailbite.documents import text_of

        return text_of(document, source, self.meaning.dialect)

    def show(self, source: bytes, file: str) -> Sequence[Sheet]:
        """Draw a program: one sheet for its name, description and sets, and one for each chart. Raises: ProgramError."""
        return Drawer(self.meaning).shown(self._parse(source, file))

    def decide(self, source: bytes, file: str, request: Request[Sight]) -> Ruling:
        """What the program decides, and what each chart says. Raises: ProgramError."""
        return rulings.decide(self._parse(source, file), self.meaning, request)

    def explain(self, source: bytes, file: str, request: Request[Sight]) -> Sequence[Sheet]:
        """Explain what the program decides for a request. Raises: ProgramError."""
        return Drawer(self.meaning).explained(self._parse(source, file), request)

    def import_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Import a program that was written for another server. Raises: ProgramError."""
        return self.importer(source, file)

    def export_program(self, source: bytes, file: str) -> ConvertedProgram:
        """Export a program to another server. Raises: ProgramError."""
        return self.exporter(source, file)

    def _parse(self, source: bytes, file: str) -> Program:
        return parse(source, file, self.meaning.dialect)
