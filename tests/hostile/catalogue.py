"""The tables of referee/sandbox/README.md: the parameters of these tests."""

import re
from pathlib import Path
from typing import Final, NamedTuple

import referee.sandbox

README: Final = Path(referee.sandbox.__file__).with_name("README.md")
HERE: Final = Path(__file__).parent
ATTACKS: Final = HERE / "attacks"
SEATS: Final = "seats.c"
"""Its attacks take two players."""
_DEFINITIONS: Final = {
    ".c": r"^ATTACK\((\w+)\)",
    ".py": r"^@attack\ndef (\w+)\(",
    ".java": r'^ +case "(\w+)" ->',
    ".js": r"^attacks\.(\w+) =",
}
NO_ATTACKS: Final = {"succeed_as"}
"""The program that an attack executes to show that it succeeded."""


class Attack(NamedTuple):
    """A row: the result of the attack at each level, or all possible results if it depends on the user or the machine."""

    program: str
    name: str
    tries: str
    bare: frozenset[str]
    reduced: frozenset[str]
    full: frozenset[str]
    layer: str


class Abuser(NamedTuple):
    """A row: a player, and the verdict of a match under level full."""

    program: str
    rule: str
    verdict: str
    words: str


class Build(NamedTuple):
    """A row: what a build tries, the result without a jail, and in the jail: its output, or why it was ended."""

    name: str
    tries: str
    bare: frozenset[str]
    jail: str
    layer: str


def attacks() -> list[Attack]:
    """The rows of all tables under the name of a program in `attacks`."""
    result = []
    for program, cells in _rows("attacks"):
        name, tries, bare, reduced, full, layer = cells
        result.append(Attack(program, name, tries, *(_either(cell) for cell in (bare, reduced, full)), layer))
    return result


def folders() -> list[list[str]]:
    """The rows of the folders: name, what the folder tries, how it is refused."""
    return [cells for _, cells in _rows("folders")]


def abusers() -> list[Abuser]:
    """The rows of the players."""
    return [Abuser(*cells) for _, cells in _rows("players")]


def builds() -> list[Build]:
    """The rows of the builds."""
    return [Build(cells[0], cells[1], _either(cells[2]), *cells[3:]) for _, cells in _rows("builds")]


def programs() -> list[str]:
    """The programs that attack."""
    return sorted(path.name for path in ATTACKS.iterdir() if path.suffix in _DEFINITIONS)


def attacks_of(program: str) -> list[str]:
    """The attacks that the source of a program defines."""
    path = ATTACKS / program
    names = re.findall(_DEFINITIONS[path.suffix], path.read_text(), re.MULTILINE)
    return [name for name in names if name not in NO_ATTACKS]


def _rows(kind: str) -> list[tuple[str, list[str]]]:
    """(program, cells) of the tables between `<!-- kind -->` and the next such mark."""
    text = README.read_text().partition(f"<!-- {kind} -->\n")[2].partition("<!-- ")[0]
    rows, program = [], ""
    for line in text.splitlines():
        if named := re.match(r"#+ .*`(\S+)`", line):
            program = named[1]
        elif re.match(r"\| `", line):
            rows.append((program, [cell.strip().strip("`") for cell in line.strip("|").split("|")]))
    return rows


def _either(cell: str) -> frozenset[str]:
    return frozenset(cell.split(" or "))
