// Forms and buttons that change something. Without this script, the pages can be read.

/** Say why something failed, or what has happened. */
function say(text, good = false) {
  const note = $("failed");
  note.hidden = !text;
  note.dataset.good = Number(good);
  put(note, text ?? "");
}

/** Do something while its control waits, and say why it failed. */
async function attempt(control, task) {
  say(null);
  control.disabled = true;
  try { await task(); } catch (failed) { say(failed.message); } finally { control.disabled = false; }
}

/** What a form holds, by the names of its controls; what is empty is left out. */
const values = (form) => Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));

/** When a form is sent, do a task with what it holds. */
function onSend(id, task) {
  $(id)?.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(event.submitter ?? event.target.querySelector("button"), () => task(values(event.target), event.target));
  });
}

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
$("join")?.addEventListener("click", () => attempt($("join"), async () => {
  const { value } = await ask("join", { token });
  history.replaceState(null, "", location.pathname); // the invitation is used: no history keeps it
  $("join").hidden = true;
  $("joined").hidden = false;
  put($("name"), value.name);
  showSecret(value.key);
}));

/** Send a file as it is, and show how much is through. */
function send(path, file) {
  return new Promise((done, refused) => {
    const request = new XMLHttpRequest();
    request.open("POST", API + path);
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => { $("sent").value = loaded / total; });
    request.addEventListener("load", () => request.status < 300 ? done(request.response) : refused(new Refused(request.status, request.response.error)));
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

onSend("duels", async ({ bot }, form) => {
  await ask("duels", { bot, against: form.dataset.against });
  say("The duel is played when nothing else waits.", true);
});

onSend("invite", async ({ expires, ...who }, form) => {
  showSecret((await ask("users", { ...who, expires: Number(expires) })).value.url);
  form.elements.name.value = "";
  fresh.want();
});

$("new-key")?.addEventListener("click", () => attempt($("new-key"), async () => showSecret((await ask("keys", {})).value.key)));

onSend("draw", async ({ bot }) => location.assign(`/edit/${encodeURIComponent(bot)}`));

/** Ask before something that cannot be undone. */
const sure = (words) => confirm(words);

document.addEventListener("click", ({ target }) => {
  const bot = target.dataset?.withdraw, draft = target.dataset?.discard, user = target.closest?.("[data-user]")?.dataset.user, deed = target.dataset?.deed;
  if (bot && sure(`Withdraw ${bot}? It plays no more. What it has played stays.`)) {
    attempt(target, async () => {
      await change("DELETE", `bots/${encodeURIComponent(bot)}`);
      location.reload();
    });
  }
  if (draft && sure(`Discard the draft of ${draft}, and its tests?`)) {
    attempt(target, async () => {
      await change("DELETE", `programs/${encodeURIComponent(draft)}`);
      location.reload();
    });
  }
  if (!deed || (deed === "delete" && !sure(`Delete ${user}? The bots leave the contest, and the key dies.`))) return;
  const path = `users/${encodeURIComponent(user)}`;
  attempt(target, async () => {
    if (deed === "key") return showSecret((await ask(`${path}/keys`, {})).value.key);
    if (deed === "delete") await change("DELETE", path);
    else await ask(path, { disabled: deed === "disable" }, { method: "PUT" });
    return fresh.want();
  });
});

/** A request whose answer has no body. */
async function change(method, path) {
  const answer = await fetch(API + path, { method });
  if (!answer.ok) throw new Refused(answer.status, (await answer.json()).error);
}
