"""`referee tournament check`: whether a tournament can begin, and whether its saved games prove its ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import Folder, Json, Quiet, print_json
from referee.errors import BotError, UsageError
from referee.text.words import counted, harmless

if TYPE_CHECKING:
    from referee.compliance.check import CheckConfig, CheckResult
    from referee.tournament.entering import Listed
    from referee.tournament.forecast import Outlook, Speed
    from referee.tournament.planning import Plan

MATCHES: Final = 2
"""Matches that each bot plays in its check."""


def check(
    folder: Folder,
    *,
    games: Annotated[
        bool, Parameter(negative="", help="Verify the saved games of the ledger instead, on all processors.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check that a tournament can begin, and say how long it takes and what makes it shorter.

    Every bot is built and checked as `referee check` does, with few matches, several bots at a time. Every map must be fair.
    The time is estimated from those matches. Nothing in the folder changes. With --games, each saved game must have the hash
    in the ledger, follow from the rules, and be that match: its names, seed, map, limits, places and points. The exit code is
    4 if a bot cannot be built or started, and otherwise 1 if something failed.
    """
    from referee.tournament.drafting import tournament_folder

    root = tournament_folder(folder)
    return _games(root, json=json) if games else _ready(root, json=json, quiet=quiet)


def _ready(root: Path, *, json: bool, quiet: bool) -> int:
    from referee import games
    from referee.cli import check_output
    from referee.cli.again import command
    from referee.cli.narrator import silent
    from referee.cli.running import run
    from referee.cli.tournament.playing import without_part
    from referee.tournament.copies import run_by
    from referee.tournament.entering import interpreter, list_bots
    from referee.tournament.forecast import plan_for
    from referee.tournament.roster import roster, without_bot
    from referee.tournament.settings import settings_in

    tell = silent if json else check_output.tell
    settings = settings_in(root)
    game = games.find(settings.game)
    candidates, unready = list_bots(root, settings, game)
    strays = [hit for hit in unready if hit.stray]
    plan = plan_for(root, settings, game, len(candidates), unready)
    maps = {name: list(game.maps.check(document)) for name, document in plan.maps.items()}
    for name, defects in maps.items():
        tell(harmless(f"map {name}: {'; '.join(defects) or 'fair'}"))
    for line in without_part(strays, root):
        tell(harmless(line))
    sources = [*(candidate.source for candidate in candidates), *(hit.source for hit in unready)]
    if missing := without_bot(roster(root), sources):
        tell(missing)

    python = interpreter(root, settings)
    bots = [check_output.NamedBot(candidate.bot.name, run_by(candidate.bot, python)) for candidate in candidates]
    bots += [check_output.NamedBot(hit.name, BotError(hit.why)) for hit in unready if not hit.stray]
    config = config_for(plan)
    tell(f"checking {counted(len(bots), 'bot')}: {game.title}, isolation {settings.match.isolation}")
    results = run(lambda: check_output.check_each(bots, config, tell=tell, quiet=quiet or json))
    if not json:
        check_output.show_failures(bots, results)
    view, too_few = _outlook(plan, candidates, results)
    ready = view.coming is not None and not any(maps.values()) and all(result.passed for result in results)
    if json:
        print_json({
            "name": settings.name, "game": game.name, "ready": ready,
            "bots": check_output.documents(bots, config, results),
            "strays": [{"name": hit.name, "bot": hit.source, "why": hit.why} for hit in strays],
            "maps": [{"map": name, "defects": defects} for name, defects in maps.items()],
            **_document(view),
        })  # fmt: skip
    else:
        print("", *(_lines(view) if too_few is None else [too_few]), sep="\n")
        if ready:
            print(f"ready: {command('tournament', 'run', str(root))}")
        elif view.coming is not None or too_few is not None:
            print(_why_not(maps, results))
    return check_output.exit_code(results) or (1 if any(maps.values()) else 0)


def _outlook(plan: Plan, bots: Sequence[Listed], results: Sequence[CheckResult]) -> tuple[Outlook, UsageError | None]:
    """What a run with the bots that could be started would play. If too few are left: nothing, and the error that says so."""
    from referee.tournament.forecast import Outlook, outlook, plan_for
    from referee.tournament.planning import jobs_for

    playing = [bot for bot, result in zip(bots, results, strict=False) if result.plays]
    try:
        rest = plan_for(plan.folder, plan.settings, plan.game, len(playing))
        return outlook(rest, playing, _speeds(results)), None
    except UsageError as too_few:
        if len(playing) == len(bots):
            raise
        return Outlook(None, plan.settings.run.jobs or jobs_for(plan), None, None, []), too_few


def _why_not(maps: Mapping[str, Sequence[str]], results: Sequence[CheckResult]) -> str:
    unbuilt = sum(not result.plays for result in results)
    failed = sum(not result.passed for result in results) - unbuilt
    defects = sum(map(bool, maps.values()))
    counts = (("bots cannot be built", unbuilt), ("bots failed", failed), ("maps have defects", defects))
    return f"not ready: {', '.join(f'{what}: {count}' for what, count in counts if count)}"


def _document(view: Outlook) -> dict[str, Any]:
    """What a run would play, as JSON."""
    return {
        "tour": None if view.coming is None else view.coming.tour,
        "matches": 0 if view.coming is None else view.coming.matches,
        "jobs": view.jobs,
        "seconds": view.seconds,
        "whole": None if view.whole is None else view.whole._asdict(),
        "shorter": [hint._asdict() for hint in view.shorter],
    }


def _lines(view: Outlook) -> Iterator[str]:
    """What a run would play next and to the end, how long that takes, and what is shorter."""
    if view.coming is None:
        yield "the tournament is over"
        return
    if view.coming.outline is not None:
        yield f"plan: {view.coming.outline}"
    matches = counted(view.coming.matches, "match", "matches")
    yield f"tour {view.coming.tour}: {matches}, {view.jobs} at a time{_about(view.seconds)}"
    if view.whole is not None and view.whole.matches > view.coming.matches:
        yield f"all tours: about {counted(view.whole.matches, 'match', 'matches')}{_about(view.whole.seconds)}"
    for hint in view.shorter:
        yield f"shorter: {hint.setting}{_about(hint.seconds)}"


def _about(seconds: float | None) -> str:
    from referee.moments.formatting import duration

    return "" if seconds is None else f", about {duration(max(1.0, seconds))}"


def config_for(plan: Plan) -> CheckConfig:
    """The check of a bot for this tournament."""
    from referee.compliance.check import CheckConfig
    from referee.sandbox.limits import Level

    opening = plan.opening()
    return CheckConfig(
        plan.game, Level(opening.isolation), opening.limits, plan.maps, rng_seed=plan.rules.rng_seed, matches=MATCHES,
        rounds=opening.rounds, time=opening.time,
    )  # fmt: skip


def _speeds(results: Sequence[CheckResult]) -> list[Speed]:
    """How fast the bots were in the matches of their checks."""
    from referee.tournament.forecast import Speed

    paces = [result.measured.pace for result in results if result.measured is not None and result.measured.pace.answers]
    return [
        Speed(pace.answering / pace.answers, max(0.0, pace.seconds - pace.answering) / pace.steps) for pace in paces
    ]


def _games(root: Path, *, json: bool) -> int:
    from referee.cli.narrator import narrate
    from referee.tournament.tournament import Tournament
    from referee.tournament.verifying import not_kept, summary, sums_defect, to_verify, verify_all

    documents, unproven, verified = list[dict[str, Any]](), list[Path](), 0
    with Tournament(root) as tournament:
        tasks = to_verify(tournament)
        with tournament.ledger.snapshot():
            sums, without = sums_defect(tournament.ledger, tournament.rng_seed), not_kept(tournament.ledger)
        for game, why in verify_all(tasks, lambda: to_verify(tournament)):
            verified += 1
            if why is not None:
                unproven.append(game.path)
            if json:
                documents.append({"match": game.match, "saved": str(game.path), "error": why})
            elif why is not None:
                narrate(f"{game.match}: {why}")
    if json:
        print_json({"games": documents, "not_kept": without, "sums": sums})
    else:
        rest = f"; {counted(without, 'match was', 'matches were')} not kept" if without else ""
        print(f"{summary(verified, unproven)}{rest}")
        if sums is not None:
            narrate(f"{sums}: put back a copy of the ledger")
    return 1 if unproven or sums else 0
