// The page at the end: who won, where each point came from, and how the game went.

import { called } from "./company.js";
import { drawing, el } from "./dom.js";
import { say } from "./words.js";

/** Milliseconds in which a click that was meant for the last choice does not begin another game. */
const PAUSE = 1200;

/** When the pause is over, by the clock of `performance`; the page may be shown several times before that. */
let over = 0;

/** Fills the section; `minutes`: how long it took; `again`: is ready for another game, in which everybody moves on by a seat if told so; `more` stands below. */
export function showResults(section, position, people, minutes, again, more) {
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
  const buttons = position.seat === null ? [] : results.carries ? [button("next_game", false)] : [button("again", false), seats.length > 1 ? button("again_moved_on", true) : null];
  const names = (list) => list.map((one) => called(position, people, one.seat)).join(", ");
  const rest = seats.filter((one) => one.here && !one.ready);
  const waiting = ready.length > 0 ? `${say("ready_for_more", { names: names(ready) })} ${rest.length > 0 ? say("waiting_for", { names: names(rest) }) : ""}` : null;
  section.replaceChildren(
    el("h2", {}, say("result")),
    ranking(position, people),
    ...(waiting ? [el("p", { role: "status" }, waiting)] : []),
    el("div", { className: "buttons" }, buttons),
    ...course(position, minutes),
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

/** Where the points came from, by rule, and how they came, by round. */
function course(position, minutes) {
  const { points, rounds, ranking, began } = position.results;
  const lines = points.flatMap((one) => one.lines);
  const seats = ranking.map((row) => row.player);
  const names = [...new Set([...seats, ...lines.map((line) => line.player)])];
  const isOfSeats = names.length === seats.length; // and not of teams
  const final = (player) => (isOfSeats ? ranking[seats.indexOf(player)].score : null);
  const scorers = names.filter((name) => lines.some((line) => line.player === name) || final(name));
  const of = (name) => position.players.find((player) => player.name === name) ?? { label: name };
  const first = scorers.map((player) => ({ player, amount: began[player] ?? 0, round: 0 }));
  const rest = (player) => (final(player) === null ? 0 : final(player) - sum([...first, ...lines], player));
  const unseen = scorers.map((player) => ({ player, amount: rest(player), round: rounds }));
  const counts = (own) => own.some((line) => line.amount !== 0);
  const around = (rows) => [[say("points_first"), first], ...rows, [say("points_unseen"), unseen]].filter(([, own]) => counts(own));
  const scored = [...new Set(lines.map((line) => line.round))].sort((a, b) => a - b);
  const told = [say("course_rounds", { number: rounds }), say("course_choices", { number: position.at }), say("course_minutes", { number: minutes })];
  const counted = told.filter((_, n) => [rounds, position.at, minutes][n] > 0);
  const byRound = scored.map((round) => [`${say("round")} ${round}`, lines.filter((line) => line.round === round)]);
  return [
    ...(points.length > 0 ? [el("h3", {}, say("where_points")), sheet(around(points.map((one) => [opened(one, of), one.lines])), scorers, of)] : []),
    el("h3", {}, say("course")),
    el("p", {}, counted.join(" · ")),
    ...(byRound.length > 1 ? [curves([...first, ...lines, ...unseen], rounds, scorers, of), el("details", {}, el("summary", {}, say("by_round")), sheet(around(byRound), scorers, of))] : []),
  ];
}

/** A table with a column for each player; a row has a heading and single points. */
function sheet(rows, scorers, of) {
  const row = (heading, lines) => el("tr", {}, el("th", { scope: "row" }, heading), scorers.map((name) => el("td", { className: "number" }, String(sum(lines, name)))));
  const head = el("tr", {}, el("td"), scorers.map((name) => el("th", { scope: "col" }, of(name).label)));
  const foot = row("=", rows.flatMap(([, lines]) => lines));
  return el("table", { className: "sheet" }, el("thead", {}, head), el("tbody", {}, rows.map(([heading, lines]) => row(heading, lines))), el("tfoot", {}, foot));
}

const [WIDE, HIGH, EDGE, LINE] = [320, 130, 12, 13];

/** A line for each player: the points after each round. */
function curves(lines, rounds, scorers, of) {
  const sums = scorers.map((name) => Array.from({ length: rounds + 1 }, (_, n) => sum(lines.filter((line) => line.round <= n), name)));
  const [low, high] = [Math.min(...sums.flat()), Math.max(...sums.flat())];
  const right = WIDE - 90;
  const x = (round) => (EDGE + (right - EDGE) * round / rounds).toFixed(1);
  const y = (points) => (HIGH - EDGE - (HIGH - 2 * EDGE) * (points - low) / (high - low)).toFixed(1);
  const svg = drawing(`<svg viewBox="0 0 ${WIDE} ${HIGH}" class="curves" role="img"><path class="zero" d="M${EDGE} ${y(0)}H${right}"/></svg>`);
  svg.setAttribute("aria-label", say("by_round"));
  const add = (tag, attributes, text = "") => {
    const one = document.createElementNS(svg.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.textContent = text;
    svg.append(one);
  };
  const ends = scorers.map((name, n) => [Number(y(sums[n].at(-1))), name, n]).sort(([a], [b]) => a - b);
  let above = 0;
  for (const [end, name, n] of ends) {
    const d = sums[n].map((points, round) => `${round ? "L" : "M"}${x(round)} ${y(points)}`).join("");
    add("path", { d, class: "edge" });
    add("path", { d, class: "curve", stroke: of(name).colour ?? "currentColor" });
    above = Math.max(end + 4, above + LINE);
    add("text", { x: right + 6, y: above }, `${of(name).label} ${sums[n].at(-1)}`);
  }
  return svg;
}

function opened({ title, lines }, of) {
  const told = lines.map((line) => {
    const amount = line.amount > 0 ? `+${line.amount}` : String(line.amount);
    return el("li", {}, `${of(line.player).label} `, el("b", {}, amount), line.reasons ? ` (${line.reasons})` : "");
  });
  return el("details", {}, el("summary", {}, title), el("ul", {}, told));
}

function sum(lines, name) {
  return lines.reduce((total, line) => total + (line.player === name ? line.amount : 0), 0);
}
