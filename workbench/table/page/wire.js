// The connection to the server: messages are JSON. A connection that is lost comes back by itself, also when nobody says
// that it is lost; and what was sent over it is sent once more over the next, unless it is known to have arrived.

import { ownLink } from "./company.js";

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;
const BEAT = 3000; // so long after the last message, the server is asked whether it is still there,
const PATIENCE = 4000; // and so long one waits for the answer;
const SHORT_PATIENCE = 1500; // less where there is a reason to doubt,
const FIRST_PATIENCE = 12000; // and more for the first, which may be large.
const NOBODYS = 4401;
const FINAL = [NOBODYS, 4429];
const UNNAMED = ["hello", "alive", "look"]; // of these, the last says all, and every connection begins with it

/** What the server has under a path; null where that is nothing. */
export async function fetched(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

/** Words before anything came from the table, by language. */
export const firstWords = () => fetched("page/first.json");

/** Opens the page of whoever has a link; `missing` tells those who have none. */
export function begin(open, missing) {
  const token = ownLink(location.hash.slice(1));
  if (token) {
    history.replaceState(null, "", `#${token}`);
    open(token);
  } else missing();
  window.addEventListener("hashchange", () => location.reload());
}

/** What belongs to a page of this kind alone; to this one, nothing. */
export function furnish() {}

export class Wire {
  /**
   * `hello`: makes the first message of every connection. `heard`: is called with each message, which `isLate` if it
   * answers one that was sent again; `settled`: with one of ours that the server has dealt with, and whether it was done.
   * `lost`: when the connection goes; with true when it makes no sense to come again. `turn`: gives the number of the
   * position that is shown; `path`: where the server has the socket.
   */
  constructor({ hello, heard, settled, lost, turn, path = "socket" }) {
    Object.assign(this, { hello, heard, settled, lost, turn, path, pause: FIRST_PAUSE, number: 0, run: "" });
    this.own = Math.random().toString(36).slice(2);
    this.unsure = new Map();
    addEventListener("online", () => this.probe());
    addEventListener("offline", () => this.probe());
    addEventListener("pageshow", (event) => event.persisted && this.probe());
    document.addEventListener("visibilitychange", () => document.hidden || this.probe());
    this.open();
  }

  open() {
    const url = new URL(this.path, location.href.split("#")[0]);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    Object.assign(this, { socket, isFresh: true, until: undefined });
    const ours = (act) => (event) => socket === this.socket && act(event);
    socket.onopen = ours(() => {
      this.put(this.hello());
      this.ask(FIRST_PATIENCE);
    });
    socket.onmessage = ours((event) => this.received(JSON.parse(event.data)));
    socket.onclose = ours((event) => {
      this.isNobodys = event.code === NOBODYS;
      this.again(FINAL.includes(event.code));
    });
    this.wait(FIRST_PATIENCE, () => this.drop());
  }

  /** What happens next, unless something is heard before. */
  wait(time, act) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, time);
  }

  /** Asks whether the server is there; if it does not answer, it is not. To ask again is to wait no longer. */
  ask(patience) {
    this.put({ kind: "alive" });
    const until = performance.now() + patience;
    if (this.until !== undefined && this.until <= until) return;
    this.until = until;
    this.wait(patience, () => this.drop());
  }

  /** There is a reason to look at once: the network has changed, or somebody has come back to the page. */
  probe() {
    if (this.isFinal) return;
    this.pause = FIRST_PAUSE;
    if (this.isOpen && !this.isFresh) this.ask(SHORT_PATIENCE);
    else if (!this.socket || this.socket.readyState !== WebSocket.OPEN) this.retry();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Whether a message of this kind has been sent from the position that is shown, and may have arrived or not. */
  isUnsure(kind) {
    return [...this.unsure.values()].some(({ message, sent }) => message.kind === kind && sent === this.turn());
  }

  received(message) {
    this.pause = FIRST_PAUSE;
    this.until = undefined;
    this.wait(BEAT, () => this.ask(PATIENCE));
    if (message.kind === "alive") this.alive(message.run);
    else {
      const mine = this.unsure.get(message.id);
      this.unsure.delete(message.id);
      message.isLate = mine?.isAgain;
      if (mine) this.settled(mine.message, message.kind !== "refused");
      if (message.kind !== "done") this.heard(message);
    }
  }

  /** The server is there, and said what it calls itself. What it may not have heard it is told once more. */
  alive(run) {
    this.run = run;
    if (!this.isFresh) return;
    this.isFresh = false;
    for (const each of this.unsure.values()) {
      each.isAgain = true;
      this.put({ ...each.message, "again since": each.run ?? run, "sent at": each.sent });
      each.run ??= run;
    }
  }

  /** The connection is no good any more, whatever it thinks of itself. */
  drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.again(false);
  }

  again(isFinal) {
    this.isFinal = isFinal;
    this.socket = null;
    clearTimeout(this.timer);
    if (!isFinal) {
      this.wait(this.pause * (0.5 + Math.random() / 2), () => this.open());
      this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    }
    this.lost(isFinal);
  }

  /** Another attempt, now. */
  retry() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.open();
  }

  /** Sends a message, as soon as there is a connection. It is kept until the server has dealt with it; returns its id. */
  send(message) {
    if (UNNAMED.includes(message.kind)) return this.put(message);
    const named = { ...message, id: `${this.own}-${(this.number += 1)}` };
    const isNow = this.isOpen && !this.isFresh;
    this.unsure.set(named.id, { message: named, sent: this.turn(), run: isNow ? this.run : undefined });
    if (isNow) {
      this.put(named);
      this.ask(PATIENCE);
    } else if (!this.isOpen) this.lost(false);
    return named.id;
  }

  put(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
