// What a designer does at the table: other lines of play, another number or variant from here on, who plays, a save.

import { el, refill } from "./dom.js";
import { say } from "./words.js";

const choice = (text, value) => el("option", { value }, text);

const LEVELS = { beginner: "level_beginner", good: "level_good", strongest: "level_strongest" };

export class Design {
  constructor(panel, send) {
    Object.assign(this, { panel, send });
  }

  /** Shows the tools; for those who may not use them there are none. Returns whether there are. */
  show(position, people) {
    const { design } = position;
    if (!design || !people) return false;
    refill(
      this.panel,
      this.section("lines", this.lines(people.table)),
      Object.keys(design.numbers).length > 0 ? this.section("change_number", this.numbers(design.numbers)) : null,
      design.variants.length > 0 ? this.section("try_variant", this.variants(design.variants)) : null,
      this.section("who_plays", this.seats(people, design)),
      this.section("pace", this.pace(people.table.pace ?? 0)),
      el("p", { className: "buttons" }, this.button("save", "save_game", () => this.send({ kind: "save" })), this.button("keep", "keep_example", () => this.send({ kind: "keep" })), this.button("again", "again", () => this.send({ kind: "again" }))),
    );
    return true;
  }

  section(word, ...contents) {
    return el("section", {}, el("h3", {}, say(word)), ...contents);
  }

  button(key, word, onclick) {
    return el("button", { type: "button", data: { key }, onclick }, say(word));
  }

  lines({ lines = [], line }) {
    const rows = lines.map((one) => {
      const from = one.from === null || one.from === undefined ? "" : ` ← ${one.from} (${one.at})`;
      const more = [...one.variants, ...one.changes].map((text) => text.replaceAll("_", " ").replace("=", " = ")).join(", ");
      const go = { type: "button", data: { key: `line ${one.line}` }, aria: { pressed: one.line === line } };
      return el("button", { ...go, onclick: () => this.send({ kind: "goto", line: one.line }) }, `${one.line}${from} ${more}`.trim());
    });
    return el("div", { className: "options" }, rows);
  }

  numbers(numbers) {
    const names = Object.keys(numbers);
    const name = el("select", { data: { key: "number" }, aria: { label: say("change_number") } }, names.map((one) => choice(one.replaceAll("_", " "), one)));
    const value = el("input", { type: "number", value: numbers[names[0]], data: { key: "value" }, aria: { label: say("new_value") } });
    name.onchange = () => (value.value = numbers[name.value]);
    const go = () => value.value !== "" && this.send({ kind: "under", number: name.value, value: Number(value.value) });
    return el("p", { className: "buttons" }, name, value, this.button("under", "play_on", go));
  }

  variants(variants) {
    const name = el("select", { data: { key: "variant" }, aria: { label: say("try_variant") } }, variants.map((one) => choice(one.replaceAll("_", " "), one)));
    return el("p", { className: "buttons" }, name, this.button("with", "play_on", () => this.send({ kind: "under", variant: name.value })));
  }

  seats(people, { bots, levels }) {
    const called = Object.entries(levels).map(([level, one]) => choice(say(LEVELS[level]), one));
    const known = [...Object.values(levels), ...bots];
    const rows = people.seats.map(({ seat, name, bot }) => {
      const other = bot && !known.includes(bot) ? [bot] : [];
      const rest = [...bots, ...other].filter((one) => !Object.values(levels).includes(one));
      const select = el("select", { data: { key: `bot ${seat}` } }, choice(say("person"), ""), called.map((one) => one.cloneNode(true)), rest.map((one) => choice(one, one)));
      select.value = bot ?? "";
      select.onchange = () => this.send({ kind: "bot", seat, bot: select.value || null });
      return el("label", {}, `${name} `, select);
    });
    return el("p", { className: "buttons" }, rows);
  }

  pace(seconds) {
    const input = el("input", { type: "number", min: 0, max: 60, step: 0.1, value: seconds, data: { key: "pace" }, aria: { label: say("pace") } });
    input.onchange = () => this.send({ kind: "pace", seconds: Number(input.value) });
    return input;
  }
}

/** Hands a text over as a file. */
export function download(text, name) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
