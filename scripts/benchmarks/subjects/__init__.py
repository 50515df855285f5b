"""The subjects, in the order of the report."""

from __future__ import annotations

from benchmarks.subject import Subject
from benchmarks.subjects import (
    jobs,
    launch,
    match,
    memory,
    peers,
    pipe,
    player,
    record,
    replay,
    request,
    rules,
    scale,
    sdk,
    start,
)

MODULES = (pipe, player, request, launch, match, jobs, replay, record, rules, sdk, start, memory, scale, peers)
ALL: tuple[Subject, ...] = tuple(module.SUBJECT for module in MODULES)
