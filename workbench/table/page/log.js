// The log: every line with its reasons, and what is new read out to those who listen.

import { isAsked } from "./choosing.js";
import { byId, el } from "./dom.js";
import { marked, say } from "./words.js";

const SIGNS = { roll: "⚄", shuffle: "⚄", choice: "▸", score: "★", end: "■" };
const SPOKEN = 4;
const RECENT = 3;

export class Log {
  /** `jump(at)`: shows the position that a line led to. */
  constructor(panel, jump) {
    this.panel = panel;
    this.recent = [];
    this.list = el("ol", {
      className: "log",
      onclick: ({ target }) => { // one for all, since a line that keeps its own would keep its position too
        const line = target.closest(".term") ? null : target.closest("[data-shows]");
        if (line) jump(Number(line.dataset.shows));
      },
    });
    this.more = el("p", { className: "help" });
    panel.append(this.more, this.list);
  }

  /** Lines of a position; `whole`: all of them, or those since the last position. */
  told(position, whole) {
    if (whole) this.list.replaceChildren();
    if (whole) this.more.textContent = position.earlier ? say("earlier_lines", { number: position.earlier }) : "";
    this.more.hidden = this.more.textContent === "";
    let { at } = position;
    const places = position.log.map(() => 0);
    for (let i = places.length - 1; i >= 0; i--) {
      places[i] = Math.max(0, at);
      if (position.log[i].kind === "choice") at -= 1;
    }
    const lines = position.log.map((line, i) => entry(line, position.players[line.player], places[i]));
    for (const old of this.list.querySelectorAll(".new")) old.classList.remove("new");
    const number = (whole ? position.earlier : this.number) + lines.length;
    const isFirst = whole && (position.line !== this.line || this.number === undefined || number < this.number);
    const news = isFirst ? 0 : number - this.number; // a page that was away is told all, of which it may know the most
    lines.slice(lines.length - Math.min(news, lines.length)).forEach((line) => line.classList.add("new"));
    Object.assign(this, { number, line: position.line });
    this.list.append(...lines);
    this.panel.scrollTop = this.panel.scrollHeight;
    this.remember(position, whole);
    if (!whole) speak(position);
  }

  /** What the others have done and scored since one's own last choice. */
  remember(position, whole) {
    const own = position.log.findLastIndex((line) => line.kind === "choice" && line.player === position.seat);
    if (whole || own >= 0) this.recent = [];
    this.recent.push(...position.log.slice(own + 1).filter((line) => line.kind === "choice" || line.kind === "score"));
    this.recent = this.recent.slice(-RECENT);
  }

  /** The same as lines for the dock. */
  get news() {
    return this.recent.map((line) => line.text);
  }
}

function entry(line, player, shows) {
  const reasons = line.reasons ? el("span", { className: "reasons" }, ` (${line.reasons})`) : null;
  const sign = SIGNS[line.kind] ?? "·";
  const isChoice = line.kind === "choice";
  const shown = isChoice
    ? el("button", { type: "button", className: "jump sign", title: say("look_back"), aria: { label: `${say("look_back")}: ${line.text}` } }, sign)
    : el("span", { className: "sign", title: line.rule, aria: { hidden: true } }, sign);
  const item = el("li", { className: line.kind, data: isChoice ? { shows } : {} }, shown, " ", marked(line.text), reasons);
  if (player) item.style.setProperty("--seat", player.colour);
  return item;
}

/** Tells the latest lines and whether it is one's turn. */
function speak(position) {
  const told = position.log.slice(-SPOKEN).map((line) => line.text);
  const turn = isAsked(position) ? [say("your_turn"), position.question.about, position.question.text] : [];
  const text = [...told, ...turn].filter((one) => one).join(". ");
  if (text) byId("live").textContent = text;
}
