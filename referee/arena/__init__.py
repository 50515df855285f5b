"""The arena: a contest site that one command starts. Authors submit bots, everybody watches them play an endless ladder.

1. Four processes run under a supervisor (`supervisor`). Each writes files of its own and reads those of the others. None waits
   for another, so each can be killed at any moment:
   `web` writes `web/arena.sqlite` (`accounts`, `uploads`) and `inbox/`;
   `intake` writes `intake/versions.sqlite` (`versions`), the bots of the season and its `tournament.toml`;
   `ladder` writes the ledger of the season; `pages` writes `pages/`.
   The supervisor makes all databases first. Commands and the site read the state of the arena by `overview`.
2. An upload is accepted once its file is in `inbox/` and its row is committed. From then on it is not lost: a part that is
   restarted goes on with the files that it finds.
3. A version is an entrant `USER/BOT` of the season's ladder once it is `active`. The ladder is played as by `tournament run`.
4. `access` alone decides who may see what.
"""
