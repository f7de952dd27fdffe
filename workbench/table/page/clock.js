// How long each seat has been asked for, as this page has seen it: for those who want to know, and nobody's business else.

import { el } from "./dom.js";
import { keep, kept } from "./words.js";

const SECOND = 1000;
const LONGEST = 120 * SECOND; // between two looks at the clock; a page that slept for longer has not seen it

export class Clock {
  constructor() {
    setInterval(() => this.tick(), SECOND);
    addEventListener("pagehide", () => this.keep());
  }

  /** Another position: from now on others are asked. What was counted of a game before the page was opened again counts. */
  follow(position) {
    this.keep();
    if (position.line !== this.line) {
      this.line = position.line;
      const [line, used, all] = JSON.parse(kept("clock") || "[]");
      this.used = line === position.line ? used : position.players.map(() => 0);
      this.all = line === position.line && all ? all : 0;
    }
    this.asked = position.over ? [] : position["turn of"];
  }

  count() {
    const now = Date.now();
    const passed = Math.min(now - this.at, LONGEST);
    for (const seat of this.asked ?? []) this.used[seat] += passed;
    if (this.asked?.length > 0) this.all += passed;
    this.at = now;
  }

  keep() {
    this.count();
    if (this.used) keep("clock", JSON.stringify([this.line, this.used, this.all]));
  }

  tick() {
    if (!this.used) return;
    this.count();
    for (const one of document.querySelectorAll("[data-clock]")) one.textContent = this.text(one.dataset.clock);
  }

  /** How long the game has taken so far. */
  get minutes() {
    return Math.round(this.all / (60 * SECOND));
  }

  /** The time of a seat, to be shown beside it. */
  shown(seat) {
    return el("time", { data: { clock: seat } }, this.text(seat));
  }

  text(seat) {
    const seconds = Math.floor(this.used[seat] / SECOND);
    return ` ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
