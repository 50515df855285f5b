"""A harness for contests between programs: it plays, times, judges, saves and replays matches."""

__version__ = "0.2.0"
