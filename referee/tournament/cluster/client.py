"""Dask's client for trio: its calls and tasks can be awaited. Dask runs its own event loop in a thread."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

import trio
from distributed import CancelledError, Client, KilledWorker, LocalCluster
from distributed.comm.core import CommClosedError

from referee.errors import UsageError
from referee.text.words import shorten
from referee.tournament.runner import Stopped

Result = TypeVar("Result")
LOCAL: Final = re.compile(r"local:([1-9]\d?)", re.ASCII)
_CONNECT: Final = 5
"""Seconds in which a scheduler must answer."""
_THREADS: Final = 1000
"""Calls of the client at a time; each blocks a thread until Dask answers."""


class LostError(Exception):
    """A worker, or the connection to it, is lost."""


class UnfitError(Exception):
    """A worker cannot do what is asked; the text says why."""


class Dask:
    """A connected client."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._threads = trio.CapacityLimiter(_THREADS)

    async def workers(self) -> dict[str, int]:
        """The workers by their addresses.

        Raises:
            Stopped: the scheduler is gone.
        """

        def identify() -> Any:
            assert self._client.scheduler is not None, "a client that is connected"
            return self._client.sync(self._client.scheduler.identity, n_workers=-1)

        try:
            identity = await self._in_thread(identify)
        except (OSError, RuntimeError) as gone:
            raise Stopped(f"the scheduler of the cluster is gone ({gone})") from None
        return {address: worker["nthreads"] for address, worker in identity["workers"].items()}

    async def call(self, function: Callable[..., Any], *args: object, worker: str) -> Any:
        """Call a quick function on a worker, beside its tasks.

        Raises:
            LostError: the worker is gone. UnfitError: the function failed there.
        """
        run = partial(self._client.run, function, *args, workers=[worker], on_error="return")
        try:
            answer = (await self._in_thread(run))[worker]
        except (OSError, RuntimeError, ValueError, KeyError) as gone:
            # RuntimeError: Dask has closed the connection; the last two: the scheduler does not know the worker any more
            raise LostError(str(gone)) from None
        if isinstance(answer, CommClosedError):
            raise LostError(str(answer))
        if isinstance(answer, BaseException):
            raise UnfitError(_message(answer))
        return answer

    async def call_all(self, function: Callable[..., Any], *args: object) -> None:
        """Call a function on all workers, and ignore their errors."""
        with suppress(OSError, RuntimeError, ValueError, Stopped):
            await self._in_thread(partial(self._client.run, function, *args, on_error="ignore"))

    async def task(self, function: Callable[..., Result], *args: object, worker: str) -> Result:
        """Run a function as a task on a worker. If this is cancelled, the task goes on there, and its result is dropped.

        If the worker is lost, Dask waits for another with its address. So the caller has to watch `workers`.

        Raises:
            LostError: Dask has given the task up. UnfitError: the function failed there. Stopped: the scheduler is gone.
        """
        token = trio.lowlevel.current_trio_token()
        done = trio.Event()

        def wake(_future: object) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(done.set)

        try:
            future = self._client.submit(function, *args, workers=[worker], pure=False)
        except Exception as failed:
            raise self._error(failed) from None
        try:
            future.add_done_callback(wake)
            await done.wait()
            if future.status == "error":
                error = await self._in_thread(future.exception)
                raise LostError(str(error)) if isinstance(error, KilledWorker) else UnfitError(_message(error))
            result: Result = await self._in_thread(future.result)
        except CancelledError as gone:
            raise LostError(str(gone)) from None
        finally:
            future.release()
        return result

    async def _in_thread(self, function: Callable[[], Any]) -> Any:
        try:
            return await trio.to_thread.run_sync(function, abandon_on_cancel=True, limiter=self._threads)
        except (Exception, asyncio.CancelledError) as failed:
            raise self._error(failed) from None

    def _error(self, failed: BaseException) -> BaseException:
        """The error to raise for an error of the client. A client that has lost its scheduler fails in many ways."""
        if self._client.status == "running" and isinstance(failed, Exception):
            return failed
        return Stopped(f"the scheduler of the cluster is gone ({_message(failed)})")


@asynccontextmanager
async def connect(where: str) -> AsyncIterator[Dask]:
    """A client of the scheduler at an address, or of a new cluster on this machine: `local:2` has two workers.

    Raises:
        UsageError: there is no scheduler, or the number is none.
    """
    for name in ("distributed", "distributed.client"):  # Dask gives the latter a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)  # the crew says what matters
    local = LOCAL.fullmatch(where)
    if where.startswith("local:") and not local:
        raise UsageError(f"--cluster {where}: the number of workers must be 1 to 99, as in local:2")
    opened = _local(int(local[1])) if local else _remote(where)
    client = await trio.to_thread.run_sync(opened.__enter__)
    try:
        yield Dask(client)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(opened.__exit__, None, None, None)


@contextmanager
def _remote(address: str) -> Iterator[Client]:
    try:
        client = Client(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as failed:  # TypeError: tls:// without certificates
        raise UsageError(
            f"--cluster {address}: no scheduler of Dask answers ({failed}): `dask scheduler` starts one, and prints its address"
        ) from None
    try:
        yield client
    finally:
        with suppress(RuntimeError):  # from Dask, if the connection is lost while it is closed
            client.close()


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    """The scheduler is in this process. Workers are in sessions of their own, so that Ctrl-C does not reach them first."""
    threads = max(1, len(os.sched_getaffinity(0)) // workers)
    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0", host="127.0.0.1") as cluster:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        command += [f"--nthreads={threads}", "--no-nanny", "--no-dashboard", "--death-timeout=30"]
        none = subprocess.DEVNULL
        processes = [
            subprocess.Popen(command, stdin=none, stdout=none, stderr=none, start_new_session=True)
            for _ in range(workers)
        ]
        try:
            with Client(cluster, set_as_default=False) as client:
                yield client
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                process.kill()
                process.wait()


def _message(failed: BaseException) -> str:
    return shorten(f"{type(failed).__name__}: {failed}", 300)
