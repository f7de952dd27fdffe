// The page of one seat: what comes from the server is shown, what is clicked is sent.

import { showAnswer } from "./answer.js";
import { Asking } from "./asking.js";
import { Book } from "./book.js";
import { isAsked } from "./choosing.js";
import { Clock } from "./clock.js";
import { call, hurries, showComfort, sizeKeys } from "./comfort.js";
import { Company, left, seated } from "./company.js";
import { Design, download } from "./design.js";
import { byId, el, refill } from "./dom.js";
import { Log } from "./log.js";
import { after, before, rest } from "./moving.js";
import { Notes } from "./notes.js";
import { headline, showPlayers } from "./people.js";
import { Picture } from "./picture.js";
import { showResults } from "./results.js";
import { Tabs } from "./tabs.js";
import { Teaching } from "./teaching.js";
import { notice, showChance, showHint, showPast, showTools, showUndo, toast } from "./tools.js";
import { Wire, begin, firstWords, furnish } from "./wire.js";
import { keep, kept, learn, marked, openTerms, ownLanguage, say, speak } from "./words.js";

const WIDER = 20;
const PATIENCE = 250;
const FEW = 6;
const LATE = 3; // so much at most waits to be read: whoever was away for long goes on to the last of it
const [READING, PER_LETTER] = [4000, 40]; // so long what is about to be gone stays to be read

class Page {
  constructor(token) {
    this.token = token;
    this.lang = kept("lang");
    this.exploring = false;
    this.pieces = new Map();
    this.coming = [];
    this.clock = new Clock();
    this.tabs = new Tabs();
    this.log = new Log(this.tabs.add("log"), (at) => this.lookAt(at));
    this.book = new Book(this.tabs.add("rulebook"));
    this.notes = new Notes(this.tabs.add("notes"), (message) => this.send(message));
    this.design = new Design(this.tabs.add("design"), (message) => this.send(message));
    this.tabs.hide("design", true);
    this.company = new Company((message) => this.send(message));
    const clicks = { chosen: (at) => this.asking.clicked(at), dragged: (from, to) => this.asking.dragged(from, to), asked: (around) => (this.goOn ? this.goOn() : this.whyNot(around)) };
    this.picture = new Picture(byId("picture"), clicks);
    this.asking = new Asking(this.picture, { sent: (index) => this.choose(index), rules: (id) => this.openRules(id) });
    this.teaching = new Teaching({ send: (message) => this.send(message), read: () => this.learned() });
    this.teaching.begin(token);
    this.wire = new Wire({
      hello: () => this.hello(),
      heard: (message) => this.heard(message),
      settled: (message, isDone) => this.settled(message, isDone),
      lost: (isFinal) => this.lost(isFinal),
      turn: () => this.position?.turn ?? 0,
    });
    this.listen();
  }

  listen() {
    byId("lang").onchange = (event) => this.look({ lang: event.target.value });
    byId("skip").onclick = () => byId("dock").focus();
    document.addEventListener("keydown", (event) => {
      const goesOn = this.goOn && (event.key === "Enter" || event.key === " ") && !event.target.closest("button, input, textarea, select, summary, dialog, .term");
      if (goesOn) {
        event.preventDefault();
        this.goOn();
      }
      if (event.key !== "Escape" || byId("answer").open) return;
      if (this.exploring) this.explore(false);
      else if (this.asking.position && this.asking.back()) this.picture.focus();
    });
    const asks = (event) => {
      const name = event.target.closest?.(".term")?.dataset.ask;
      if (name === undefined || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      this.whyNot([name]);
    };
    for (const kind of ["click", "keydown"]) document.addEventListener(kind, asks);
    document.addEventListener("keydown", sizeKeys);
    const keys = (on) => () => document.body.classList.toggle("keys", on);
    document.addEventListener("keydown", keys(true), true);
    document.addEventListener("pointerdown", keys(false), true);
    let timer;
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => this.measured(), PATIENCE);
    }).observe(byId("table"));
    measure("dock", "--dock");
    measure("notice", "--bar");
    measure("top", "--top");
  }

  // ------------------------------------------------------------ to the server

  get width() {
    return Math.max(240, Math.floor(byId("table").clientWidth / 10) * 10);
  }

  /** Another seat, at the same page. */
  again(token) {
    this.token = token;
    this.position = this.people = undefined;
    this.coming = [];
    this.fault = false;
    this.chance = undefined;
    this.lookAway();
    notice();
    this.teaching.begin(token);
    this.pieces.clear();
    this.wire.open();
  }

  hello() {
    this.asked = this.width;
    return { kind: "hello", token: this.token, lang: this.lang, prefers: ownLanguage(), width: this.asked, learn: this.teaching.wanted };
  }

  send(message) {
    return this.wire.send(message);
  }

  choose(option) {
    this.send({ kind: "choose", turn: this.position.turn, option });
  }

  look({ lang = this.lang }) {
    this.lang = lang;
    keep("lang", lang);
    this.asked = this.width;
    this.send({ kind: "look", lang, width: this.asked, learn: this.teaching.wanted });
  }

  /** From now on each rule is introduced when it first applies, or none is. */
  learn(isWanted) {
    this.teaching.want(isWanted);
    this.look({});
  }

  /** A rule has been introduced: the next one, or the game goes on. */
  learned() {
    this.show(this.position, false);
    this.next();
  }

  /** Another width of the window is another picture. */
  measured() {
    if (this.position && Math.abs(this.width - this.asked) >= WIDER) this.look({});
  }

  /** Asks what was clicked, from the inside out, until something can be told. */
  whyNot(around) {
    if (this.past) return;
    this.inquiry = [...around];
    this.about = null;
    this.askNext();
  }

  askNext() {
    this.inquired = this.inquiry.shift();
    if (this.inquired !== undefined) this.send({ kind: "why not", address: this.inquired });
  }

  explore(on) {
    this.exploring = on;
    this.picture.everything = on;
    openTerms(on);
    this.asking.draw();
    showTools(this, (message) => this.send(message));
    if (on) this.picture.focus();
  }

  goBack(steps) {
    this.lookAt((this.position.at ?? this.position.turn) - steps);
  }

  lookAt(at) {
    this.wanted = Math.max(0, at);
    this.send({ kind: "history", at: this.wanted });
  }

  branch(at) {
    this.lookAway();
    this.send({ kind: "branch", at });
  }

  /** Earlier positions are no longer looked at, nor is one that is still under way. */
  lookAway() {
    this.past = null;
    this.wanted = undefined;
  }

  backToGame() {
    this.lookAway();
    notice();
    this.show(this.position, false);
  }

  // ------------------------------------------------------------ from the server

  heard(message) {
    if (this.away && message.to !== "hello") this.returned();
    const known = {
      position: () => this.pieced(message, true) && this.positionComes(message),
      past: () => this.pieced(message) && this.lookedBack(message),
      people: () => this.met(message),
      refused: () => this.refused(message),
      answer: () => this.answered(message),
      asked: () => showUndo(message, this, (answer) => this.send(answer)),
      noted: () => this.noted(message.notes),
      seated: () => seated(message.token, this.token),
      left: () => left(this.token),
      fault: () => this.stuck(message),
      "asked chance": () => this.chanceAsked(message),
    };
    known[message.kind]?.();
  }

  /** Puts pictures together from their pieces; those of a position are kept, since the next one has most of them too. */
  pieced(message, isKept) {
    const known = (name) => message.pieces[name] ?? this.pieces.get(name);
    const names = [...message.svg, ...Object.values(message.faces), ...Object.values(message.ghosts)];
    if (names.some((name) => known(name) === undefined)) {
      this.look({});
      return false;
    }
    const pieces = new Map(names.map((name) => [name, known(name)]));
    const pictures = (named) => Object.fromEntries(Object.entries(named).map(([key, name]) => [key, pieces.get(name)]));
    message.svg = message.svg.map((name) => pieces.get(name)).join("");
    message.faces = pictures(message.faces);
    message.ghosts = pictures(message.ghosts);
    if (isKept) this.pieces = pieces;
    return true;
  }

  /** Shows a position once what came to lie on the table before it, and is gone, has been read. */
  positionComes(position) {
    if (isWhole(position)) this.coming = [];
    this.coming.push(position);
    if (this.coming.length === 1) this.next();
    else if (this.isLate) this.goOn?.();
  }

  get isLate() {
    return this.coming.filter((one) => one.rests).length > LATE;
  }

  next() {
    const [position] = this.coming;
    if (!position || (this.teaching.card && !isWhole(position))) return;
    const goOn = () => {
      if (position !== this.coming[0]) return;
      clearTimeout(this.reading);
      this.goOn = null;
      this.coming.shift();
      this.positioned(position);
      this.next();
    };
    const isNew = !isWhole(position) && !this.past && this.position && !(position.over && position.rests?.length === 0);
    this.byPeople ||= position.log.some((line) => line.kind === "choice" && !this.people?.seats[line.player]?.bot);
    const isOfBots = !this.byPeople && !this.isPlayed;
    if (position.rests) this.byPeople = false;
    if (!isNew || !position.rests || hurries() || isOfBots || this.isLate || this.isSkipping) return goOn();
    rest(this.picture, position.rests, position.svg);
    this.picture.light([], [], []);
    const choice = position.log.findLastIndex((line) => line.kind === "choice");
    const told = [...new Set(position.log.slice(choice + 1).map((line) => line.text))];
    byId("ask").textContent = position.log[choice]?.text ?? position.title;
    byId("dock").classList.remove("mine");
    refill(byId("news"));
    refill(byId("question"), el("ul", { className: "told" }, told.map((text) => el("li", {}, text))));
    refill(byId("controls"), el("button", { type: "button", className: "main", data: { key: "go on" }, onclick: goOn }, say("go_on")));
    this.goOn = goOn;
    this.reading = setTimeout(goOn, READING + PER_LETTER * told.join("").length);
  }

  positioned(position) {
    const whole = isWhole(position);
    this.lang ??= position.lang;
    if (position.words) speak(position.words, position.lang);
    learn(position.terms, whole);
    this.teaching.learn(position);
    const first = !this.position;
    const news = !this.position || this.position.turn !== position.turn || this.position.line !== position.line;
    if (this.past || (this.fault && news)) notice();
    this.fault = this.fault && !news;
    if (news && !first) this.chance = undefined;
    const starts = this.past || whole ? [] : before(this.picture, position.moves);
    const alone = this.alone(position, whole);
    this.position = position;
    this.clock.follow(position);
    this.lookAway();
    if (first || whole) this.words();
    this.log.told(position, whole);
    this.show(position, news);
    if (alone) toast(say("chosen_alone", { what: alone }));
    after(this.picture, starts);
    if (first) this.welcome();
  }

  /** What came up on a real table is to be entered, or no longer. */
  chanceAsked(message) {
    this.chance = message.of === null ? undefined : message;
    if (this.position && !this.past) this.show(this.position, false);
  }

  /** What was chosen for this seat because there was nothing else to choose. */
  alone(position, whole) {
    const { done } = this.asking;
    const elsewhere = !done && this.position && isAsked(this.position); // chosen in another window of this seat
    if (whole || elsewhere || this.people?.you.role !== "seat") return undefined;
    const own = position.log.filter((line) => line.kind === "choice" && line.player === position.seat);
    return own[done ? 1 : 0]?.text;
  }

  show(position, news) {
    byId("dock").inert = false;
    this.picture.everything = this.exploring;
    this.picture.show(position.svg, say("picture", { what: headline(position, this.people) }));
    this.describe(position);
    this.head();
    byId("title").replaceChildren(position.title, ...[...position.rounds, position.phase].map((text) => (text ? el("small", {}, ` · ${text}`) : "")));
    byId("dock").classList.toggle("mine", isAsked(position) || Boolean(this.chance));
    document.title = isAsked(position) ? `● ${say("your_turn")} · ${position.title}` : position.title;
    showPlayers(position, this.people, this.clock);
    refill(byId("news"), position.over ? [] : this.log.news.map((text) => el("li", {}, marked(text))));
    if (this.chance) {
      this.picture.light([], [], []);
      showChance(this.chance, this);
    } else if (this.teaching.card) {
      this.picture.light([], [], []);
      this.teaching.show();
    } else if (this.isSkipping) {
      this.picture.light([], [], []);
      byId("ask").textContent = say("skipping");
      for (const part of ["question", "controls"]) refill(byId(part));
    } else {
      this.asking.ask(position);
      if (this.wire.isUnsure("choose")) this.asking.wait();
    }
    this.picture.mark("changed", position.changed ?? []);
    showTools(this, (message) => this.send(message));
    this.tabs.hide("design", !this.design.show(position, this.people));
    this.results();
    if (news && isAsked(position)) this.book.open(position.question.rule);
    if (news) this.picture.reveal();
    if (news && isAsked(position)) call(position.title, say("your_turn"));
  }

  head() {
    byId("ask").textContent = this.chance ? say("what_came_up") : headline(this.position, this.people);
  }

  results() {
    showResults(byId("results"), this.position, this.people, this.clock.minutes, (swap) => this.send({ kind: "again", swap }), this.teaching.unmet(this.position));
  }

  /** Who wrote a note is called as people call them; what somebody else says is heard, too. */
  noted(notes) {
    const name = (note) => this.people?.seats.find((one) => one.name === note.by)?.called ?? note.by;
    const { you, seats } = this.people ?? {};
    const news = this.notes.show(notes, name, seats?.[you.seat]?.name);
    if (news && this.position && this.tabs.shown !== "notes") toast(news);
  }

  /** The picture in sentences, for those who hear it. */
  describe({ described }) {
    refill(byId("described"), described.map((text) => el("li", {}, `${text}.`)));
  }

  /** Who one is, once people and position are known. */
  welcome() {
    const { position, people } = this;
    const you = { watch: () => say("watching"), join: () => say("sit_help"), open: () => say("seeing_all") }[people?.you.role];
    toast(you?.() ?? say("you_are", { name: position.players[position.seat]?.label ?? "" }));
  }

  /** Whether somebody plays from this page. */
  get isPlayed() {
    const { you, seats } = this.people ?? {};
    return you?.role === "open" ? seats.some((one) => !one.bot) : you?.role === "seat" && !seats[you.seat].bot;
  }

  /** Whether the server plays for this seat until there is a new rule. */
  get isSkipping() {
    return Boolean(this.people?.seats[this.position.seat]?.skips);
  }

  /** What stays when the position changes. */
  words() {
    const { position } = this;
    byId("skip").textContent = say("to_question");
    byId("speaking").firstElementChild.textContent = say("language");
    byId("players").setAttribute("aria-label", say("players"));
    byId("table").setAttribute("aria-label", say("table_title"));
    byId("tabs").setAttribute("aria-label", `${say("log")}, ${say("rulebook")}, ${say("note")}`);
    byId("described").setAttribute("aria-label", say("picture", { what: position.title }));
    const name = (lang) => new Intl.DisplayNames([lang], { type: "language" }).of(lang);
    const options = position.languages.map((lang) => el("option", { value: lang, lang }, name(lang)));
    refill(byId("lang"), options);
    byId("lang").value = position.lang ?? "en";
    for (const tab of ["log", "rulebook"]) this.tabs.label(tab, say(tab));
    this.tabs.label("notes", say("note"));
    this.notes.words();
    this.tabs.label("design", say("tools"));
    furnish();
    showComfort(position.seat === null ? null : { learns: position.lessons !== null, learn: (isWanted) => this.learn(isWanted) });
    if (this.people) this.company.show(position, this.people);
    this.readRules();
  }

  readRules() {
    const { position, people } = this;
    const base = people?.table.rulebook ?? "rulebook";
    if (position) this.book.read(base, position.lang ?? "en", people?.table.line ?? 0);
  }

  lookedBack(past) {
    if (past.at !== this.wanted || past.line !== this.position.line) return;
    this.past = past;
    byId("dock").inert = true;
    this.picture.show(past.svg, say("past_at", { at: past.at }));
    this.describe(past);
    this.picture.light([], [], []);
    showPast(past, this);
  }

  met(people) {
    const isMoved = this.position && this.people && this.people.you.seat !== people.you.seat;
    const skipped = this.position && this.isSkipping;
    this.people = people;
    if (this.position) {
      if (skipped !== this.isSkipping && !this.past) this.show(this.position, false);
      showPlayers(this.position, people, this.clock);
      showTools(this, (message) => this.send(message));
      this.tabs.hide("design", !this.design.show(this.position, people));
      this.company.show(this.position, people);
      this.results();
      if (!this.coming.length && !this.teaching.card && !this.isSkipping) this.head();
      if (isMoved) toast(say("you_are", { name: this.position.players[people.you.seat].label }));
    }
    this.readRules();
  }

  /** The rules cannot go on: everything stays to be looked at. */
  stuck(message) {
    this.fault = true;
    notice(el("b", {}, say("fault")), ` ${message.text}`);
  }

  refused(message) {
    if (message.to === "hello") notice(message.reason);
    else if (message.isLate) this.miss(message.reason);
    else toast(message.reason);
    if (message.to === "choose") this.asking.refused();
  }

  /** What was done while the connection was lost did not count: said until it has been read. */
  miss(reason) {
    const read = { type: "button", data: { key: "read" }, onclick: () => notice() };
    notice(el("span", {}, reason), el("span", { className: "buttons" }, el("button", read, say("close"))));
  }

  answered(message) {
    if (this.outdated(message)) return;
    if (message.to !== "lesson") toast("");
    if (message.to === "save") download(JSON.stringify(message.save), `${this.position.game}.save`);
    else if (message.to === "keep") download(message.text, `${message.name}.rules`);
    else if (message.to === "hint") showHint(message, this.position);
    else if (message.to === "lesson") this.teaching.answered(message);
    else this.told(message);
  }

  /** What was clicked is told with what lies nearest of all that can be told why; so who may choose asks further out. */
  told({ about, explanations }) {
    this.about ??= about;
    const isDone = explanations.length > 0 || (this.about && !isAsked(this.position)) || this.inquiry.length === 0;
    if (!isDone) this.askNext();
    else if (this.about || explanations.length > 0) showAnswer({ about: this.about, explanations }, (id) => this.openRules(id), this.possible, (at) => this.whyNot([at]));
    else toast(say("nothing_here"));
  }

  /** What can be chosen now, in a few words. */
  get possible() {
    const { actions, options, question } = this.position;
    if (!isAsked(this.position)) return [];
    if (actions.length > 1) return actions.map(({ label }) => label);
    return options.length <= FEW ? options.map(({ text }) => text) : [say("choose_what", { what: question.about || question.what || options.length })];
  }

  /** Whether an answer is about a position that is gone, or about what was not the last thing to be clicked. */
  outdated({ to, turn, address }) {
    return (to === "hint" && turn !== this.position.turn) || (to === "why not" && address !== this.inquired);
  }

  wait(word) {
    toast(say(word));
  }

  /** The server has dealt with a message of ours. */
  settled(message, isDone) {
    if (message.kind === "note") this.notes.settled(message.text, isDone);
  }

  lost(isFinal) {
    this.away = true;
    if (this.wire.isNobodys && left(this.token)) return;
    const word = !isFinal && !navigator.onLine ? "offline" : "reconnecting";
    if (isFinal || !this.position) {
      if (byId("notice").hidden || !isFinal) firstWord(isFinal ? "no_link" : word);
      return;
    }
    const now = { type: "button", data: { key: "now" }, onclick: () => this.wire.probe() };
    const kept = this.wire.unsure.size > 0 ? ` ${say("will_be_sent")}` : "";
    notice(el("span", {}, say(word), kept), el("span", { className: "buttons" }, el("button", now, say("try_now"))));
  }

  /** There is a connection again. */
  returned() {
    this.away = false;
    notice();
    if (this.position) toast(say("connected"));
  }

  openRules(id) {
    byId("answer").close();
    this.tabs.show("rulebook");
    this.book.open(id);
    this.tabs.tabs.get("rulebook").panel.focus();
  }
}

/** Whether a position tells all of the log, and not what is new in it. */
function isWhole({ since }) {
  return since === null || since === undefined;
}

/** Keeps the height of an element in a variable of the style sheet. */
function measure(id, name) {
  const element = byId(id);
  new ResizeObserver(() => document.body.style.setProperty(name, `${element.offsetHeight}px`)).observe(element);
}

/** A word before anything came from the table, in the browser's language. */
async function firstWord(word) {
  const words = await firstWords();
  const lang = ownLanguage();
  speak(words[lang] ?? words.en, words[lang] ? lang : "en");
  notice(say(word));
}

begin(
  (token) => new Page(token),
  () => firstWord("no_link"),
);
