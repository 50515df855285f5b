"""`referee check`: whether bots are ready for a contest. Each step is one line; a failure says what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from referee.cli.options import GameName, Isolation, Json, Memory, Positive, Quiet, Whole, print_json
from referee.text.words import counted

if TYPE_CHECKING:
    from referee.compliance.check import CheckConfig
    from referee.contract.game import Game

SEED: Final = 1
MATCHES: Final = 10


def check(
    *bots: Annotated[
        str,
        Parameter(
            required=True,
            help="Bots, as for `referee play`: a folder, a ZIP file, a source file, cmd:'PROGRAM ARGS'. Or folders that hold "
            "bots.",
        ),
    ],
    game: GameName = None,
    seed: Annotated[Whole, Parameter(name=["--seed", "-s"], help="Decides the matches and all chance in them.")] = SEED,
    matches: Annotated[Positive, Parameter(help="How many matches each bot plays. Fewer are quicker.")] = MATCHES,
    isolation: Isolation = "full",
    memory: Memory | None = None,
    json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Check that bots are ready for a contest, or say what to change.

    A bot is built and started, answers on boards of every kind, and plays matches against sample bots. Each step is
    reported as it ends. A failed step shows what the bot was sent, what it wrote, and what to change. For several bots, or a
    folder that holds bots, each gets a line as its check ends, and what failed comes after all lines. The exit code is 0 if
    every step passed, 1 if one failed, and 4 if a bot cannot be built or started.
    """
    from referee import bots as bot_room
    from referee import games
    from referee.cli import check_output
    from referee.cli.narrator import silent
    from referee.cli.running import run
    from referee.files.reading import at_home
    from referee.sandbox.limits import check_memory
    from referee.tournament.hits import holds_bots

    check_memory(memory, isolation)
    rules = games.find(game)
    config = config_for(rules, isolation=isolation, seed=seed, matches=matches, memory=memory)
    conditions = f"{rules.title}, isolation {isolation}, seed {seed}"
    tell = silent if json else check_output.tell
    if len(bots) > 1 or holds_bots(at_home(bots[0])):
        several, skipped = check_output.find_named(bots, rules)
        tell(f"checking {counted(len(several), 'bot')}: {conditions}")
        for line in skipped:
            tell(line)
        results = run(lambda: check_output.check_each(several, config, tell=tell, quiet=quiet or json))
        if json:
            print_json(check_output.documents(several, config, results))
        else:
            check_output.show_failures(several, results)
        return check_output.exit_code(results)
    bot = bot_room.enter(bot_room.find(bots[0], rules.name), rules)
    tell(f"checking {bot.name}: {conditions}")
    step = silent if json else check_output.Printer().step
    result = run(lambda: check_output.check_one(bot, config, tell=step, quiet=quiet or json))
    if json:
        print_json(check_output.document(bot.name, config, result))
    else:
        print(check_output.summary(result))
    return check_output.exit_code([result])


def config_for(
    rules: Game[Any, Any],
    *,
    isolation: Isolation = "full",
    seed: int = SEED,
    matches: int = MATCHES,
    memory: int | None = None,
) -> CheckConfig:
    """What bots are checked for, with the limits and the maps of the game."""
    from referee.compliance.check import CheckConfig
    from referee.files import mapfiles
    from referee.sandbox.limits import Level, Limits

    # A bot runs while the others are to answer too.
    limits = Limits.behind(rules.time.total, running=len(rules.seats), memory=memory)
    maps = {name: mapfiles.read(rules, name) for name in mapfiles.names(rules)}
    return CheckConfig(rules, Level(isolation), limits, maps, rng_seed=seed, matches=matches, time=rules.time)
