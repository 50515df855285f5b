"""The arena: a contest site that one command starts. Authors submit bots, everybody watches them play an endless ladder.

1. Four processes under a supervisor (`supervisor`). Each writes files of its own and reads those of the others; none waits for
   another, so each can be killed at any moment:
   `web` writes `web/arena.sqlite` (`accounts`, `uploads`) and `inbox/`;
   `intake` writes `intake/versions.sqlite` (`versions`), the bots of the season and its `tournament.toml`;
   `ladder` writes the ledger of the season; `pages` writes `pages/`.
   The databases are there from the beginning. Commands and the site read how the arena is by `overview`.
2. An upload is accepted once its file is in `inbox/` and its row is committed. From then on it is not lost: whoever is
   restarted takes up what is there.
3. A version is an entrant `USER/BOT` of the season's ladder once it is `active`. The ladder is `referee tournament run` as it is.
4. Who may see what is decided in one place, `access`.
"""
