"""Checks of a game's own language: its sample programs, and programs that are damaged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from referee.bots import samples
from referee.bots.manifest import MANIFEST, manifest_of
from referee.contract.frame import Sheet
from referee.contract.game import Request
from referee.contract.programs import Programs, Ruling
from referee.errors import ProgramError
from referee.files import assets
from referee.testing.subject import LeftOut, Subject


def programs(subject: Subject) -> None:
    """Sample programs compile, give the same answer again, and are shown; a damaged one is refused with its line."""
    if (language := subject.game.programs) is None:
        raise LeftOut("the game has no language of its own")
    missing = [name for name in dir(Programs) if not name.startswith("_") and not hasattr(language, name)]
    subject.must(not missing, f"the language lacks {', '.join(missing)}")
    subject.must(language.suffix.startswith("."), f"the suffix is {language.suffix!r}")
    samples = dict(_sample_programs(subject))
    subject.must(samples, "there is no sample program")
    for file, source in samples.items():
        policy, again = language.compile(source, file), language.compile(source, file)
        name = subject.game.decode("getName", [policy.name.encode()])
        subject.must(name == policy.name, f"{file}: its name is {policy.name!r}")
        _sheets(subject, language.show(source, file))
        document = json.loads(json.dumps(language.document(source, file)))
        text = language.text(document, source)
        subject.must(text.encode() == source, f"{file}: the text of its document has other bytes")
        second = language.document(language.text(document).encode(), file)
        subject.must(second == {**document, "notes": second["notes"]}, f"{file}: its text loses something")
        for number, request in enumerate(_requests(subject)):
            action = policy.decide(request)
            subject.must(subject.is_answer(request.ask, action), f"{file} answers what no bot can")
            subject.must(again.decide(request) == action, f"{file} answers differently the second time")
            _ruled(subject, file, language.decide(source, file, request), action)
            if number % 10 == 0:
                _sheets(subject, language.explain(source, file, request))
    mine = "mine" + language.suffix
    for source in (b"", b"\xff\xfe\0", b"nonsense\n" * 3, b"name: x\n", b"\n" * 5):
        convert = (language.import_program, language.export_program)
        for read in (language.compile, language.show, language.document, *convert):
            _tried(subject, partial(read, source, mine), source, f"{source!r}", is_wrong=True)
    for number in range(60):
        chance = Random(number)
        file, source = chance.choice(sorted(samples.items()))
        start, end = sorted(chance.randrange(len(source) + 1) for _ in range(2))
        damage = chance.choice([b"\n", b"  ", b"XX", chance.randbytes(chance.randrange(6))])
        damaged = source[:start] + damage + source[end:]
        _tried(subject, partial(_decided, subject, damaged, file), damaged, f"{file}, {start}:{end} = {damage!r}")


def _ruled(subject: Subject, file: str, ruling: Ruling, action: Any) -> None:
    """What each chart says fits together with the answer."""
    subject.must(ruling.action == action, f"{file}: `decide` has another answer than the policy")
    for number, chart in enumerate(ruling.charts, start=1):
        which, verdict = f"{file}, chart {number}", chart.verdict
        usual = {"fits", "unreached"} if 0 < ruling.fired < number else {"no", "fires"}
        subject.must(chart.chart == number and verdict in usual, f"{which} {verdict} as number {chart.chart}")
        fits = verdict in ("fires", "fits")
        subject.must(bool(chart.moves) == fits, f"{which} {verdict} and has the moves {chart.moves!r}")
        are_moves = set(chart.moves + chart.goes) <= set(subject.game.programs.moves if subject.game.programs else "")
        subject.must(are_moves, f"{which} has unknown moves: {chart.moves}{chart.goes}")
        subject.must(chart.why.isprintable() and chart.why, f"{which}: why is {chart.why!r}")


def _decided(subject: Subject, source: bytes, file: str) -> None:
    language, request = subject.game.programs, next(_requests(subject))
    assert language is not None
    subject.must(subject.is_answer(request.ask, language.compile(source, file).decide(request)), "no bot can answer so")
    _sheets(subject, language.show(source, file))


def _tried(subject: Subject, read: Any, source: bytes, what: str, *, is_wrong: bool = False) -> None:
    try:
        read()
    except ProgramError as refused:
        most = len(source.splitlines()) + 1
        is_line = 0 <= refused.line <= most and str(refused).isprintable()
        subject.must(is_line, f"{what} is refused in line {refused.line}: {refused}")
    else:
        subject.must(not is_wrong, f"{what} is accepted")


def _sample_programs(subject: Subject) -> Iterator[tuple[str, bytes]]:
    """The sample bots that are programs: the names and contents of their files."""
    homes = list(assets.samples(subject.game.name))
    for name in samples(subject.game.name):
        folder = next(home / name for home in homes if (home / name / MANIFEST).is_file())
        if (program := manifest_of(folder / MANIFEST).program) is not None:
            yield program, (folder / program).read_bytes()


def _requests(subject: Subject) -> Iterator[Request[Any]]:
    """The requests for actions in a random match. Each is valid only until the next."""
    state = subject.new(17)
    for _ in subject.steps(state, Random(17), 60):
        yield from (request for request in state.requests() if request.ask != "getName")


def _sheets(subject: Subject, sheets: Sequence[Sheet]) -> None:
    subject.must(sheets, "nothing is shown")
    for sheet in sheets:
        texts = [sheet.title, *sheet.notes, *(patch.text for row in sheet.rows for patch in row)]
        wrong = next((text for text in texts if not text.isprintable()), None)
        subject.must(wrong is None, f"{wrong!r} is not printable")
        cells = all(len(patch.text) == 2 and patch.text.isascii() for row in sheet.rows for patch in row)
        subject.must(cells, f"a cell of {sheet.title} is not two ASCII characters")
