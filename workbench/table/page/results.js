// The page at the end: who won, and where each point came from.

import { el } from "./dom.js";
import { say } from "./words.js";

export function showResults(section, position, again) {
  const { results } = position;
  section.hidden = !results;
  if (!results) return section.replaceChildren();
  const labels = new Map(position.players.map((player) => [player.name, player.label]));
  const name = (player) => labels.get(player) ?? player;
  const ranking = results.ranking.map((row) =>
    el("li", {}, row.won ? "★ " : "", el("b", {}, name(row.player)), row.score === null ? "" : ` ${row.score}`, row.won ? el("small", {}, ` ${say("winner")}`) : null),
  );
  const points = results.points.map((one) => sheet(one, name));
  const button = { type: "button", className: "main", onclick: again };
  section.replaceChildren(
    el("h2", {}, say("result")),
    el("p", { className: "outcome" }, results.outcome),
    el("ol", { className: "ranking" }, ranking),
    el("div", { className: "buttons" }, el("button", button, say("again"))),
    points.length > 0 ? el("h3", {}, say("where_points")) : "",
    ...points,
  );
  return undefined;
}

function sheet({ rule, title, lines }, name) {
  const rows = lines.map((line) =>
    el(
      "tr", {},
      el("th", { scope: "row" }, name(line.player)),
      el("td", { className: "number" }, line.amount > 0 ? `+${line.amount}` : String(line.amount)),
      el("td", {}, line.reasons || ""),
      el("td", {}, line.total === null ? "" : say("total_now", { number: line.total })),
    ),
  );
  const sum = lines.reduce((total, line) => total + line.amount, 0);
  const summary = el("summary", {}, title || rule.replace(/[._]/g, " "), el("small", {}, ` ${sum}`));
  return el("details", {}, summary, el("table", {}, el("tbody", {}, rows)));
}
