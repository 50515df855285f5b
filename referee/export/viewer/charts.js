// Points over time, and the time of each answer. Both span the steps from 0 to the last, and a click on them seeks.
//
// Lines have the seats' colours, a pattern for each seat, and its number at the end. What is still to come is paler, on a darker
// ground, but never so pale that it cannot be seen (WCAG 2, 1.4.11): each picture is drawn twice, and each half shows one of them.
const DASHES = [[], [8, 3], [2, 3], [9, 3, 2, 3], [14, 4], [5, 5], [2, 6], [9, 3, 2, 3, 2, 3]];
const DECADES = 4; // of answer times: the lowest bar is a ten-thousandth of the limit
const FAINT = "#a3a9b3", RULE = "#2b3038", COMING = "#0b0d10"; // the ground of what is still to come
const LEAST_CONTRAST = 3.1;

/** The relative luminance of a colour, `#rrggbb`, by WCAG. */
function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A colour mixed with the ground of what is still to come, as far as its contrast allows, but not beyond 60 %. */
function paler(colour) {
  const mixed = (part) => "#" + [1, 3, 5].map((at) => {
    const [one, other] = [colour, COMING].map((of) => parseInt(of.slice(at, at + 2), 16));
    return Math.round(one + (other - one) * part).toString(16).padStart(2, "0");
  }).join("");
  let part = 0.6;
  while (part > 0 && (luminance(mixed(part)) + 0.05) / (luminance(COMING) + 0.05) < LEAST_CONTRAST) part -= 0.02;
  return mixed(Math.max(0, part));
}

class Charts {
  constructor(film) {
    this.film = film;
    this.drawn = new Map([[$("chart"), this.plot], [$("times"), this.strip], [$("ticks"), this.marks]]);
    this.kept = new Map();
    this.kind = null;
    // Kinds from the most frequent one to the rarest, which is drawn last and tallest.
    const often = new Map(film.distinct.map((kind) => [kind, 0]));
    for (const kind of film.kinds) often.set(kind, often.get(kind) + 1);
    this.ranked = [...often.keys()].sort((one, other) => often.get(other) - often.get(one));
  }

  /** Draw both as large as they are on the page, and keep them. */
  fit(pixel) {
    this.pixel = pixel;
    for (const [canvas, drawn] of this.drawn) {
      canvas.width = Math.round(canvas.clientWidth * pixel);
      canvas.height = Math.round(canvas.clientHeight * pixel);
      if (canvas.width && canvas.height) this.kept.set(canvas, [false, true].map((coming) => this.picture(canvas, drawn, coming)));
      else this.kept.delete(canvas); // it is not shown
    }
  }

  /** What a canvas shows of the past, or of what is still to come. */
  picture({ width, height }, drawn, coming) {
    const picture = el("canvas");
    picture.width = width;
    picture.height = height;
    this.c = picture.getContext("2d");
    this.floor = this.c.fillStyle = coming ? COMING : this.film.doc.floor;
    this.colours = this.film.doc.colours.map(([colour]) => coming ? paler(colour) : colour);
    this.c.fillRect(0, 0, width, height);
    drawn.call(this, width, height);
    return picture;
  }

  /** kind: the kind of the events that have a tick, null for all kinds. */
  draw(at, kind) {
    if (kind !== this.kind) {
      this.kind = kind;
      this.fit(this.pixel);
    }
    for (const [canvas, [past, coming]] of this.kept) {
      const c = canvas.getContext("2d"), line = 2 * this.pixel, x = Math.round(at / Math.max(1, this.film.last) * canvas.width);
      c.drawImage(coming, 0, 0);
      if (x) c.drawImage(past, 0, 0, x, canvas.height, 0, 0, x, canvas.height);
      c.fillStyle = "#ffffff";
      c.fillRect(clamp(x - line / 2, 0, canvas.width - line), 0, line, canvas.height);
    }
  }

  /** The step at this place of a click. */
  stepAt(canvas, clientX) {
    const left = canvas.getBoundingClientRect().left + canvas.clientLeft;
    return Math.round((clientX - left) / canvas.clientWidth * this.film.last);
  }

  label(text, x, y, align, colour, ground = this.floor) {
    this.c.font = `${11 * this.pixel}px system-ui, "DejaVu Sans", sans-serif`;
    this.c.textBaseline = "middle";
    this.c.textAlign = align;
    this.c.lineWidth = 3 * this.pixel;
    this.c.strokeStyle = ground;
    this.c.strokeText(text, x, y);
    this.c.fillStyle = colour;
    this.c.fillText(text, x, y);
  }

  plot(width, height) {
    const { c, pixel, film } = this, { colours } = film.doc;
    const every = film.scores.flat().map((score) => score.points).filter(Number.isFinite);
    const low = every.reduce((a, b) => Math.min(a, b), 0), high = every.reduce((a, b) => Math.max(a, b), low + 1);
    const room = 14 * pixel, x = (step) => step / Math.max(1, film.last) * width;
    const y = (points) => height - room - (points - low) / (high - low) * (height - 2 * room);
    c.fillStyle = RULE;
    for (const value of ticks(low, high)) c.fillRect(0, Math.round(y(value)), width, Math.max(1, Math.round(pixel)));
    c.lineWidth = 2 * pixel;
    c.lineJoin = "round";
    film.scores.forEach((score, seat) => {
      c.strokeStyle = this.colours[seat];
      c.setLineDash(DASHES[seat % DASHES.length].map((dash) => dash * pixel));
      c.beginPath();
      score.forEach(({ step, points }, i) => {
        if (i) c.lineTo(x(step), y(score[i - 1].points));
        c.lineTo(x(step), y(points));
      });
      c.lineTo(width, y(score.at(-1).points));
      c.stroke();
    });
    c.setLineDash([]);
    for (const value of ticks(low, high)) this.label(value, 6 * pixel, y(value) - 7 * pixel, "left", FAINT);
    this.label("points", width / 2, 8 * pixel, "center", FAINT);
    const ends = film.scores.map((score, seat) => [y(score.at(-1).points), seat]).sort(([one], [other]) => one - other);
    const apart = Math.min(15 * pixel, height / ends.length);
    ends.reduce((least, [place, seat], i) => {
      const middle = clamp(place, least, height - (ends.length - i - 0.5) * apart), [colour, , ink] = colours[seat];
      c.fillStyle = colour;
      c.beginPath();
      c.roundRect(width - 19 * pixel, middle - 7 * pixel, 16 * pixel, 14 * pixel, 3 * pixel);
      c.fill();
      this.label(seat + 1, width - 11 * pixel, middle + pixel / 2, "center", ink, colour);
      return middle + apart;
    }, apart / 2);
  }

  strip(width, height) {
    const { c, film } = this, last = Math.max(1, film.last), wide = Math.max(1, Math.ceil(width / last) - 1);
    const bars = film.moves.flatMap((moves, seat) => moves.map(({ step, took, limit }) => ({ step, seat, part: took / limit })));
    for (const { step, seat, part } of bars.sort((one, other) => other.part - one.part)) {
      const high = Math.round(clamp(1 + Math.log10(part || 1e-9) / DECADES, 0.02, 1) * height);
      c.fillStyle = this.colours[seat];
      c.fillRect(clamp(Math.floor(step / last * width), 0, width - wide), height - high, wide, high);
    }
    this.label("time of each answer, logarithmic, up to its limit", width / 2, 8 * this.pixel, "center", FAINT);
  }

  /** A tick for each event, in the colour of the seat that it names first. */
  marks(width, height) {
    const { c, film, kind, ranked } = this, { doc, kinds } = film, wide = Math.max(1, Math.round(1.5 * this.pixel));
    for (const [place, one] of ranked.entries()) {
      if (kind !== null && one !== kind) continue;
      const high = Math.round(height * (kind === null ? (place + 1) / ranked.length : 1));
      doc.events.forEach(([step, , told], event) => {
        if (kinds[event] !== one) return;
        const seat = doc.told[told].find(Array.isArray)?.[0];
        c.fillStyle = this.colours[seat] ?? FAINT;
        c.fillRect(clamp(Math.round(step / film.last * width - wide / 2), 0, width - wide), height - high, wide, high);
      });
    }
  }
}

/** A few round numbers from `low` to `high`. */
function ticks(low, high) {
  const power = 10 ** Math.floor(Math.log10((high - low) / 2));
  const step = [1, 2, 5, 10].map((part) => part * power).find((part) => (high - low) / part <= 4);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) found.push(Number((i * step).toPrecision(6)));
  return found;
}
