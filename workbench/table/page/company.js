// Company at the table: taking a seat by the link that everybody has, one's name, leaving.

import { byId, el, refill } from "./dom.js";
import { keep, kept, say } from "./words.js";

/** The link to open instead of this one: whoever has taken a seat comes back to it. */
export const ownLink = (token) => kept(`seat ${token}`) || token;

/** A seat as people call it: by the name of whoever sits there, with its own. */
export function called(position, people, seat) {
  const own = position.players[seat].label;
  const name = people?.seats[seat]?.called;
  return name ? `${name} (${own})` : own;
}

/** Somebody has a seat: from now on their own link leads to it, and so does the one for everybody, in this browser. */
export function seated(token, now) {
  if (token === now) return;
  keep(`seat ${now}`, token);
  keep(`door ${token}`, now);
  location.hash = token;
}

/** A link leads nowhere any more: back to the one for everybody. Whether there is one. */
export function left(token) {
  const door = kept(`door ${token}`);
  if (!door) return false;
  keep(`seat ${door}`, "");
  keep(`door ${token}`, "");
  location.hash = door;
  return true;
}

export class Company {
  constructor(send) {
    this.send = send;
    this.name = el("input", { maxLength: 30, autocomplete: "nickname", value: kept("name") ?? "" });
    this.name.onkeydown = (event) => event.key === "Enter" && this.role === "seat" && this.sit();
    this.label = el("label", {}, el("span"), " ", this.name);
    this.places = el("div", { className: "buttons" });
  }

  /** Shows those who may sit down where they can, and those who sit what they are called. */
  show(position, people) {
    const { role, seat } = people.you;
    const joins = role === "join";
    byId("joining").hidden = !joins;
    byId("own-seat").hidden = role !== "seat" || !people.table.company;
    const home = byId(joins ? "joining" : "own-seat");
    if (home.hidden) return;
    this.role = role;
    this.label.firstChild.textContent = say("your_name");
    const free = people.seats.filter((one) => one.free);
    const button = (key, text, onclick) => el("button", { type: "button", data: { key }, onclick }, text);
    const places = joins
      ? free.map((one) => button(`sit ${one.seat}`, say("take_seat", { name: position.players[one.seat].label }), () => this.sit(one.seat)))
      : [button("rename", say("change_name"), () => this.sit()), button("stand", say("leave_seat"), () => this.send({ kind: "stand" }))];
    refill(this.places, places);
    if (!home.contains(this.label)) {
      if (!joins) this.name.value = people.seats[seat].called ?? "";
      refill(home, joins ? el("p") : null, this.label, this.places);
    }
    if (!joins) return;
    home.firstChild.textContent = say(free.length > 0 ? "sit_help" : "no_seat");
    this.label.hidden = free.length === 0;
  }

  sit(seat = null) {
    const name = this.name.value.trim();
    if (!name) return this.name.focus();
    keep("name", name);
    return this.send({ kind: "sit", seat, name });
  }
}
