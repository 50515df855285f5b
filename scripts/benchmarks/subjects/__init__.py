"""The subjects, in the order of the report."""

from __future__ import annotations

from benchmarks.subject import Subject
from benchmarks.subjects import (
    cluster,
    env,
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
    tournament,
)

MODULES = (
    pipe, player, request, launch, match, tournament, cluster, replay, record, rules, env, sdk, start, memory, scale,
    peers,
)  # fmt: skip
ALL: tuple[Subject, ...] = tuple(module.SUBJECT for module in MODULES)
