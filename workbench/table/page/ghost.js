// A piece to be laid, shown where it would lie: a click turns it, a button lays it.

import { drawing, el } from "./dom.js";
import { boxOf } from "./rings.js";
import { say } from "./words.js";

/** Shows the ghost of options that differ in nothing but the turn. Returns the buttons that go with it. */
export class Ghost {
  constructor(picture, ghosts, lay) {
    Object.assign(this, { picture, ghosts, lay, turns: new Map() });
  }

  show(options) {
    this.options = options;
    const { at } = options[0].lay;
    this.at = at;
    this.number = (this.turns.get(at) ?? 0) % options.length;
    this.draw();
    return this.buttons();
  }

  hide() {
    this.picture.layer("ghost").replaceChildren();
  }

  get option() {
    return this.options[this.number];
  }

  draw() {
    const layer = this.picture.layer("ghost");
    layer.replaceChildren();
    const [square] = this.picture.all(this.at);
    const box = square && boxOf(square);
    const { piece, turn } = this.option.lay;
    const svg = this.ghosts[`${piece}/${turn}`];
    if (!box || !svg) return;
    const drawn = drawing(svg);
    for (const side of ["x", "y", "width", "height"]) drawn.setAttribute(side, box[side]);
    drawn.classList.add("ghost");
    drawn.addEventListener("click", (event) => {
      event.stopPropagation();
      this.turn();
    });
    layer.append(drawn);
  }

  turn() {
    this.number = (this.number + 1) % this.options.length;
    this.turns.set(this.at, this.number);
    this.draw();
  }

  buttons() {
    const turn = el("button", { type: "button", data: { key: "turn" }, onclick: () => this.turn() }, `⟳ ${say("turn_piece")}`);
    const lay = { type: "button", className: "main", data: { key: "lay" }, onclick: () => this.lay(this.option.index) };
    return [el("button", lay, `✓ ${say("place_here")}`), this.options.length > 1 ? turn : null];
  }
}
