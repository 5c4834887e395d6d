/* What goes to the server and comes back.  A decision is kept in this browser until the server has answered it. */

const KEY = "serve-key";
const { remember, remembered } = interagree;

const fragment = new URLSearchParams(location.hash.slice(1));
if (fragment.has("key")) {
  remember(KEY, fragment.get("key"));
  history.replaceState(null, "", location.pathname + location.search);
}

export class Failure extends Error {
  constructor(status, body) {
    super(body.error || "The server answered with " + status + ".");
    this.status = status;
    this.body = body;
  }
}

async function asked(path, options = {}) {
  const headers = { "X-Interagree": remembered(KEY) || "", ...options.headers };
  const answer = await fetch(path, { ...options, headers, cache: "no-store" });
  if (answer.ok) return answer;
  throw new Failure(answer.status, await answer.json().catch(() => ({})));
}

export const address = (path, given = {}) => {
  const words = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== null && value !== undefined && value !== ""));
  return words.size ? path + "?" + words : path;
};

export const get = async (path, given) => (await asked(address(path, given))).json();

export const post = async (path, body) => (await asked(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
})).json();

export async function enter(name, password) {
  remember(KEY, (await post("/enter.json", { name, password })).key);
}

export async function leave() {
  await post("/leave.json", {});
  remember(KEY, "");
}

export const upload = async (file) => (await asked(address("/upload.json", { name: file.name }), {
  method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file,
})).json();

let shown = ""; // the picture that is shown, of which there is one

/** The picture of an item, as an address of this page; null where there is none. */
export async function picture({ question, item, drawn }) {
  if (!drawn.image) return null;
  URL.revokeObjectURL(shown);
  shown = await asked(address("/image", { question, item })).then((answer) => answer.blob()).then((blob) => URL.createObjectURL(blob)).catch(() => "");
  return shown || null;
}

export async function download(path, given) {
  const answer = await asked(address(path, given));
  const name = decodeURIComponent((answer.headers.get("Content-Disposition") || "").split("''")[1] || "gold");
  const link = interagree.element("a", { href: URL.createObjectURL(await answer.blob()), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  return name;
}

// ------------------------------------------------------------------------------------------------ what is new

const AGAIN = 1000; // milliseconds after which a line that broke is opened again

/** Tells what is new as long as this page is looked at, all that was missed included; what is returned ends it. */
export function listen(heard, at = {}) {
  let id = null;
  let line = null;
  const hear = (block) => {
    const fields = Object.fromEntries(block.split("\n").map((field) => [field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 2)]));
    if (!fields.event) return;
    id = fields.id;
    if (fields.event !== "here") heard(fields.event, JSON.parse(fields.data));
  };
  const follow = async (mine) => {
    while (line === mine) {
      try {
        const answer = await asked(address("/events", at), { headers: id === null ? {} : { "Last-Event-ID": id }, signal: mine.signal });
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let left = "";
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
          const blocks = (left + piece.value).split("\n\n");
          left = blocks.pop();
          blocks.forEach(hear);
        }
      } catch {
        // The line broke, or the server is gone: it is tried again.
      }
      if (line === mine) await new Promise((done) => { setTimeout(done, AGAIN); });
    }
  };
  const end = () => { if (line) line.abort(); line = null; };
  // A browser has few lines to one server: pages that nobody looks at keep none open.
  const look = () => { end(); if (!document.hidden) { line = new AbortController(); follow(line); } };
  document.addEventListener("visibilitychange", look);
  look();
  return () => { document.removeEventListener("visibilitychange", look); end(); };
}

/** Does something when it is called, and once more where it was called meanwhile: what it found may be old. */
export function latest(act) {
  let [wanted, acting] = [false, false];
  return async () => {
    wanted = true;
    if (acting) return;
    acting = true;
    while (wanted) {
      wanted = false;
      await act().catch(() => {});
    }
    acting = false;
  };
}

// ---------------------------------------------------------------------------------------------- what waits

const KEPT = "outbox:";
const STORED = "interagree:"; // what `remember` puts before a name

function keptUnder(begin) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(STORED + begin)).map((key) => key.slice(STORED.length));
  } catch {
    return []; // a browser that stores nothing: what waits goes with the page
  }
}

function forget(key) {
  try {
    localStorage.removeItem(STORED + key);
  } catch {
    // Nothing was stored.
  }
}

/** Decisions that the server has not answered yet, oldest first: each for its project, which a port may change. */
export const outbox = {
  AGAIN: 2000, // milliseconds
  project: null, // known with the first answer
  waiting: [],
  done: () => {}, // (event, answer, failure) when the server has answered
  changed: () => {},
  timer: null,
  sending: false,
  trouble: "",

  /** Go on with what this browser kept for a project. */
  open(project) {
    if (this.project) return;
    this.project = project;
    const begin = KEPT + project + ":";
    const kept = keptUnder(begin).map((key) => remembered(key)).filter((entry) => entry && entry.event);
    this.waiting = kept.sort((a, b) => a.at - b.at).map(({ event }) => event);
    this.send();
  },

  add(event) {
    const made = { ...event, project: this.project };
    this.waiting.push(made);
    remember(this.key(made), { at: Date.now(), event: made });
    this.tell();
    return this.send();
  },

  key(event) {
    return KEPT + event.project + ":" + event.op;
  },

  tell() {
    this.changed(this.waiting.length, this.trouble);
  },

  async send() {
    if (this.sending) return;
    this.sending = true;
    clearTimeout(this.timer);
    while (this.waiting.length) {
      const [event] = this.waiting;
      let answer = null;
      let failure = null;
      try {
        answer = await post("/decide.json", event);
      } catch (error) {
        failure = error;
      }
      // No answer, a full disk, files that are not read yet, another project, a server that lets nobody in: it stays here
      // and is sent again.
      if (failure && (!(failure instanceof Failure) || failure.status >= 500 || failure.status === 421 || failure.body.closed)) {
        this.trouble = failure instanceof Failure ? failure.message : "The server does not answer.";
        this.timer = setTimeout(() => this.send(), this.AGAIN);
        break;
      }
      this.trouble = "";
      this.waiting.shift();
      forget(this.key(event));
      this.tell();
      this.done(event, answer, failure);
    }
    this.sending = false;
    this.tell();
  },
};

export const newOp = () => crypto.randomUUID ? crypto.randomUUID() : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
