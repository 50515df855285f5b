"""The subjects, in the order of the report."""

from __future__ import annotations

from benchmarks.report import Subject
from benchmarks.subjects import arena, cluster, env, ladder, launch, match, request, start, tournament

SUBJECTS: tuple[Subject, ...] = tuple(
    module.SUBJECT for module in (request, launch, match, tournament, ladder, cluster, start, env, arena)
)
