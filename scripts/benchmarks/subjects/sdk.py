"""From a request to the bot's board, in each language that has an SDK or a starter kit."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.figures import spread
from benchmarks.kits import built, measured_languages
from benchmarks.loops import WrongError
from benchmarks.maps import standard_map
from benchmarks.report import Cell, Findings, Table
from benchmarks.setting import Setting
from benchmarks.subject import Subject
from benchmarks.work import of_rounds
from referee import bots, games
from referee.bots import Bot
from referee.building import BuildResult
from referee.errors import BotError
from referee.kits import starter

READERS: Final = Path(__file__).parents[1] / "sdks"
GAME: Final = "snakecore"
KIT: Final = "@KIT@"
"""In a reader's source, this stands for the starter kit, which reads boards if the language has no SDK."""
MAINS: Final = {
    "c": ("int main(void)", "int main_of_the_kit(void)"),
    "go": ("func main()", "func mainOfTheKit()"),
    "ruby": ("while (request = gets)", "while !defined?(Reader) && (request = gets)"),
    "rust": ("fn main()", "fn main_of_the_kit()"),
}
"""The declaration of a kit's main function, and its replacement here."""


def reader(setting: Setting, language: str) -> Bot:
    """The program that reads boards in a language, not built yet.

    Raises:
        BotError: the language is not on this machine.
    """
    folder = setting.room(language) / "reader"
    shutil.copytree(READERS / language, folder, ignore=shutil.ignore_patterns("__pycache__"))
    folder.chmod(0o755)
    for source in folder.iterdir():
        text = source.read_text(encoding="utf-8")
        if KIT in text:
            own, other = MAINS[language]
            kit = (starter.kit(language, GAME) / f"main{source.suffix}").read_text(encoding="utf-8")
            if kit.count(own) != 1:
                raise WrongError(f"the starter kit of {language} has no {own!r}")
            source.write_text(text.replace(KIT, kit.replace(own, other)), encoding="utf-8")
    return bots.find(str(folder))


def seconds_per_request(bot: Bot, requests: Path, count: int) -> float:
    """Let a reader read a file of requests: seconds per request, from the second half of them."""
    answers = requests.with_name("answers")
    with requests.open("rb") as file, answers.open("wb") as out:
        done = subprocess.run(
            bot.argv, cwd=bot.cwd, env={**bot.env, "REQUESTS": str(count)},
            stdin=file, stdout=out, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    told = done.stderr.split()
    if done.returncode or not told or answers.read_bytes().count(b"\n") != count:
        raise WrongError(f"{bot.argv[0]} did not read its requests: {done.stderr[-300:].decode(errors='replace')}")
    return int(told[-1]) / (count - count // 2) / 1e9


def measure(setting: Setting) -> Findings:
    """Each language in turn."""
    game = games.find(GAME)
    work = of_rounds(setting, game, standard_map(game), setting.pick(100, 20))
    asked = [message.request for message in work.messages() if message.ask == "getAction"]
    usual = sorted(asked, key=len)[len(asked) // 2]
    count = setting.pick(6_000, 200)
    requests = setting.folder / "requests"
    requests.write_bytes(usual * count)
    unbuilt: dict[str, Bot] = {}
    notes = []
    languages, left_out = measured_languages(setting, sorted(folder.name for folder in READERS.iterdir()))
    for language in languages:
        try:
            unbuilt[language] = reader(setting, language)
        except BotError as failed:
            notes.append(f"{starter.title(language)}: {failed}")
    measures: dict[str, Callable[[], float]] = {}
    for language, outcome in zip(unbuilt, built(list(unbuilt.values())), strict=True):
        if isinstance(outcome, BuildResult):
            measures[language] = partial(seconds_per_request, outcome.bot, requests, count)
        else:
            notes.append(f"{starter.title(language)}: {outcome}")
    taken = setting.rounds(5, measures, quick=1)
    rows: list[list[Cell]] = [
        [starter.title(language), "starter kit" if language in MAINS else "SDK", spread([s * 1e6 for s in seconds])]
        for language, seconds in sorted(taken.items(), key=lambda item: median(item[1]))
    ]
    notes.append(
        f"Each bot reads the same request of {len(usual):,} bytes {count:,} times from a file. Only the second half counts, "
        "when just-in-time compilers have warmed up."
    )
    return Findings([Table(("language", "read by", "µs per request"), rows)], [*notes, *left_out])


SUBJECT = Subject(
    "sdk",
    "A board in each language",
    "A bot that only waits: it reads a request, builds the board (`AreaInfo` of the SDK, or its counterpart in the starter "
    "kit) and answers `N`. The bot's queries to its board are not included.",
    measure,
)
