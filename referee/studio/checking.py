"""The job of a check: a bot is checked as `referee check` does, and each step is reported as it ends."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any

from referee import bots, games
from referee.cli.check_output import document
from referee.compliance.check import CheckConfig, check
from referee.files import mapfiles
from referee.sandbox.limits import Level, Limits
from referee.studio.work import Channel
from referee.text.words import harmless

MATCHES = 10


async def work(request: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Check a bot; the result is that of `check --json`.

    Args:
        request: the word for the `bot`, and the `game`; without one, the first game that the bot plays.
    """
    bot = bots.find(request["bot"], request["game"])
    rules = games.find(request["game"] or (bot.games[0] if bot.games else None))
    config = CheckConfig(
        game=rules,
        level=Level.FULL,
        limits=Limits.behind(rules.time.total, running=len(rules.seats), cores=os.cpu_count() or 1),
        maps={name: mapfiles.read(rules, name) for name in mapfiles.names(rules)},
        rng_seed=1,
        matches=MATCHES,
    )
    result = await check(
        bot,
        config,
        tell=lambda step: channel.tell("check", **asdict(step)),
        progress=lambda line: channel.tell("line", text=harmless(line)),
    )
    return document(bot.name, config, result)
