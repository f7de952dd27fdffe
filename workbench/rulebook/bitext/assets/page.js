"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const documents = data.documents;
const key = "rulelang-links:" + documents.map((d) => d.name + "/" + d.passages.length).join("|");
const rows = document.getElementById("rows");
const id = (other, left, right) => `${other}:${left}=${right}`;

// ---- what is known: the links of the page, what was decided before, and what is decided here

const links = new Map();
for (const link of data.links) links.set(id(link.other, link.left, link.right), link);
for (const cut of data.cut) {
  links.set(id(cut.other, cut.left, cut.right), { ...cut, verdict: "different", confidence: 1, why: [] });
}
let decided = {};
let chosen = {};
let history = [];
try {
  const kept = JSON.parse(localStorage.getItem(key) || "{}");
  decided = kept.decided || {};
  chosen = kept.chosen || {};
} catch (problem) { /* a browser that keeps nothing: the download still has everything */ }
for (const name of Object.keys(decided)) {
  if (!links.has(name)) {
    const [other, left, right] = name.split(/[:=]/);
    links.set(name, { other: Number(other), left, right, verdict: "proposed", confidence: 1, why: ["by hand"] });
  }
}
let unsaved = false;
let view = "todo";
let at = 0;
let picked = null;

const verdict = (name) => decided[name] || links.get(name).verdict;
const alive = (name) => verdict(name) !== "different";

function keep() {
  unsaved = true;
  try { localStorage.setItem(key, JSON.stringify({ decided, chosen })); } catch (problem) { /* as above */ }
}

function decide(name, what) {
  history.push([name, decided[name]]);
  decided[name] = what;
  keep();
  draw();
}

function undo() {
  const last = history.pop();
  if (!last) return;
  if (last[1] === undefined) delete decided[last[0]]; else decided[last[0]] = last[1];
  keep();
  draw();
}

// ---- rows: a passage of the first document and its links, then what has no counterpart

function namesOf(lines) {
  return [...links.keys()].filter((name) => links.get(name).left === lines);
}

function flagsOf(lines) {
  return data.flags.filter((flag) => flag.document === 0 && flag.lines[0] === lines)
    .concat(data.flags.filter((flag) => flag.document > 0 && touches(flag, lines)));
}

function touches(flag, lines) {
  return namesOf(lines).some((name) => links.get(name).other === flag.document && links.get(name).right === flag.lines[0]);
}

function allRows() {
  const found = documents[0].passages.map((passage) => ({ document: 0, passage, names: namesOf(passage.lines) }));
  documents.forEach((document, other) => {
    if (other === 0) return;
    const linked = new Set([...links].filter(([name, l]) => l.other === other && alive(name)).map(([, l]) => l.right));
    for (const passage of document.passages) {
      if (!linked.has(passage.lines)) found.push({ document: other, passage, names: [] });
    }
  });
  return found;
}

const open = (row) => row.names.some((name) => verdict(name) === "proposed");
const alone = (row) => !row.names.some(alive) || documents.some((_, n) =>
  n > 0 && row.document === 0 && !row.names.some((name) => links.get(name).other === n && alive(name)));
const flagged = (row) => row.document === 0 && flagsOf(row.passage.lines).length > 0;

function shown() {
  const every = allRows();
  if (view === "todo") return every.filter(open);
  if (view === "flagged") return every.filter(flagged);
  if (view === "alone") return every.filter(alone);
  return every;
}

// ---- drawing; text only ever goes in as text

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

function button(text, act) {
  const element = make("button", "", text);
  element.addEventListener("click", (event) => { event.stopPropagation(); act(); });
  return element;
}

function passageOf(number, lines) {
  return documents[number].passages.find((passage) => passage.lines === lines);
}

function box(number, passage) {
  const element = make("div", "passage " + passage.kind);
  element.lang = documents[number].language;
  element.tabIndex = 0;
  element.append(make("small", "", passage.lines), passage.text);
  if (picked && picked.number === number && picked.lines === passage.lines) element.classList.add("picked");
  element.addEventListener("click", () => pick(number, passage.lines));
  element.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(number, passage.lines); });
  return element;
}

function pick(number, lines) {
  if (!picked || picked.number === number || (picked.number > 0 && number > 0)) {
    picked = picked && picked.number === number && picked.lines === lines ? null : { number, lines };
    draw();
    return;
  }
  const [left, right, other] = number === 0 ? [lines, picked.lines, picked.number] : [picked.lines, lines, number];
  const name = id(other, left, right);
  if (!links.has(name)) links.set(name, { other, left, right, verdict: "proposed", confidence: 1, why: ["by hand"] });
  picked = null;
  decide(name, "same");
}

function linkBox(name) {
  const link = links.get(name);
  const element = make("div", "link " + verdict(name));
  const passage = passageOf(link.other, link.right);
  if (!passage) return element;
  element.append(box(link.other, passage));
  const why = link.why.length ? link.why.join(", ") : "by its place";
  element.append(make("div", "why", `${Math.round(100 * link.confidence)} %: ${why}`));
  const acts = make("div", "acts");
  const same = button("Same", () => decide(name, "same"));
  const cut = button("Cut", () => decide(name, "different"));
  same.setAttribute("aria-pressed", String(verdict(name) === "same"));
  cut.setAttribute("aria-pressed", String(verdict(name) === "different"));
  acts.append(same, cut);
  element.append(acts);
  return element;
}

const KINDS = { number: "Numbers differ", negation: "One says no", duty: "Duty or choice" };

function flagBox(flag) {
  const say = (text) => (text ? `“${text}”` : "nothing of it");
  const names = [documents[flag.document].name, documents[flag.other].name];
  const what = KINDS[flag.kind] || "The opposite";
  return make("div", "flag", `${what}: ${names[0]} says ${say(flag.one)}, ${names[1]} says ${say(flag.two)}.`);
}

function rowBox(row, number) {
  const element = make("div", "row" + (number === at ? " now" : ""));
  element.style.gridTemplateColumns = `repeat(${documents.length}, 1fr)`;
  documents.forEach((_, n) => {
    const cell = make("div");
    if (n === row.document) cell.append(box(n, row.passage));
    else if (row.document === 0) {
      const names = row.names.filter((name) => links.get(name).other === n);
      if (names.length) cell.append(...names.map(linkBox)); else cell.append(make("div", "none", "no counterpart"));
    }
    element.append(cell);
  });
  if (row.document === 0) element.append(...flagsOf(row.passage.lines).map(flagBox));
  return element;
}

function termTable() {
  const table = make("table");
  const head = make("tr");
  head.append(...["In the glossary", documents[0].name, "", "Together"].map((text) => make("th", "", text)));
  table.append(head);
  data.terms.forEach((term) => {
    const name = `${term.other}:${term.left}=${term.right}`;
    const row = make("tr");
    const box = make("input");
    box.type = "checkbox";
    box.checked = Boolean(chosen[name]);
    box.setAttribute("aria-label", `${term.left} = ${term.right}`);
    box.addEventListener("change", () => { chosen[name] = box.checked; keep(); counts(); });
    const first = make("td");
    first.append(box);
    row.append(first, make("td", "", term.left), make("td", "", `${term.right} (${documents[term.other].language})`),
      make("td", "", `${term.together} of ${term.of}`));
    table.append(row);
  });
  return table;
}

function counts() {
  const every = allRows();
  const numbers = { todo: every.filter(open).length, flagged: every.filter(flagged).length,
    alone: every.filter(alone).length, terms: data.terms.length };
  for (const element of document.querySelectorAll("nav button[data-view]")) {
    element.setAttribute("aria-pressed", String(element.dataset.view === view));
    const count = element.querySelector("span");
    if (count) count.textContent = numbers[element.dataset.view];
  }
  const names = [...links.keys()];
  const done = names.filter((name) => verdict(name) !== "proposed").length;
  document.getElementById("progress").textContent = `${done} of ${names.length} links decided`;
}

function draw() {
  counts();
  rows.replaceChildren();
  if (view === "terms") { rows.append(termTable()); return; }
  const list = shown();
  at = Math.max(0, Math.min(at, list.length - 1));
  rows.append(...list.map(rowBox));
  if (!list.length) rows.append(make("p", "none", view === "todo" ? "Everything is decided." : "Nothing here."));
}

// ---- the file of decisions, as `--pins` reads it

const quoted = (text) => JSON.stringify(text).replace(/\u007f/g, "\\u007f");

function decisions() {
  const out = ["# Decisions about links, made on the page. Give this file to --pins.", ""];
  data.terms.forEach((term) => {
    if (chosen[`${term.other}:${term.left}=${term.right}`]) {
      out.push("[[term]]", `left = ${quoted(documents[0].name + " " + term.left)}`,
        `right = ${quoted(documents[term.other].name + " " + term.right)}`, "");
    }
  });
  for (const [name, link] of links) {
    if (verdict(name) === "proposed") continue;
    out.push("[[pin]]", `left = ${quoted(documents[0].name + " " + link.left)}`,
      `right = ${quoted(documents[link.other].name + " " + link.right)}`, `verdict = "${verdict(name)}"`, "");
  }
  return out.join("\n");
}

document.getElementById("save").addEventListener("click", () => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([decisions()], { type: "application/toml" }));
  link.download = documents.map((d) => d.name).join("-") + ".pins.toml";
  link.click();
  unsaved = false;
});

for (const element of document.querySelectorAll("nav button[data-view]")) {
  element.addEventListener("click", () => { view = element.dataset.view; at = 0; draw(); });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT") return;
  const row = shown()[at];
  const first = row && row.names.find((name) => verdict(name) === "proposed");
  const acts = {
    j: () => { at += 1; draw(); }, k: () => { at -= 1; draw(); }, u: undo,
    s: () => first && decide(first, "same"), c: () => first && decide(first, "different"),
  };
  if (acts[event.key] && view !== "terms") {
    acts[event.key]();
    const now = document.querySelector(".row.now");
    if (now) now.scrollIntoView({ block: "center" });
  }
});

window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
draw();
