// The page for a browser that is not signed in. The address that the command prints has the token after #.
// A page of a match runs with an origin of its own, so the first request after it has no cookie: the same request again has it.
const token = /^#([0-9a-f]{32})$/.exec(location.hash)?.[1], cookie = () => ask("session");

(token ? ask("session", { token }).catch(cookie) : cookie()).then(
  () => token ? location.replace(location.pathname + location.search) : location.reload(),
  ({ status }) => put($("opening"), status
    ? "This browser is not signed in. Open the address that `referee studio` printed: it works once. For another browser, start another studio."
    : "The studio does not answer: is it still running?"),
);
