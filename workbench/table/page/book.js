// The rulebook beside the table, opened at the rule that asks.

import { el } from "./dom.js";
import { fetched } from "./wire.js";
import { say } from "./words.js";

export class Book {
  constructor(panel) {
    this.panel = panel;
    this.panel.classList.add("book");
  }

  /** `base`: where the server has this table's rulebook; `key`: changes when its rules do. */
  async read(base, lang, key) {
    const wanted = `${base} ${lang} ${key}`;
    if (this.wanted === wanted) return;
    this.wanted = wanted;
    const answer = await fetched(`${base}/${encodeURIComponent(lang)}`);
    if (!answer || this.wanted !== wanted) return;
    const { parts, language } = answer;
    this.panel.lang = language ?? "en";
    this.panel.replaceChildren(...parts.map((one) => part(one)));
    if (this.at) this.open(this.at);
  }

  /** Scrolls to a rule, or to the nearest one that it is a part of. */
  open(rule) {
    this.at = rule;
    for (const old of this.panel.querySelectorAll(".here")) old.classList.remove("here");
    let found = [];
    for (let name = rule; name && found.length === 0; name = name.includes(".") ? name.replace(/\.[^.]*$/, "") : "") {
      found = [...this.panel.querySelectorAll(`[data-section="${CSS.escape(name)}"]`)];
    }
    found.forEach((one) => one.classList.add("here"));
    if (found.length > 0) this.panel.scrollTop = found[0].offsetTop - this.panel.offsetTop - 40;
  }
}

/** A heading, so many levels `below` the top of the page, or a statement; one that is another has its words in `pieces`. */
export function part(one, below = 2) {
  if (one.kind === "heading") return el(`h${Math.min(one.level + below, 6)}`, {}, one.text);
  const data = { section: one.section };
  const tags = { "-": "del", "+": "ins" };
  const text = one.pieces?.map(([sign, words]) => (tags[sign] ? el(tags[sign], {}, words) : words)) ?? one.text;
  return el("p", { data, className: one.pieces || one.mark !== "same" ? `mark-${one.mark}` : "" }, text);
}
