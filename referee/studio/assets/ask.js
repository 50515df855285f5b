// A step of a saved game, put to a bot again: its request, and what the bot answers now.
const address = new URLSearchParams(location.hash.slice(1)), seat = Number(address.get("seat") ?? 0);

function said({ answer, fault, detail, seconds }) {
  return [el("code", {}, fault ? `${fault}: ${detail}` : answer), ` in ${(1000 * seconds).toFixed(1)} ms`];
}

const start = job("ask", "questions", "It is asked …", ({ result }, state) => {
  const answer = result?.answers[0], fault = result?.fault;
  $("found").hidden = !answer;
  const failed = fault && `It failed before that step: ${fault.kind}: ${fault.detail}`;
  if (result && !answer) put(state, failed ?? "That step did not ask this seat.");
  if (!answer) return;
  $("recorded").replaceChildren(...said(answer.recorded));
  $("now").replaceChildren(...said(answer.now), answer.differs ? " – it differs" : "");
  put($("request"), answer.request);
  put($("onwards"), result.play_on.join("\n"));
});

$("bot").append(...options(choicesOf(facts.main)));
$("bot").value = facts.players[seat];
if (!$("bot").value) $("bot").selectedIndex = 0; // that bot is not here
$("step").value = address.get("step") ?? 1;
$("seat").value = seat + 1;
onSend("ask", (question) => start({ match: facts.match, ...question, seat: question.seat - 1 }));
