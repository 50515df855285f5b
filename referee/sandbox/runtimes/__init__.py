"""What a program needs to see in its cell: one small file a language, `describe` chooses; `known` lists them for people."""

from referee.sandbox.runtimes.describe import describe
from referee.sandbox.runtimes.profile import Runtime
from referee.sandbox.runtimes.python import base_python

__all__ = ["Runtime", "base_python", "describe"]
