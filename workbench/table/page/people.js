// Who plays: seats with their points, who is asked, who is away, and the headline of the dock.

import { isAsked } from "./choosing.js";
import { called } from "./company.js";
import { byId, el, refill } from "./dom.js";
import { say } from "./words.js";

/** The players in the header. */
export function showPlayers(position, people, clock) {
  const seats = new Map((people?.seats ?? []).map((one) => [one.seat, one]));
  refill(byId("players"), position.players.map((player, seat) => chip(player, seat, seats.get(seat), position, clock)));
}

function chip(player, seat, person, position, clock) {
  const you = position.seat === seat;
  const asked = position["turn of"].includes(seat);
  const away = person && !person.bot && !person.here;
  const notes = [person?.called ?? "", person?.bot ? say("bot") : "", away ? say("away") : "", person?.ready ? say("ready") : ""].filter((text) => text).join(", ");
  const item = el(
    "li", { className: ["player", you ? "you" : "", asked ? "asked" : "", away ? "away" : "", person?.ready ? "ready" : ""].join(" ") },
    el("span", { className: "dot", aria: { hidden: true } }),
    el("b", {}, player.label),
    player.score === null ? null : el("span", { className: "points" }, ` ${player.score}`),
    notes ? el("small", {}, ` ${notes}`) : null,
    clock.shown(seat),
  );
  item.style.setProperty("--seat", player.colour);
  if (asked) item.setAttribute("aria-current", "true");
  return item;
}

/** The headline: whose turn it is. */
export function headline(position, people) {
  if (position.over) return position.results.outcome;
  const [first] = position["turn of"];
  const asked = first === undefined ? undefined : called(position, people, first);
  if (isAsked(position)) return people?.you.role === "open" ? `${asked}: ${say("your_turn")}` : say("your_turn");
  const names = position["turn of"].map((seat) => called(position, people, seat)).join(", ");
  return names ? say("waiting_for", { names }) : position.title;
}
