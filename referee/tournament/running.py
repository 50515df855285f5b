"""A tournament that this process runs: it updates the field, plays the matches, and merges parts."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import trio

from referee.errors import BotError, UsageError
from referee.text.words import did_you_mean, shorten
from referee.tournament import parts
from referee.tournament.decisions import PACKAGE, decide, decisions
from referee.tournament.entering import interpreter
from referee.tournament.entry_list import EntryList
from referee.tournament.field import Unready, admit
from referee.tournament.jobs import Opening
from referee.tournament.ledger import Ledger
from referee.tournament.ledger_past import LedgerPast
from referee.tournament.model import GAMES, Shard
from referee.tournament.parts import Merged, Part
from referee.tournament.planning import Plan, make_plan
from referee.tournament.roster import roster, without_bot
from referee.tournament.runner import Coordinator, Crew, Watcher
from referee.tournament.schedule_tables import ScheduledMatch
from referee.tournament.settings import Settings, format_of, seed_in, settings_in
from referee.tournament.tournament import OVER, Tournament


class RunningTournament(Tournament):
    """A tournament of which this process is the only writer (`locking.only_writer`)."""

    def __init__(self, folder: Path, *, settings: Settings | None = None, part: Part | None = None) -> None:
        """Read the settings, and open the ledger or make it.

        Args:
            settings: the settings, if the folder has none.
            part: run only its shard, and write there. The lock is that of `part.files`.

        Raises:
            UsageError: the settings or the ledger cannot be used.
        """
        path = None if part is None else part.path
        self._fixed = settings
        settings = settings or settings_in(folder)  # before the ledger is made
        with ExitStack() as unless_usable:
            ledger = unless_usable.enter_context(Ledger(folder, writes=True, part=path))
            super().__init__(folder, settings, ledger)
            if not ledger.begun:  # whoever was in the field before is no entrant yet, and has no number
                ledger.query("DELETE FROM entrants")
                ledger.query("DELETE FROM facts WHERE key = ?", (PACKAGE,))  # the next game may come with the referee
            self._part = part
            self._files = folder if part is None else part.files
            self._entries = EntryList(folder, self.game, self._files)
            if part is not None:
                parts.begin(ledger, folder, settings, part)
            unless_usable.pop_all()

    async def enter(self, say: Callable[[str], None], *, wait: bool = True) -> tuple[Plan, list[Unready]]:
        """Bring the field up to date: build the bots, copy new contents, and note who is not ready. Says what has
        changed, and the plan before the first match.

        Args:
            wait: whether to wait for builds. Otherwise a bot that has changed stays in the field as it was.

        Raises:
            UsageError: a bot does not exist, the settings do not fit, or they have changed since the first match.
            IsolationError: bots cannot be built here. BotError: a bot of a shard, a comparison or `settings` cannot play.
        """
        settings = self._fixed or settings_in(self.folder)
        interpreter(self.folder, settings)  # refused before the ledger has it, so that it can be corrected
        seed = seed_in(self.folder, settings)
        ready, unready = await self._entries.complete(settings, say) if wait else self._entries.current(settings)
        if unready and self._fixed is not None:  # there is no file to correct
            raise BotError(f"{unready[0].name} cannot play: {unready[0].reason}")
        field = admit(self.ledger.entrants(), ready, unready, teams=settings.format.chosen.teams)
        before = decisions(self.ledger)
        present = sum(entrant.present for entrant in field.entrants)
        plan = make_plan(self.folder, settings, self.game, seed, before, field=present, unready=field.unready)
        package = plan.opening().package
        if self._part is not None:
            parts.check_field(self.ledger, self._part, ready, [bot for bot in unready if not bot.stray])
            parts.check_package(self.ledger, package)
        if not self.ledger.begun:
            try:
                plan.check(field.entrants)
            except UsageError:
                for bot in unready:  # this may be why
                    if not bot.stray:
                        say(bot.line)
                raise
        self.settings = settings
        decide(self.ledger, plan.decides(), package)
        chosen = settings.format.chosen
        for change in self.ledger.enter(field, chosen.closed, fixed=chosen.fixed):
            say(str(change))
        if not self.ledger.begun:
            sources = [*(bot.source for bot in ready), *(bot.source for bot in unready)]
            if missing := without_bot(roster(self.folder), sources):
                say(missing)
            say(f"plan: {format_of(settings, plan.rules, field.entrants).outline(field.entrants)}")
        return plan, list(field.unready)

    async def run(
        self,
        plan: Plan,
        crew: Callable[[Opening], Crew],
        watcher: Watcher,
        say: Callable[[str], None],
        *,
        only: str | None = None,
    ) -> None:
        """Play the tournament to its end, or only the matches of one bot that are due.

        Raises:
            UsageError: no bot that takes part has that name. The errors of `Coordinator.run` and `enter`.
        """
        if only is not None:
            self._check_name(only, say)
        ledger, seed, keep = self.ledger, plan.rules.rng_seed, self.settings.run.keep
        missing = self.missing_entrants(ledger.entrants())
        ledger.keep(OVER, "")
        with ledger.transaction():
            ledger.add_up(seed)
        format_ = format_of(self.settings, plan.rules, ledger.entrants())
        if self._part is not None:
            shard = self._part.shard
            parts.schedule(ledger, format_)
            _, played, _ = ledger.counts()
            watcher.planned("", played + parts.unplayed_by_shard(ledger, shard.total)[shard], played)

        async def refresh() -> None:
            chosen = self.settings.format.chosen
            if not chosen.fixed:
                await self._refresh(say, wait=chosen.teams)
                if not chosen.teams:
                    nursery.start_soon(self._prepare, say)

        workers = crew(plan.opening(self._files))
        newest = keep if isinstance(keep, int) else None
        plays = partial(self._plays, only)

        def waits(match: ScheduledMatch) -> bool:
            return not missing.isdisjoint(match.entrants)

        coordinator = Coordinator(
            ledger, format_, seed, watcher, refresh, games=self._files / GAMES, keep=newest, plays=plays, waits=waits
        )
        async with trio.open_nursery() as nursery:
            await coordinator.run(workers)
            nursery.cancel_scope.cancel()
        if not any(ledger.unplayed()):
            ledger.keep(OVER, "yes")

    def _check_name(self, only: str, say: Callable[[str], None]) -> None:
        """Check that a bot of this name takes part. Says if no match of it is due."""
        field = self.ledger.entrants()
        names = [entrant.name for entrant in field if entrant.present]
        if only not in names:
            raise UsageError(f"no bot is called {shorten(repr(only))}{did_you_mean(only, names)}")
        due = [field[number] for match in self.ledger.unplayed() for number in match.entrants]
        if due and not any(entrant.present and entrant.name == only for entrant in due):
            say(f"no match of {only} is due before the others of this tour are played: run without --only")

    def _plays(self, only: str | None, match: ScheduledMatch) -> bool:
        """Whether this run plays a match: of its shard, and of the bot that is called `only`."""
        if self._part is not None and Shard.of(match.number - 1, self._part.shard.total) != self._part.shard:
            return False
        if only is None:
            return True
        entrants = self.ledger.entrants()  # of this moment: a new version of a bot may be a new entrant
        return any(entrants[number].name == only for number in match.entrants)

    async def _refresh(self, say: Callable[[str], None], *, wait: bool) -> None:
        unready_before = self.ledger.unready()
        try:
            _, unready = await self.enter(say, wait=wait)
        except UsageError as wrong:
            for mistake in (str(wrong), *wrong.others):
                say(f"the field stays as it is: {mistake}")
            return
        for bot in unready:
            if bot not in unready_before and not bot.stray:
                say(bot.line)

    async def _prepare(self, say: Callable[[str], None]) -> None:
        try:
            await self._entries.prepare(say)
        except UsageError as wrong:
            say(f"no bot joins: {wrong}")

    def merge(self, paths: Iterable[Path]) -> list[Merged]:
        """Take over the matches of parts.

        Raises:
            UsageError: one is no part of this tournament. Those before it were merged.
        """
        merged = [parts.merge(self.ledger, self.folder, self.settings, self.game, path) for path in paths]
        with self.ledger.transaction():
            self.ledger.add_up(self.rng_seed)
        field = self.ledger.entrants()
        chosen = format_of(self.settings, self.rules, field)
        over = not any(self.ledger.unplayed()) and chosen.next_tour(field, LedgerPast(self.ledger)) is None
        self.ledger.keep(OVER, "yes" if over else "")
        return merged

    @property
    def id(self) -> str:
        """A word that no other tournament has, drawn on first use. Workers of a cluster name their folders by it."""
        if (word := self.ledger.fact("id")) is None:
            word = secrets.token_hex(6)
            self.ledger.keep("id", word)
        return word
