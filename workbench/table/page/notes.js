// Notes on moments of a game, which go into its save.

import { el, refill } from "./dom.js";
import { say } from "./words.js";

export class Notes {
  constructor(panel, send) {
    this.send = send;
    this.text = el("textarea", { rows: 2, maxLength: 2000 });
    this.label = el("label", {}, el("span"), this.text);
    this.add = el("button", { type: "button", onclick: () => this.write() });
    this.list = el("ul", { className: "notes" });
    panel.append(this.list, this.label, this.add);
  }

  words() {
    this.label.firstChild.textContent = say("note_about");
    this.add.textContent = say("add_note");
  }

  write() {
    const text = this.text.value.trim();
    if (!text) return;
    this.add.disabled = true;
    this.send({ kind: "note", text });
  }

  /** The server has kept a note, or has not: then it stays to be sent again. */
  settled(text, isKept) {
    this.add.disabled = false;
    if (isKept && this.text.value.trim() === text) this.text.value = "";
  }

  show(notes) {
    refill(this.list, notes.map((note) => el("li", {}, el("small", {}, `${note.at} · ${note.by} `), note.text)));
  }
}
