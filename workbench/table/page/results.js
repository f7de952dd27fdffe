// The page at the end: who won, and where each point came from.

import { called } from "./company.js";
import { el } from "./dom.js";
import { say } from "./words.js";

/** Milliseconds in which a click that was meant for the last choice does not begin another game. */
const PAUSE = 1200;

/** When the pause is over, by the clock of `performance`; the page may be shown several times before that. */
let over = 0;

/** Fills the section; `again`: is ready for another game, in which everybody moves on by a seat if told so; `more` stands below. */
export function showResults(section, position, people, again, more) {
  const { results } = position;
  section.hidden = !results;
  if (!results) {
    section.replaceChildren();
    return;
  }
  if (section.childElementCount === 0) over = performance.now() + PAUSE;
  const left = over - performance.now();
  const ready = (people?.seats ?? []).filter((one) => one.ready);
  const isReady = ready.some((one) => one.seat === position.seat);
  const button = (key, swap) => {
    const [isMain, waits] = [Boolean(people?.swap) === swap, isReady && people.swap === swap];
    const made = el("button", { type: "button", className: isMain ? "main" : "", data: { key }, onclick: () => again(swap), disabled: left > 0 || waits }, say(key));
    if (left > 0) setTimeout(() => (made.disabled = waits), left);
    return made;
  };
  const seats = people?.table.company ? people.seats.filter((one) => !one.bot) : [];
  const buttons = position.seat === null ? [] : [button("again", false), seats.length > 1 ? button("again_moved_on", true) : null];
  const names = (list) => list.map((one) => called(position, people, one.seat)).join(", ");
  const rest = seats.filter((one) => one.here && !one.ready);
  const waiting = ready.length > 0 ? `${say("ready_for_more", { names: names(ready) })} ${rest.length > 0 ? say("waiting_for", { names: names(rest) }) : ""}` : null;
  section.replaceChildren(
    el("h2", {}, say("result")),
    ranking(position, people),
    ...(waiting ? [el("p", { role: "status" }, waiting)] : []),
    el("div", { className: "buttons" }, buttons),
    ...(results.points.length > 0 ? [el("h3", {}, say("where_points")), sheet(position)] : []),
    ...more,
  );
}

function ranking(position, people) {
  const rows = position.results.ranking.map(({ seat, score, won }) => {
    const winner = won ? el("small", {}, ` ${say("winner")}`) : null;
    return el("li", {}, won ? "★ " : "", el("b", {}, called(position, people, seat)), score === null ? "" : ` ${score}`, winner);
  });
  return el("ol", { className: "ranking" }, rows);
}

/** A table with a row for each rule that scored and a column for each player; a row opens to its single points. */
function sheet({ players, results }) {
  const names = [...new Set([...results.ranking.map((row) => row.player), ...results.points.flatMap((one) => one.lines.map((line) => line.player))])];
  const scorers = names.filter((name) => results.points.some((one) => one.lines.some((line) => line.player === name)));
  const label = (name) => players.find((player) => player.name === name)?.label ?? name;
  const head = el("tr", {}, el("td"), scorers.map((name) => el("th", { scope: "col" }, label(name))));
  const rows = results.points.map((one) =>
    el("tr", {}, el("th", { scope: "row" }, opened(one, label)), scorers.map((name) => el("td", { className: "number" }, String(sum(one.lines, name))))),
  );
  const all = results.points.flatMap((one) => one.lines);
  const total = scorers.map((name) => el("td", { className: "number" }, String(sum(all, name))));
  return el("table", { className: "sheet" }, el("thead", {}, head), el("tbody", {}, rows), el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "="), total)));
}

function opened({ title, lines }, label) {
  const told = lines.map((line) => {
    const amount = line.amount > 0 ? `+${line.amount}` : String(line.amount);
    return el("li", {}, `${label(line.player)} `, el("b", {}, amount), line.reasons ? ` (${line.reasons})` : "");
  });
  return el("details", {}, el("summary", {}, title), el("ul", {}, told));
}

function sum(lines, name) {
  return lines.reduce((total, line) => total + (line.player === name ? line.amount : 0), 0);
}
