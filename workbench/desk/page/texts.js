// Texts: a rulebook sentence by sentence in one language beside another, with all that helps whoever translates it.

import { byId, el, refill } from "./dom.js";
import { press } from "./findings.js";
import { toast } from "./tools.js";
import { keep, kept, say } from "./words.js";

// What can be shown, and the words for it.
const STATES = { "": "texts_all", new: "texts_new", translated: "texts_translated", reviewed: "texts_reviewed", stale: "texts_stale", found: "texts_found", comments: "texts_comments" };
const SIGNS = { new: "○", translated: "◐", reviewed: "●", stale: "↻" };
const OPEN = ["new", "stale"]; // what is still to be done
const PAUSE = 120; // so long after a keystroke the sentence is checked

const named = (lang) => (lang ? (new Intl.DisplayNames([document.documentElement.lang], { type: "language" }).of(lang) ?? lang) : "");
const words = (lang, text, more = {}) => el("p", { lang, dir: "auto", ...more }, text);

export class TextsRoom {
  /** `ask`: asks the server; `box`: the room's place; `dialog`: for questions to whoever is here. */
  constructor({ ask, box, dialog }) {
    Object.assign(this, { box, dialog, rows: [], findings: {}, here: [], told: undefined, one: undefined, shown: "", only: "", asks: ask });
    this.who = kept("texts-who") ?? Math.random().toString(36).slice(2, 12);
    keep("texts-who", this.who);
    box.addEventListener("keydown", (event) => this.pressed(event));
  }

  get name() {
    return kept("texts-name") ?? "";
  }

  /** A message about the sentence at hand. */
  ask(kind, more = {}) {
    const { variant, id } = this.row ?? {};
    return this.asks({ kind, from: this.from, lang: this.to, variant, key: id, who: this.who, by: this.name, ...more });
  }

  // -------------------------------------------------------------- what the server tells

  saved(told, folder) {
    Object.assign(this, { told, folder });
    const { languages = [], written = [] } = told;
    const own = document.documentElement.lang;
    if (!written.includes(this.from)) this.from = written.find((lang) => lang === kept("texts-from")) ?? written[0];
    if (!languages.includes(this.to) || this.to === this.from) {
      const others = languages.filter((lang) => lang !== this.from);
      this.to = others.find((lang) => lang === kept("texts-to")) ?? others.find((lang) => lang === own) ?? others[0];
    }
    if (this.isEntered) this.read();
  }

  enter() {
    this.isEntered = true;
    this.box.dataset.ready = "";
    this.read();
  }

  async read() {
    if (!this.from || !this.to) return this.draw();
    const { rows } = await this.ask("texts");
    this.asks({ kind: "look through" });
    if (!rows) return undefined;
    this.rows = rows;
    const row = rows.find((one) => this.isAt(one));
    this.draw();
    if (!row) return this.open(this.listed().find(({ state }) => OPEN.includes(state)) ?? rows[0]);
    this.row = row;
    if (this.one && row.target !== this.base) {
      if (this.input.value === this.base) return this.open(row);
      this.clash = row.target;
    }
    return this.drawOne();
  }

  looked(found) {
    this.findings = found;
    this.drawList();
  }

  company(here) {
    this.here = here.filter(({ who }) => who !== this.who);
    this.drawList();
    this.drawOthers();
  }

  drawn({ id, variant, drawn }) {
    if (!this.isAt({ id, variant })) return;
    const picture = ([svg, alt]) => el("img", { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt });
    const figure = ({ lead, steps, pictures }) => [el("p", {}, lead), pictures.map(picture), el("ol", {}, steps.map((step) => el("li", {}, step)))];
    byId("text-example")?.replaceChildren(...(drawn.length ? drawn.flatMap(figure).flat() : [say("texts_no_example")]));
  }

  // -------------------------------------------------------------- sentences

  isAt(row) {
    return row.id === this.row?.id && row.variant === this.row.variant;
  }

  /** The others who are at a sentence. */
  with(row) {
    return this.here.filter(({ place: [lang, variant, id] }) => lang === this.to && variant === row.variant && id === row.id);
  }

  found(row) {
    return (this.findings[row.variant]?.[row.id] ?? []).filter(([lang]) => lang === this.to);
  }

  listed() {
    const fits = { "": () => true, found: (row) => this.found(row).length > 0, comments: (row) => row.comments > 0 };
    return this.rows.filter(fits[this.only] ?? (({ state }) => state === this.only));
  }

  async open(row) {
    if (!row) return;
    this.row = row;
    this.clash = undefined;
    const one = await this.ask("sentence");
    if (one.problem || !this.isAt(row)) return;
    this.one = one;
    this.base = one.target;
    this.draw();
    this.input.value = kept(this.place(row)) || (one.draft ?? one.target);
    this.input.focus();
    this.drawList();
    this.check();
  }

  /** Goes on by so many sentences of the list, or to the next that is to be done. */
  step(by, isOpen = false) {
    const listed = this.listed();
    const at = this.rows.findIndex((row) => this.isAt(row));
    const rest = by > 0 ? listed.filter((row) => this.rows.indexOf(row) > at) : listed.filter((row) => this.rows.indexOf(row) < at).reverse();
    const next = isOpen ? [...rest, ...this.rows].find((row) => OPEN.includes(row.state) && !this.isAt(row)) : rest[0];
    if (next) this.open(next);
    else if (isOpen) toast(say("texts_all_done"));
  }

  // -------------------------------------------------------------- what is typed

  /** Where this browser keeps what is typed, too: nothing, for what is saved. */
  place(row) {
    return `texts ${JSON.stringify([this.folder, this.to, row.variant, row.id])}`;
  }

  typed() {
    const { value } = this.input;
    const text = value === this.base ? null : value;
    keep(this.place(this.row), text ?? "");
    this.ask("draft", { text });
    clearTimeout(this.checking);
    this.checking = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    const { row } = this;
    const text = this.input.value;
    const { found, filled } = await this.ask("check", { text });
    if (!this.isAt(row) || text !== this.input.value) return;
    const list = (found ?? []).map(([severity, lang, message]) => el("li", { className: severity === "error" ? "kind-1" : "" }, lang && lang !== this.to ? `${named(lang)}: ` : "", message));
    refill(byId("text-found"), list.length ? el("ul", {}, list) : null, filled && filled !== text ? words(this.to, filled, { className: "filled" }) : null);
  }

  put(text) {
    this.input.focus();
    this.input.setRangeText(text, this.input.selectionStart, this.input.selectionEnd, "end");
    this.typed();
  }

  replace(text) {
    this.input.focus();
    this.input.select();
    this.put(text);
  }

  /** Writes the sentence; with `done` it is confirmed, too, and with `on` the next is opened. */
  async save({ done = false, on = false } = {}) {
    const { row } = this;
    const text = this.input.value;
    const { saved, conflict, refused, problem } = await this.ask("save", { text, base: this.base, done });
    if (problem || !this.isAt(row)) return;
    if (saved === undefined) {
      this.clash = conflict;
      this.drawOne();
      byId("text-clash").focus();
      return;
    }
    if (this.input.value === text) this.input.value = saved;
    this.base = saved;
    this.clash = undefined;
    this.typed();
    Object.assign(row, { target: saved, state: done ? "reviewed" : "translated" });
    toast(refused ? say("texts_refused", { languages: refused.map(named).join(", ") }) : say(done ? "texts_done_now" : "texts_saved"));
    if (on && !refused) this.step(1, true);
    else this.drawList();
  }

  pressed(event) {
    const { key, code, altKey: alt, shiftKey: shift } = event;
    const control = event.ctrlKey || event.metaKey;
    const digit = /^Digit(\d)$/.exec(code)?.[1];
    const inList = event.target.classList.contains("sentence");
    let act;
    if (!this.one) return;
    if (["ArrowDown", "ArrowUp"].includes(key) && (alt || inList)) act = () => this.step(key === "ArrowDown" ? 1 : -1, alt && shift);
    else if (control && key === "Enter") act = () => this.save({ done: shift, on: true });
    else if (control && key.toLowerCase() === "s") act = () => this.save();
    else if (alt && digit === "0") act = () => this.replace(this.one.raw);
    else if (alt && digit) act = () => this.box.querySelectorAll(".insert")[digit - 1]?.click();
    else if (key === "Enter" && event.target === this.input) act = () => {};
    if (!act) return;
    event.preventDefault();
    act();
  }

  // -------------------------------------------------------------- the page

  draw() {
    if (!this.isEntered || !this.told) return;
    if (this.told.problem || !this.from) return refill(this.box, el("p", { className: this.told.problem ? "wrong" : "help" }, this.told.problem ?? say("desk_no_book")));
    if (!this.box.querySelector("#text-bar")) this.box.replaceChildren(el("div", { id: "text-bar" }), el("nav", { id: "text-list", aria: { label: say("texts_sentences") } }), el("div", { id: "text-one" }));
    this.drawBar();
    this.drawList();
    return this.drawOne();
  }

  drawBar() {
    const { languages, written } = this.told;
    const choose = (key, label, options, value, act) => {
      const select = el("select", { id: `texts-${key}`, data: { key }, onchange: () => act(select.value) }, options.map(([name, text]) => el("option", { value: name, selected: name === value }, text)));
      return el("label", { for: `texts-${key}` }, label, " ", select);
    };
    const pairs = (list) => list.map((lang) => [lang, named(lang)]);
    const turn = (key) => (lang) => {
      this[key] = lang;
      keep(`texts-${key}`, lang);
      this.row = this.one = undefined;
      if (this.from === this.to) this.to = languages.find((other) => other !== this.from);
      this.read();
    };
    const states = Object.keys(STATES).map((state) => [state, say(STATES[state])]);
    const name = el("input", { id: "texts-name", value: this.name, maxLength: 60, onchange: () => keep("texts-name", name.value.trim()) });
    refill(
      byId("text-bar"),
      choose("from", say("texts_from"), pairs(written), this.from, turn("from")),
      this.to ? choose("to", say("texts_to"), pairs(languages.filter((lang) => lang !== this.from)), this.to, turn("to")) : null,
      choose("only", say("texts_show"), states, this.only, (only) => ((this.only = only), this.drawList())),
      el("label", { for: "texts-name" }, say("texts_name"), " ", name),
      press("add language", say("texts_add"), () => this.begin()),
    );
  }

  drawList() {
    const list = byId("text-list");
    if (!list) return;
    let chapter;
    const done = this.rows.filter(({ state }) => state === "reviewed").length;
    const open = this.rows.filter(({ state }) => OPEN.includes(state)).length;
    const items = this.listed().flatMap((row) => {
      const isNew = `${row.variant} ${row.chapter}` !== chapter;
      chapter = `${row.variant} ${row.chapter}`;
      const others = this.with(row).map(({ name }) => name || say("texts_somebody"));
      const isHere = this.isAt(row);
      const sign = el("span", { className: `sign ${row.state}`, role: "img", aria: { label: say(STATES[row.state]) } }, SIGNS[row.state]);
      const button = el("button", { type: "button", className: "sentence", data: { key: `${row.variant}/${row.id}` }, onclick: () => this.open(row), tabIndex: isHere ? 0 : -1 }, sign, this.found(row).length ? el("b", {}, " ! ") : " ", row.source, others.length ? el("small", {}, ` (${others.join(", ")})`) : null);
      if (isHere) button.setAttribute("aria-current", "true");
      return [isNew ? el("h2", {}, row.variant ? `${row.variant}: ${row.chapter}` : row.chapter) : null, button];
    });
    const { scrollTop } = list;
    refill(list, el("p", { className: "help" }, say("texts_progress", { open, done, all: this.rows.length })), ...items);
    list.scrollTop = scrollTop;
    list.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }

  drawOne() {
    const { one } = this;
    const box = byId("text-one");
    if (!box || !one) return;
    this.input ??= el("textarea", { id: "text-input", rows: 4, dir: "auto", data: { key: "text" }, oninput: () => this.typed() });
    this.input.lang = this.to;
    this.input.setAttribute("aria-label", named(this.to));
    const isIn = box.contains(document.activeElement) && document.activeElement === this.input;
    const source = words(this.from, one.source.map(([text, note]) => (note ? el("mark", { title: note.trim() }, text) : text)), { id: "text-source" });
    const tags = { "-": "del", "+": "ins" };
    const before = one.before.length ? el("p", { className: "book", lang: this.from }, say("texts_was"), " ", one.before.map(([sign, text]) => (tags[sign] ? el(tags[sign], {}, text) : text))) : null;
    const note = (text) => (text ? el("p", { className: "help" }, text) : null);
    const at = this.rows.findIndex((row) => this.isAt(row));
    const beside = (row, label) => (row ? el("li", {}, el("small", {}, label), " ", el("span", { lang: this.from }, row.source), row.target ? [" — ", el("span", { lang: this.to, dir: "auto" }, row.target)] : null) : null);
    const folded = (label, ...content) => el("details", {}, el("summary", {}, label), ...content);
    const example = folded(say("texts_example"), el("div", { id: "text-example" }, say("desk_case_busy")));
    example.ontoggle = () => example.open && this.ask("figures");
    refill(
      box,
      el("h2", {}, `${SIGNS[one.state]} ${one.key.replace(/^(heading|title):/, "# ")}`, el("small", {}, ` ${say(STATES[one.state])}${one.reviewer ? `, ${one.reviewer}` : ""}`)),
      source,
      before,
      note(one.printed),
      note(one.review),
      ...Object.entries(one.others).map(([lang, text]) => el("p", { className: "other" }, el("small", {}, `${named(lang)}: `), el("span", { lang, dir: "auto" }, text))),
      el("label", { for: "text-input" }, named(this.to)),
      this.input,
      el("div", { id: "text-found", role: "status" }),
      el("div", { id: "text-clash", role: "alert", tabIndex: -1 }, this.clash === undefined ? null : this.drawClash()),
      el("div", { id: "text-others" }),
      el("p", { className: "buttons" }, Object.assign(press("save", say("texts_save"), () => this.save({ on: true })), { className: "main" }), press("done", say("texts_confirm"), () => this.save({ done: true, on: true })), press("copy", say("texts_copy"), () => this.replace(one.raw)), press("previous", "↑", () => this.step(-1)), press("next", "↓", () => this.step(1))),
      ...this.drawHelp(),
      el("ul", { className: "beside" }, beside(this.rows[at - 1], "↑"), beside(this.rows[at + 1], "↓")),
      one.rule ? folded(say("texts_rule"), ...one.told.map((text) => words(this.from, text)), el("pre", {}, one.rule)) : null,
      one.rule ? example : null,
      this.drawComments(),
      note(one.sources),
      note(say("texts_keys")),
    );
    for (const arrow of [["previous", "texts_previous"], ["next", "texts_next"]]) box.querySelector(`[data-key="${arrow[0]}"]`).ariaLabel = say(arrow[1]);
    if (isIn) this.input.focus();
    this.drawOthers();
  }

  drawClash() {
    const mine = () => ((this.base = this.clash), (this.clash = undefined), this.drawOne(), this.save());
    const theirs = () => ((this.base = this.clash), (this.clash = undefined), this.drawOne(), this.replace(this.base));
    return [el("p", { className: "wrong" }, say("texts_clash")), words(this.to, this.clash), el("p", { className: "buttons" }, press("mine", say("texts_mine"), mine), press("theirs", say("texts_theirs"), theirs))];
  }

  /** What others type about this sentence, now or before. */
  drawOthers() {
    const box = byId("text-others");
    if (!box || !this.row) return;
    const here = this.with(this.row);
    const take = (text) => press(`take ${text}`, say("texts_take"), () => this.replace(text));
    const typed = here.map(({ name, text }) => el("p", {}, el("b", {}, say("texts_here", { name: name || say("texts_somebody") })), " ", text ? [el("span", { lang: this.to, dir: "auto" }, text), " ", take(text)] : null));
    const left = (this.one?.drafts ?? []).filter((text) => !here.some((one) => one.text === text)).map((text) => el("p", {}, el("small", {}, say("texts_left")), " ", el("span", { lang: this.to, dir: "auto" }, text), " ", take(text)));
    refill(box, ...typed, ...left);
  }

  /** What can be put in with a click, or with Alt and its number: terms, values, sentences that are much alike. */
  drawHelp() {
    const { terms, values, memory } = this.one;
    let number = 0;
    const insert = (text, act, title = "") => el("button", { type: "button", className: "insert", data: { key: `insert ${text}` }, title, onclick: act }, (number += 1) < 10 ? el("kbd", {}, `Alt ${number}`) : null, " ", el("span", { lang: this.to, dir: "auto" }, text));
    const missing = (term) => {
      const input = el("input", { aria: { label: say("texts_term_new", { term: term.source }) } });
      const send = async () => {
        const { problem } = await this.ask("term", { concept: term.id, text: input.value });
        if (!problem) this.open(this.row);
      };
      return el("span", { className: "missing" }, el("small", {}, `${term.source}: `), input, press(`term ${term.id}`, say("texts_term_save"), send));
    };
    const named_ones = terms.map((term) => (term.targets.length ? insert(term.targets[0], () => this.put(term.targets[0]), `${term.source}. ${term.note}`) : missing(term)));
    const others = memory.map(({ source, target, game, share }) => el("li", {}, insert(target, () => this.replace(target)), el("small", {}, ` ${game}, ${share} %: `, el("span", { lang: this.from }, source))));
    return [
      terms.length || values.length ? el("p", { className: "inserts" }, named_ones, values.map((value) => insert(value, () => this.put(value)))) : null,
      others.length ? [el("h3", {}, say("texts_memory")), el("ul", {}, others)] : null,
    ].flat();
  }

  drawComments() {
    const { comments, questions } = this.one;
    const settle = (text) => press(`settle ${text}`, say("texts_settle"), async () => (await this.ask("settle", { text })).problem || this.open(this.row));
    const item = (label) => (text) => el("li", {}, label ? el("small", {}, `${label} `) : null, text, " ", settle(text));
    const input = el("input", { id: "text-comment", data: { key: "comment" } });
    const send = (author) => async () => {
      const { problem } = await this.ask("comment", { text: input.value, author });
      if (!problem) this.open(this.row);
    };
    return el(
      "section",
      {},
      el("h3", {}, say("texts_comments")),
      el("ul", {}, comments.map(item("")), questions.map(item(say("texts_question")))),
      el("p", { className: "buttons" }, el("label", { for: "text-comment" }, say("texts_comment_new")), input, press("comment", say("texts_comment"), send(false)), press("ask author", say("texts_ask"), send(true))),
    );
  }

  begin() {
    const input = el("input", { id: "texts-code", maxLength: 3, autocapitalize: "off", spellcheck: false });
    const said = el("p", { role: "status" });
    const make = async () => {
      const lang = input.value.trim();
      const { problem } = await this.asks({ kind: "start", lang, from: this.from });
      if (problem) return (said.textContent = problem);
      this.dialog.close();
      this.row = this.one = undefined;
      this.to = lang;
      keep("texts-to", lang);
      await this.read();
      return undefined;
    };
    input.onkeydown = ({ key }) => {
      if (key === "Enter") make();
    };
    this.dialog.replaceChildren(el("h2", { id: "back-title" }, say("texts_add")), el("p", {}, say("texts_add_why", { language: named(this.from) })), el("p", {}, el("label", { for: "texts-code" }, say("texts_code")), input), said, el("p", { className: "buttons" }, press("make", say("texts_add"), make), press("shut", say("cancel"), () => this.dialog.close())));
    this.dialog.showModal();
  }
}
