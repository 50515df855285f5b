"""What programs need to see in their cells: one small module for each language; `describe` chooses, `known` lists them."""

from referee.sandbox.runtimes.describe import describe, is_of_machine
from referee.sandbox.runtimes.profile import Runtime
from referee.sandbox.runtimes.python import base_python, is_base, is_python, without_packages

__all__ = ["Runtime", "base_python", "describe", "is_base", "is_of_machine", "is_python", "without_packages"]
