// What the server knows. Each question is a request to its JSON API.

/** The server refused a request. `line` and `column` are undefined unless a text is wrong. */
class Refused extends Error {
  constructor(status, { message, line, column }) {
    super(message);
    Object.assign(this, { status, line, column });
  }
}

const API = "/api/v1/";

/** Ask the server. `body` is sent as JSON, a text as it is. Returns the answer, null without one, and its ETag. */
async function ask(path, body, { method = body === undefined ? "GET" : "POST", tag } = {}) {
  const plain = typeof body === "string" || body === undefined;
  const headers = { ...!plain && { "Content-Type": "application/json" }, ...tag && { "If-Match": tag } };
  let answer, value;
  try {
    answer = await fetch(API + path, { method, headers, body: plain ? body : JSON.stringify(body) });
    value = answer.status === 204 ? null : await answer.json();
  } catch {
    throw new Refused(0, { message: "the server does not answer: is it still running?" });
  }
  if (!answer.ok) throw new Refused(answer.status, value.error);
  return { value, tag: answer.headers.get("ETag") };
}

/** Runs a task again and again while it is wanted, one run at a time: what changes meanwhile is in the next run. */
class Latest {
  running = null;

  constructor(task) { this.task = task; }

  /** Run the task, after the run that goes on now. Resolves when nothing more is wanted. */
  want() {
    this.due = true;
    this.running ??= this.run().finally(() => { this.running = null; });
    return this.running;
  }

  async run() {
    while (this.due) {
      this.due = false;
      await this.task();
    }
  }
}
