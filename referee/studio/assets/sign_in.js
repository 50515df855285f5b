// The page for a browser that is not signed in. The address that the command prints has the token after #.
// A page of a match runs with an origin of its own, so the first request after it has no cookie: the same request again has it.
async function open() {
  const token = /^#[0-9a-f]{32}$/.test(location.hash) ? location.hash.slice(1) : null;
  if (token) {
    const body = JSON.stringify({ token });
    const answer = await fetch("/api/v1/session", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (answer.ok) return location.replace(location.pathname + location.search);
  }
  if ((await fetch("/api/v1/session")).ok) {
    if (token) return location.replace(location.pathname + location.search);
    return location.reload();
  }
  put($("opening"), "This browser is not signed in. Open the address that `referee studio` printed: it works once. For another browser, start another studio.");
}

open().catch(() => put($("opening"), "The studio does not answer: is it still running?"));
