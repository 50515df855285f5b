// The page of a saved match: what people can do, and when it is drawn.
//
// 1. The state is a step, whether it plays, a speed, the followed seat, and the kind of events that k has chosen. `go` and the other
//    actions change it, and `draw` shows it, at most once in each frame of the browser.
// 2. While it plays, the step advances from a step at a time by `speed` steps per second. A change of either sets both anew.
// 3. The part of the address after # is words joined by &: `step=120`, where the page opens; `play`, from there on; `bare`, only the board
//    and what steers it, to be embedded in another page; `explain`, the explanation above the board.
// 4. Keys do what they do in the terminal's replay (referee/terminal/viewer.py), wherever the focus is. Only space presses a focused
//    button, and combinations with Ctrl, Alt or Meta are the browser's.
const LADDER = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], UNLIMITED = 0;
const PAGE = 10, STRIDES = 20; // steps of PgUp; jumps by [ and ] through a match
const WHOLE = 5; // seconds for a whole match at full speed, if that is faster than all other speeds
const SIDE = [430, 0.36]; // what the board leaves for the seats beside it: CSS pixels, and a part of the window
const LEAST = 320; // CSS pixels of the board in a window that is not high
const ADDRESS = 500; // milliseconds between two changes of the address: browsers allow no more
const root = document.documentElement;

function show(doc) {
  const film = new Film(doc), { last } = film, { told, kinds, rounds } = film;
  let at = 0, playing = false, speed = doc.speed, followed = null, kind = null, marked = null, debugging = false;
  let ended = false, line = null, wanted = false, timer = 0, unit = null; // of the buttons that skip; null for events
  const board = new Board(film), charts = new Charts(film), legend = new Legend(doc);
  const pointer = new Pointer(film, board, charts);
  const table = new Table(film, (seat) => follow(followed === seat ? null : seat)), events = new Events(film);

  // What people can do

  function go(step) {
    at = clamp(step, 0, last);
    line = null;
    if (at === last) playing = false;
    refresh();
  }

  function play(on) {
    if (on && at === last) at = 0;
    playing = on && last > 0;
    line = null;
    refresh();
  }

  function stop(step) {
    playing = false;
    go(step);
  }

  function run(to) {
    speed = to;
    line = null;
    refresh();
  }

  function faster() { run(speed && (LADDER.find((rung) => rung > speed) ?? UNLIMITED)); }

  function slower() { run(speed ? LADDER.findLast((rung) => rung < speed) ?? LADDER[0] : LADDER.at(-1)); }

  function follow(seat) {
    followed = seat;
    refresh();
  }

  /** Stop before each move of the followed seat from now on, or no longer. */
  function debug() {
    debugging = !debugging;
    if (debugging && followed === null) followed = seatToMove() ?? 0;
    line = null;
    refresh();
  }

  function seatToMove() { return doc.moves[at]?.[0]?.[0] ?? null; }

  function toRound(forward) {
    stop(forward ? rounds[lastUpTo(rounds, at) + 1] ?? last : rounds[lastUpTo(rounds, at - 1)] ?? 0);
  }

  function toMove(forward) {
    if (followed === null) follow(seatToMove());
    if (followed === null) return;
    const move = film.moves[followed][forward ? film.lastMove(followed, at) + 1 : film.lastMove(followed, at - 1)];
    if (move) stop(move.step);
  }

  /** Go to the nearest event, of the chosen kind if there is one. */
  function toEvent(forward) {
    const fits = (event) => kind === null || kinds[event] === kind;
    let event = forward ? lastUpTo(told, at) + 1 : lastUpTo(told, at - 1);
    while (event in told && !fits(event)) event += forward ? 1 : -1;
    if (!(event in told)) return;
    marked = { step: told[event], kind: kinds[event] };
    stop(marked.step);
  }

  /** Choose a kind of events, or null for all kinds; the buttons then go to them. */
  function choose(one) {
    kind = one;
    marked = null;
    unit = null;
    refresh();
  }

  /** From events of any kind to those of the first kind, through all kinds, and back. */
  function chooseKind() {
    const all = [null, ...film.distinct];
    choose(all[(all.indexOf(kind) + 1) % all.length]);
  }

  // When it is drawn

  function refresh() {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame((now) => {
      wanted = false;
      if (playing) {
        line ??= [now, at];
        const rate = speed || Math.max(LADDER.at(-1), last / WHOLE);
        at = line[1] + Math.floor(Math.min(last - line[1], (now - line[0]) / 1000 * rate + 1e-9));
        const turn = debugging ? film.moves[followed]?.find(({ step }) => step - 1 > line[1]) : undefined;
        if (turn && at >= turn.step - 1) {
          at = turn.step - 1;
          playing = false;
        }
        if (at === last) playing = false;
      }
      draw();
      if (playing) refresh();
    });
  }

  function draw() {
    film.go(at);
    if (!board.fits) arrange();
    board.draw(followed);
    charts.draw(at, kind);
    table.draw(at, followed);
    events.draw(at, kind, marked);
    drawMove(film, at, followed, debugging);
    pointer.again();
    put($("now"), film.title.replaceAll(/ (?=\d)/g, "\u00a0"));
    $("debug").setAttribute("aria-pressed", debugging);
    $("why").setAttribute("aria-pressed", "explain" in root.dataset);
    showUnit();
    put($("speed"), speed ? `${speed} step${speed === 1 ? "" : "s"}/s` : "full speed");
    if (ended !== (at === last)) {
      ended = at === last;
      $("winner").replaceChildren(...ended && doc.winner ? isolated(`${doc.winner}.`, doc.names) : []);
    }
    $("seek").value = at;
    $("seek").setAttribute("aria-valuetext", film.title);
    $("play").setAttribute("aria-label", playing ? "Pause" : "Play");
    if (root.dataset.step !== String(at)) address();
    root.dataset.step = at;
    root.dataset.playing = Number(playing);
  }

  /** The menu, and what its two buttons are called. */
  function showUnit() {
    const value = unit ?? `kind ${kind ?? ""}`;
    if (value === select.dataset.shown) return;
    select.value = select.dataset.shown = value;
    for (const [id, word] of [["back", "Previous"], ["ahead", "Next"]]) {
      for (const name of ["aria-label", "title"]) $(id).setAttribute(name, `${word}: ${select.selectedOptions[0].text}`);
    }
  }

  /** Give everything its size: the board has the most room, beside the seats or above them. */
  function arrange() {
    const pixel = devicePixelRatio || 1, [match, stage, side, frame] = ["match", "stage", "side", "frame"].map($);
    stage.style.width = "";
    const beside = side.offsetLeft > stage.offsetLeft, edge = 2 * parseFloat(getComputedStyle(frame).paddingLeft);
    const bare = "bare" in root.dataset, top = stage.getBoundingClientRect().top + scrollY;
    const below = stage.offsetHeight - frame.offsetHeight + (bare ? side.offsetHeight + 12 : 24);
    const wide = beside ? match.clientWidth - Math.max(SIDE[0], SIDE[1] * match.clientWidth) : stage.clientWidth;
    board.fit(pixel, wide - edge, Math.max(bare ? 0 : LEAST, innerHeight - top - below - edge));
    if (beside) stage.style.width = `${Math.max(board.canvas.offsetWidth + edge, 480)}px`;
    charts.fit(pixel);
    legend.fit(pixel);
  }

  // The address

  function address() {
    timer ||= setTimeout(() => {
      timer = 0;
      const words = [`step=${at}`, ...["bare", "explain"].filter((word) => word in root.dataset)];
      history.replaceState(null, "", `#${words.join("&")}`);
    }, ADDRESS);
  }

  /** Go where an address leads. */
  function openAt(url) {
    const words = new URL(url).hash.slice(1).split("&");
    root.toggleAttribute("data-bare", words.includes("bare"));
    root.toggleAttribute("data-explain", words.includes("explain") && doc.explanation !== null);
    stop(Number(words.map((word) => /^step=(-?\d+)$/.exec(word)).find(Boolean)?.[1] ?? 0));
    film.go(at);
    put($("now"), film.title.replaceAll(/ (?=\d)/g, "\u00a0")); // the room for the board depends on these texts
    table.draw(at, followed);
    arrange();
    if (words.includes("play") && !matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
  }

  /** Put the explanation above the board, or below it. */
  function explain() {
    root.toggleAttribute("data-explain");
    scrollTo(0, 0);
    arrange();
    address();
    refresh();
  }

  // Keys, buttons and clicks

  const help = $("help"), dialog = () => help.open ? help.close() : help.showModal(), select = $("unit");
  const stride = Math.max(PAGE, Math.floor(last / STRIDES)), ring = [null, ...doc.colours.keys()];
  const next = (by) => follow(ring.at((ring.indexOf(followed) + by) % ring.length));
  const keys = {
    " ": () => play(!playing), "?": dialog, Escape: () => { if (!help.open) choose(null); },
    ArrowRight: () => stop(at + 1), ArrowLeft: () => stop(at - 1), ArrowDown: () => toRound(true), ArrowUp: () => toRound(false),
    PageDown: () => go(at + PAGE), PageUp: () => go(at - PAGE), "]": () => go(at + stride), "[": () => go(at - stride),
    Home: () => go(0), End: () => go(last), "+": faster, "=": faster, "-": slower, _: slower, f: () => next(1), F: () => next(-1),
    n: () => toEvent(true), N: () => toEvent(false), m: () => toMove(true), M: () => toMove(false), d: debug, k: chooseKind,
  };
  const units = { // what the buttons skip, and the keys that do the same
    round: ["ArrowUp", "ArrowDown"], move: ["M", "m"], ten: ["PageUp", "PageDown"], part: ["[", "]"], end: ["Home", "End"],
  };
  const skip = (forward) => keys[(units[unit] ?? ["N", "n"])[Number(forward)]]();
  for (let digit = 0; digit < 10; digit++) keys[digit] = () => run(digit ? 2 ** (digit - 1) : UNLIMITED);
  addEventListener("keydown", (event) => {
    if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === " " && event.target.closest?.("button")) return;
    if (event.target.matches?.("select, pre") && /^(Arrow.*|Page.*|Home|End| )$/.test(event.key)) return; // they choose, or scroll
    if (event.key !== "Escape") event.preventDefault(); // Esc closes the dialog
    keys[event.key]();
  });
  const clicks = {
    play: keys[" "], prev: keys.ArrowLeft, next: keys.ArrowRight, slower, faster, keys: dialog, close: dialog, debug,
    back: () => skip(false), ahead: () => skip(true), why: explain,
  };
  for (const [id, act] of Object.entries(clicks)) $(id).addEventListener("click", act);
  select.firstElementChild.append(...["", ...film.distinct].map((one) => el("option", { value: `kind ${one}` }, one || "any event")));
  select.addEventListener("change", () => {
    if (select.value.startsWith("kind ")) choose(select.value.slice(5) || null);
    else unit = select.value;
    refresh();
    if (!select.matches(":focus-visible")) select.blur(); // chosen with a pointer: keys are the page's again
  });
  $("theme").addEventListener("click", () => {
    const theme = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    root.dataset.theme = theme === "dark" ? "light" : "dark";
  });
  $("seek").addEventListener("input", () => go(Number($("seek").value)));
  for (const chart of [$("chart"), $("times"), $("ticks")]) chart.addEventListener("click", (event) => go(charts.stepAt(chart, event.clientX)));
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a"), found = /^#step=(\d+)$/.exec(link?.getAttribute("href"));
    if (!found || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault(); // the address may be behind, and then it would not change
    stop(Number(found[1]));
    if ($("explanation").contains(link) && !("explain" in root.dataset)) scrollTo(0, 0);
  });
  addEventListener("hashchange", (event) => { // the address itself may have been changed since
    openAt(event.newURL);
    address();
  });
  addEventListener("resize", () => {
    arrange();
    refresh();
  });

  for (const [part, has] of [["log-part", doc.logs], ["reasons-part", doc.decided]]) {
    if (has) $(part).hidden = false; else $(part).remove();
  }
  if (doc.explanation !== null) {
    $("explained").hidden = $("why").hidden = false;
    $("explanation").replaceChildren(...linkedLines(doc.explanation, doc.names));
  }
  $("seek").max = last;
  openAt(location.href);
  root.dataset.step = at;
  draw();
  root.dataset.ready = 1;
  if (location.hash) address();
}

read($("data").textContent).then(show).catch((failed) => {
  root.dataset.ready = "error";
  $("failed").textContent = `This match cannot be shown (${failed}). Use a browser of 2023 or later, or export the match again.`;
  $("failed").hidden = false;
});
