"""What a program needs to see in its cell: one small file a language, `describe` chooses."""

from referee.sandbox.runtimes.describe import describe
from referee.sandbox.runtimes.known import KNOWN, Known, found
from referee.sandbox.runtimes.profile import Runtime
from referee.sandbox.runtimes.python import base_python

__all__ = ["KNOWN", "Known", "Runtime", "base_python", "describe", "found"]
