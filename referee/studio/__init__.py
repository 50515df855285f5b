"""The studio: a person plays, watches, checks, compares, draws and debugs in a browser, in a folder of the own machine.

1. One person, one machine: whoever has the token that the command printed may do everything that this user may do.
2. The process that answers browsers (`app`) plays, builds, checks and draws nothing. Work has a process of its own for each job
   (`jobs`), and questions about programs go to a process that stays (`desk`).
3. FOLDER is as the user keeps it. Its files are listed when they are asked for (`folder`), and a name in an address is looked
   up in that list, never joined to a path.
"""
