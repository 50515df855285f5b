// A step of a saved game, put to a bot again: its request, and what the bot answers now.
const address = new URLSearchParams(location.hash.slice(1));
let id = null;

function answered({ answer, fault, detail, seconds }) {
  return [el("code", {}, fault ? `${fault}: ${detail}` : answer), ` in ${(1000 * seconds).toFixed(1)} ms`];
}

function take(what) {
  if (what.id !== id) return;
  root.dataset.state = what.state;
  put($("state"), what.error ?? { queued: "It waits for its turn …", playing: "It is asked …", done: "" }[what.state] ?? "");
  const answer = what.result?.answers[0];
  $("found").hidden = !answer;
  if (what.result && !answer) put($("state"), what.result.fault ? `It failed before that step: ${what.result.fault.kind}: ${what.result.fault.detail}` : "That step did not ask this seat.");
  if (!answer) return;
  $("recorded").replaceChildren(...answered(answer.recorded));
  $("now").replaceChildren(...answered(answer.now), answer.differs ? " – it differs" : "");
  put($("request"), answer.request);
  put($("onwards"), what.result.play_on.join("\n"));
}

$("bot").replaceChildren(...facts.words.map(([value, text]) => el("option", { value }, text)));
$("step").value = address.get("step") ?? 1;
$("seat").value = Number(address.get("seat") ?? 0) + 1;
const player = facts.players.find((player) => player.seat === Number($("seat").value) - 1);
if (player && facts.words.some(([word]) => word === player.word)) $("bot").value = player.word;
$("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  wrong(null);
  try {
    const question = { match: facts.match, bot: $("bot").value, step: Number($("step").value), seat: Number($("seat").value) - 1 };
    id = (await ask("questions", question)).value.id;
    take((await ask(`questions/${id}`)).value);
  } catch (failed) { wrong(failed); }
});
follow({ ask: take }, async () => id && take((await ask(`questions/${id}`)).value));
