// Goals: what may vary, what is wanted, and the settings that give it.

import { el, refill } from "./dom.js";
import { press } from "./findings.js";
import { say } from "./words.js";

const plain = (name) => name.replaceAll("_", " ");
// What is ticked and written, until the page goes: `vary` by name, `wanted` in rows.
const form = { vary: {}, wanted: undefined, minutes: 3 };

/** A range of five values around a number, or fewer where it would go past nothing. */
function around({ name, value }) {
  const [low, high] = [Number(value) - 2, Number(value) + 2];
  return [value < 0 ? low : Math.max(low, Math.min(1, value)), value < 0 ? Math.min(high, -1) : high].join("..");
}

/** A goal as `rulelang tune` takes it; `kind`: is (between two values), by (so many per cent). */
function text({ name, kind, low, high, share }) {
  const sign = kind === "by" || share ? "%" : "";
  const bound = (value) => (kind === "by" && !/^[-+]/.test(value) ? `+${value}` : value);
  if (low && high) return `${name} ${bound(low)}${sign}..${bound(high)}${sign}`;
  return low ? `${name} >= ${bound(low)}${sign}` : `${name} <= ${bound(high)}${sign}`;
}

/** What the game is asked to become at first: a little shorter, and as fair. */
function suggested(goals, players) {
  const fair = 100 / players;
  const has = (name) => goals.some((one) => one.name === name);
  return [
    { name: goals[0]?.name, kind: "by", low: "-15", high: "-5" },
    has("every seat wins") ? { name: "every seat wins", kind: "is", low: String(Math.floor(fair - 4)), high: String(Math.ceil(fair + 4)) } : null,
  ].filter((one) => one?.name);
}

/** `controls`, `goals`: what can vary and be wanted; `sought`: what was found; `seek`: begins or, with `stop`, ends it. */
export function drawGoals(box, { controls, goals, players, sought }, { seek, turn }) {
  const again = () => drawGoals(box, { controls, goals, players, sought }, { seek, turn });
  form.wanted ??= suggested(goals, players);
  const vary = controls.map((one) => mayVary(one, again));
  const wanted = form.wanted.map((one, at) => want(one, at, goals, again));
  const more = press("goal more", say("desk_goal_more"), () => (form.wanted.push({ ...form.wanted.at(-1), name: goals[0].name, kind: "is", low: "", high: "" }), again()));
  const minutes = el("select", { id: "minutes", data: { key: "minutes" }, onchange: () => (form.minutes = Number(minutes.value)) }, [1, 3, 10].map((each) => el("option", { value: each, selected: each === form.minutes }, String(each))));
  const whole = () => form.wanted.filter(({ low, high }) => low || high);
  const chosen = controls.filter(({ name }) => name in form.vary);
  const ask = () => seek({ vary: Object.fromEntries(chosen.map(({ name }) => [name, form.vary[name]])), minutes: form.minutes, goals: whole().map((one) => text({ ...one, share: isShare(goals, one.name) })) });
  const isBusy = sought && "doing" in sought;
  const begin = Object.assign(press("seek", say("desk_seek"), ask), { disabled: !chosen.length, className: "main" });
  refill(
    box,
    el("h2", {}, say("desk_goals")),
    el("p", { className: "help" }, say("desk_goals_help")),
    el("h3", {}, say("desk_vary")),
    el("ul", { className: "controls" }, vary),
    el("h3", {}, say("desk_wanted")),
    el("ul", { className: "controls" }, wanted),
    el("p", { className: "buttons" }, more, el("label", {}, `${say("desk_minutes")} `, minutes), isBusy ? press("seek stop", say("desk_seek_stop"), () => seek({ stop: true })) : begin),
    ...drawSought(sought, turn),
  );
}

const isShare = (goals, name) => Boolean(goals.find((one) => one.name === name)?.unit.startsWith("%"));

function mayVary(one, again) {
  const { name, kind } = one;
  const id = `vary-${name}`;
  const isOn = name in form.vary;
  const set = () => (box.checked ? (form.vary[name] = kind === "number" ? around(one) : "") : delete form.vary[name], again());
  const box = el("input", { id, type: "checkbox", checked: isOn, data: { key: id }, onchange: set });
  const values = el("input", { value: form.vary[name] ?? "", size: 8, spellcheck: false, data: { key: `${id} values` }, aria: { label: `${plain(name)}: ${say("desk_values")}` }, oninput: () => (form.vary[name] = values.value.trim()) });
  return el("li", {}, el("label", { for: id }, box, " ", plain(name), el("small", {}, ` ${say("desk_printed", { value: plain(one.value) })}`)), isOn && kind === "number" ? values : isOn ? el("small", {}, one.values.map(plain).join(", ")) : "");
}

function want(one, at, goals, again) {
  const field = (name) => {
    const input = el("input", { value: one[name], size: 4, inputMode: "text", spellcheck: false, data: { key: `${name} ${at}` }, aria: { label: say(name === "low" ? "desk_from" : "desk_to") }, oninput: () => (one[name] = input.value.trim().replace("−", "-").replace(",", ".")) });
    return input;
  };
  const which = el("select", { data: { key: `goal ${at}` }, aria: { label: say("desk_wanted") }, onchange: () => ((one.name = which.value), again()) }, goals.map(({ name, label }) => el("option", { value: name, selected: name === one.name }, label)));
  const kind = el("select", { data: { key: `kind ${at}` }, aria: { label: say("desk_goal_kind") }, onchange: () => ((one.kind = kind.value), again()) }, [["is", "desk_goal_is"], ["by", "desk_goal_by"]].map(([value, word]) => el("option", { value, selected: value === one.kind }, say(word))));
  const unit = one.kind === "by" ? "%" : (goals.find(({ name }) => name === one.name)?.unit ?? "");
  const out = Object.assign(press(`goal less ${at}`, "×", () => (form.wanted.splice(at, 1), again())), { ariaLabel: say("desk_goal_less"), disabled: form.wanted.length < 2 });
  return el("li", {}, which, kind, el("span", { className: "goal" }, field("low"), " – ", field("high"), ` ${unit} `, out));
}

function drawSought(sought, turn) {
  if (!sought) return [];
  if (sought.problem) return [el("p", { className: "wrong", role: "alert" }, sought.problem)];
  const old = sought.old ? el("p", { className: "wrong" }, say("desk_seek_old")) : null;
  if ("doing" in sought) return [old, el("p", { className: "help", role: "status" }, sought.doing || say("desk_playing"))];
  const cell = (words, className = "number") => el("td", { className }, words);
  const head = el("tr", {}, el("td", {}), sought.goals.map((goal) => el("th", { scope: "col", className: "goal-name" }, goal)), el("td", {}));
  const rows = sought.settings.map(({ name, values, verdict, sign, cells }) => el("tr", { className: verdict }, el("th", { scope: "row" }, `${sign} ${plain(name).replaceAll("+", ", ")}`), cells.map((each) => cell(each)), el("td", {}, press(`try ${name}`, say("desk_seek_turn"), () => turn(values)))));
  const printed = sought.settings.length ? el("tr", {}, el("th", { scope: "row" }, say("desk_as_printed")), sought.printed.map((each) => cell(each)), el("td", {})) : null;
  return [
    old,
    ...sought.told.map((line, at) => el("p", { className: at ? "" : "short" }, plain(line))),
    rows.length ? el("div", { className: "sought" }, el("table", {}, head, rows, printed)) : null,
    ...sought.behind.map((line) => el("p", { className: "help" }, line)),
  ];
}
