// What people say at the table: notes on moments of a game, which go into its save.

import { el, refill } from "./dom.js";
import { say } from "./words.js";

export class Notes {
  constructor(panel, send) {
    this.send = send;
    this.number = 0;
    this.text = el("textarea", { rows: 2, maxLength: 2000 });
    this.text.onkeydown = (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.write();
    };
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

  /** `by`: what people call whoever wrote a note. Gives what is new and another's. */
  show(notes, by, own) {
    refill(this.list, notes.map((note) => el("li", {}, el("small", {}, `${note.at} · ${by(note)} `), note.text)));
    const isMore = notes.length > this.number;
    this.number = notes.length;
    const last = notes.at(-1);
    return isMore && last.by !== own ? `${by(last)}: ${last.text}` : undefined;
  }
}
