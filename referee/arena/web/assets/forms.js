// Forms and buttons that change something. Without this script, the pages can be read.

function showSecret(text) {
  $("key").hidden = false;
  put($("key"), text);
  getSelection().selectAllChildren($("key"));
}

onSend("sign-in", async ({ name, key }) => {
  const { role } = (await ask("sign-in", { name, key: key.trim() })).value;
  if (location.pathname === "/sign-in") location.assign(role === "author" ? "/account" : "/class");
  else location.reload();
});

const token = location.hash.slice(1);
$("join")?.addEventListener("click", () => attempt(async () => {
  const { value } = await ask("join", { token });
  history.replaceState(null, "", location.pathname); // the invitation is used: no history keeps it
  $("invited").hidden = $("join").hidden = true;
  $("joined").hidden = false;
  put($("name"), value.name);
  showSecret(value.key);
}, $("join")));

/** Send a file as it is, and show how much is through. */
function send(path, file) {
  return new Promise((done, refused) => {
    const request = new XMLHttpRequest();
    request.open("POST", API + path);
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => { $("sent").value = loaded / total; });
    request.addEventListener("load", () => {
      if (request.status < 300) return done(request.response);
      const message = `the server answers ${request.status}: the file may be too large`; // a proxy, which answers without JSON
      return refused(new Refused(request.status, request.response?.error ?? { message }));
    });
    request.addEventListener("error", () => refused(new Refused(0, { message: "the server does not answer, or the file is too large" })));
    $("sent").hidden = false;
    request.send(file);
  }).finally(() => { $("sent").hidden = true; });
}

onSend("upload", async ({ bot, file, note }) => {
  const words = new URLSearchParams({ file: file.name, note: note ?? "" });
  const { url } = await send(`bots/${encodeURIComponent(bot)}/versions?${words}`, file);
  location.assign(url);
});

onSend("invite", async (who, form) => {
  showSecret((await ask("users", who)).value.url);
  form.elements.name.value = "";
  fresh.want();
});

$("new-key")?.addEventListener("click", () => attempt(async () => showSecret((await ask("keys", {})).value.key), $("new-key")));

onSend("draw", async ({ bot }) => location.assign(`/edit/${encodeURIComponent(bot)}`));

// Before something that cannot be undone, the browser asks.
document.addEventListener("click", ({ target }) => {
  const { withdraw: bot, discard: draft, deed } = target.dataset ?? {}, user = target.closest?.("[data-user]")?.dataset.user;
  if (bot && confirm(`Withdraw ${bot}? It plays no more. What it has played stays.`)) remove(target, `bots/${encodeURIComponent(bot)}`);
  if (draft && confirm(`Discard the draft of ${draft}, and its tests?`)) remove(target, `programs/${encodeURIComponent(draft)}`);
  if (!deed || (deed === "delete" && !confirm(`Delete ${user}? The bots leave the contest, and the key is no longer valid.`))) return;
  const path = `users/${encodeURIComponent(user)}`;
  attempt(async () => {
    if (deed === "key") return showSecret((await ask(`${path}/keys`, {})).value.key);
    if (deed === "delete") await ask(path, undefined, { method: "DELETE" });
    else await ask(path, { disabled: deed === "disable" }, { method: "PUT" });
    return fresh.want();
  }, target);
});

/** Delete what a button belongs to, and show the page without it. */
function remove(button, path) {
  return attempt(async () => {
    await ask(path, undefined, { method: "DELETE" });
    location.reload();
  }, button);
}
