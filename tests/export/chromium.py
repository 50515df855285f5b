"""A Chromium without a window that tests look into, through the pipes of `--remote-debugging-pipe`.

A page has no network, and everything that it asks for or prints on its console is kept, to be compared with nothing.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--no-first-run", "--hide-scrollbars",
    "--force-color-profile=srgb", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-pipe",
)  # fmt: skip
START: Final = """\
import fcntl, os, sys
told, tells = (fcntl.fcntl(int(fd), fcntl.F_DUPFD, 50) for fd in sys.argv[1:3])
os.dup2(told, 3)
os.dup2(tells, 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""Starts a program that reads commands from descriptor 3 and writes to descriptor 4."""
_CODES: Final = {
    "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}  # fmt: skip
PATIENCE: Final = 60.0
"""Seconds until a page that does not answer is a failure; only a hang takes so long."""


def executable() -> str | None:
    """The program, None if this machine has none."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class LeftError(Exception):
    """The tab left the page before this answered."""


class Chromium:
    """One browser with one tab."""

    def __init__(self, program: str, profile: Path) -> None:
        told, self._out = os.pipe()
        self._in, tells = os.pipe()
        words = [sys.executable, "-c", START, str(told), str(tells)]
        words += [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(words, pass_fds=(told, tells), stderr=subprocess.DEVNULL)
        os.close(told)
        os.close(tells)
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.heard: list[dict[str, Any]] = []
        """Requests, and lines on the console, since the last `open`."""
        (target,) = [target for target in self._call("Target.getTargets")["targetInfos"] if target["type"] == "page"]
        self._session = self._call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def close(self) -> None:
        self._session = None
        self._call("Browser.close")
        self._process.wait(timeout=PATIENCE)
        os.close(self._out)
        os.close(self._in)

    def open(
        self, address: str, *, width: int = 1440, height: int = 900, ratio: float = 1, scheme: str = "light", still: bool = False
    ) -> None:  # fmt: skip
        """Open a page, and wait until it is ready or has failed."""
        self.resize(width, height, ratio)
        self.emulate(prefers_color_scheme=scheme, prefers_reduced_motion="reduce" if still else "no-preference")
        self.leave()
        self.heard.clear()
        self._call("Page.navigate", url=address)
        self.until(
            "document.documentElement.dataset.ready === undefined || document.documentElement.dataset.ready !== '0'"
        )

    def emulate(self, *, media: str = "", **features: str) -> None:
        """Show the page as on other media (`print`), or with other features of media, until the next `open`."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self._call("Emulation.setEmulatedMedia", media=media, features=listed)

    def leave(self) -> None:
        """Leave the page for an empty one."""
        self._call("Page.navigate", url="about:blank")

    def resize(self, width: int, height: int, ratio: float = 1) -> None:
        """Give the window another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", **size)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; promises are awaited."""
        done = self._call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True
        )
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait until an expression is true, on whatever page the tab then shows."""
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(LeftError):
                if self.run(f"document.readyState === 'complete' && Boolean({condition})"):
                    return
                self.run("new Promise((go) => requestAnimationFrame(go))")
            assert time.monotonic() < end, f"never true: {condition}"

    def press(self, *keys: str, modifiers: int = 0) -> None:
        """Press keys, by their names in events; 1 Alt, 2 Ctrl, 4 Meta as `modifiers`."""
        for key in keys:
            text = {} if len(key) > 1 or modifiers else {"text": key}
            event = {"key": key, "modifiers": modifiers, "code": "Space" if key == " " else key}
            event["windowsVirtualKeyCode"] = _CODES.get(key, ord(key[0].upper()))
            self._call("Input.dispatchKeyEvent", type="keyDown", **event, **text)
            self._call("Input.dispatchKeyEvent", type="keyUp", **event)
        self.settle()

    def click(self, x: float, y: float) -> None:
        """Click on a point of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def point(self, x: float, y: float) -> None:
        """Move the pointer to a point of the window."""
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def settle(self) -> None:
        """Wait until the page has drawn what it was told."""
        self.run("new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")

    @contextmanager
    def without_scripts(self, address: str) -> Iterator[None]:
        """A page whose scripts do not run, until the block ends."""
        self._call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self._call("Page.navigate", url=address)
            end = time.monotonic() + PATIENCE
            while not self.run(f"document.readyState === 'complete' && location.href === {json.dumps(address)}"):
                assert time.monotonic() < end, f"never loaded: {address}"
            yield
        finally:
            self._call("Emulation.setScriptExecutionDisabled", value=False)

    def picture(self) -> bytes:
        """The window as PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot")["data"])

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            heard = self._read()
            if heard.get("id") == self._number:
                if heard.get("error", {}).get("message") == "Inspected target navigated or closed":
                    raise LeftError
                assert "error" not in heard, (method, heard["error"])
                result: dict[str, Any] = heard["result"]
                return result
            self._note(heard)

    def _note(self, heard: dict[str, Any]) -> None:
        method, params = heard.get("method"), heard.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.heard.append(heard)
        elif method == "Network.requestWillBeSent":
            address = params["request"]["url"]
            # The page itself, the icon that keeps browsers from asking for one, and what holds its data.
            if not address.startswith(("data:,", "about:")) and params.get("type") != "Document":
                self.heard.append(heard)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            data = os.read(self._in, 1 << 20)
            assert data, "the browser has ended"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message
