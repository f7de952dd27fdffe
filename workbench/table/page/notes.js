// Notes on moments of a game, and for designers: lines of play and numbers to change.

import { el, refill } from "./dom.js";
import { say } from "./words.js";

export class Notes {
  constructor(panel, send) {
    this.send = send;
    this.text = el("textarea", { rows: 2, maxLength: 2000 });
    this.label = el("label", {}, el("span"), this.text);
    this.add = el("button", { type: "button", onclick: () => this.write() });
    this.list = el("ul", { className: "notes" });
    this.designer = el("div");
    panel.append(this.list, this.label, this.add, this.designer);
  }

  words() {
    this.label.firstChild.textContent = say("note_about");
    this.add.textContent = say("add_note");
  }

  write() {
    const text = this.text.value.trim();
    if (text && this.send({ kind: "note", text })) this.text.value = "";
  }

  show(notes) {
    refill(this.list, notes.map((note) => el("li", {}, el("small", {}, `${note.at} · ${note.by} `), note.text)));
  }

  /** What the open link may do besides: go to another line of play, change a number, slow bots down. */
  tools(people) {
    if (people.you.role !== "open") return refill(this.designer);
    const { lines = [], line } = people.table;
    const rows = lines.map((one) => {
      const told = [one.line, one.from === null || one.from === undefined ? "" : `← ${one.from} @ ${one.at}`, ...(one.variants ?? [])];
      const go = { type: "button", disabled: one.line === line, data: { key: `line ${one.line}` } };
      return el("li", {}, el("button", { ...go, onclick: () => this.send({ kind: "goto", line: one.line }) }, told.filter((t) => t !== "").join(" ")));
    });
    return refill(this.designer, el("h3", {}, say("lines")), el("ul", {}, rows), this.change(), this.pace(people));
  }

  change() {
    const name = el("input", { type: "text", size: 12, aria: { label: say("change_number") }, data: { key: "number" } });
    const value = el("input", { type: "number", aria: { label: say("confirm") }, data: { key: "value" } });
    const submit = (event) => {
      event.preventDefault();
      if (name.value && value.value !== "") this.send({ kind: "under", number: name.value.trim(), value: Number(value.value) });
    };
    return el("form", { onsubmit: submit }, el("p", {}, say("change_number")), name, " = ", value, el("button", {}, say("play_on")));
  }

  pace(people) {
    const input = el("input", { type: "number", min: 0, max: 60, step: 0.1, value: people.table.pace ?? 0, data: { key: "pace" } });
    input.onchange = () => this.send({ kind: "pace", seconds: Number(input.value) });
    return el("label", {}, `${say("pace")} `, input);
  }
}
