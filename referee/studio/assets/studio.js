// What pages of the studio share: bots to choose from, and jobs, such as a check, that a page starts and follows.

/** The bots of the folder that can play a game, as choices. */
function here(game) {
  const plays = ({ error, games }) => !error && (!games || games.includes(game));
  return facts.bots.filter(plays).map(({ word, name }) => [word, name]);
}

/** All bots that can play a game without people and the house, as choices. */
const choicesOf = (game) => [...here(game), ...facts.samples[game]];

/**
 * Returns what starts a job by what it needs, or follows one by its id, and gives what is known of it.
 * `show` gets that at first, and then what happens.
 */
function job(kind, path, playing, show) {
  let id = null;
  const state = document.querySelector("[role=status]");
  const leave = (which) => ask(`${path}/${which}/leave`, {});
  $("stop").addEventListener("click", ({ target }) => attempt(() => leave(id), target));
  const take = (news) => {
    if (news.id !== id) return null;
    if (news.state) {
      const words = { queued: "It waits until another check or comparison is over …", playing }[news.state];
      root.dataset.state = news.state;
      $("stop").hidden = !words;
      put(state, news.error ?? words ?? "");
    }
    show(news, state);
    return news;
  };
  const look = async () => take((await ask(`${path}/${id}`)).value);
  follow({ [kind]: take }, () => id && look());
  return async (order) => {
    const before = id;
    id = null;
    if (!$("stop").hidden) await leave(before);
    id = typeof order === "string" ? order : (await ask(path, order)).value.id;
    return look();
  };
}
