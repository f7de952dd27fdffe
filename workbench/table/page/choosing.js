// Narrowing the options of a question, in any order, until one is left. No part of it knows how anything looks.

const FEW = 4;
const LISTED = 12;

/** The members of both sets. */
export function both(one, other) {
  return new Set([...one].filter((member) => other.has(member)));
}

/** Whether a page has something to choose. A single option is taken by the server where everybody knows of it; else the
 * player presses a button, so that nobody can tell. */
export function isAsked(position) {
  return position.options.length > (position.forced ? 1 : 0);
}

export class Choosing {
  /** `position`: with its options, targets, fields and actions. */
  constructor(position) {
    this.position = position;
    this.options = position.options;
    this.every = new Set(this.options.map((option) => option.index));
    this.targets = new Map(Object.entries(position.targets).map(([at, options]) => [at, new Set(options)]));
    this.picks = [];
  }

  get asked() {
    return isAsked(this.position);
  }

  /** The options that all picks leave. */
  get among() {
    return this.picks.reduce((left, pick) => both(left, pick.options), this.every);
  }

  /** Another pick; of the earlier ones those stay that agree with it. */
  pick(key, options, place = null) {
    let left = options;
    const kept = [];
    for (const pick of [...this.picks].reverse()) {
      const common = both(left, pick.options);
      if (pick.key === key || common.size === 0) continue;
      kept.unshift(pick);
      left = common;
    }
    this.picks = [...kept, { key, options, place }];
  }

  pickAt(address) {
    this.pick(address, this.targets.get(address), address);
  }

  back() {
    this.picks.pop();
  }

  clear() {
    this.picks = [];
  }

  /** Addresses that still divide what is left. */
  get lit() {
    const among = this.among;
    return [...this.targets.keys()].filter((at) => {
      const common = both(among, this.targets.get(at)).size;
      return common > 0 && common < among.size;
    });
  }

  /** Addresses that would begin another choice. */
  get others() {
    const lit = new Set(this.lit);
    return [...this.targets.keys()].filter((at) => !lit.has(at) && !this.picks.some((pick) => pick.key === at));
  }

  /** The names whose values differ among some options; the action comes first. */
  varying(among) {
    const options = this.options.filter((option) => among.has(option.index));
    const names = ["", ...this.position.fields.map((field) => field.name)];
    return names.filter((name) => new Set(options.map((option) => keyOf(option, name))).size > 1);
  }

  kindOf(name) {
    return this.position.fields.find((field) => field.name === name)?.kind ?? "action";
  }

  /** The options of `among` by their value of a name, in order. */
  groups(name, among) {
    const found = new Map();
    for (const option of this.options) {
      if (!among.has(option.index)) continue;
      const key = keyOf(option, name);
      if (!found.has(key)) found.set(key, new Set());
      found.get(key).add(option.index);
    }
    return found;
  }

  /**
   * What the player needs next:
   * `choose` (one option is left), `ghost` (a piece to turn and lay), `count`, `number`, `list`, `groups`, or `click`.
   * `rest`: options that no click on the picture can reach.
   */
  get step() {
    const among = this.among;
    const options = this.options.filter((option) => among.has(option.index));
    if (options.length === 0) return { kind: "none" };
    if (this.position.purse) return { kind: "count", options };
    if (this.picks.length > 0 && sameSpot(options)) return { kind: "ghost", options };
    if (this.picks.length > 0 && sameSquare(options)) return this.laid(among, options);
    if (this.picks.length > 0 && options.length === 1) return { kind: "choose", option: options[0] };
    const reached = new Set(this.lit.flatMap((at) => [...this.targets.get(at)]));
    const rest = new Set([...among].filter((index) => !reached.has(index)));
    const varying = this.varying(rest.size > 0 ? rest : among);
    if (reached.size > 0) {
      const few = this.picks.length > 0 && options.length <= FEW;
      return few ? { kind: "list", options } : { kind: "click", ...this.beside(rest, varying) };
    }
    return this.spelt(among, options, varying);
  }

  /** Several pieces fit on the square that was clicked: which one comes before how it is turned. */
  laid(among, options) {
    const name = this.varying(among).find((one) => this.kindOf(one) === "member");
    return name === undefined ? { kind: "list", options } : { kind: "groups", name, groups: this.groups(name, among) };
  }

  /** The control for options that nothing in the picture divides. */
  spelt(among, options, varying) {
    if (varying.length === 1 && this.kindOf(varying[0]) === "number") return { kind: "number", name: varying[0], options };
    if (options.length <= LISTED) return { kind: "list", options };
    return { kind: "groups", name: varying[0], groups: this.groups(varying[0], among) };
  }

  /** What stands as buttons beside a picture that can be clicked. */
  beside(rest, varying) {
    const options = this.options.filter((option) => rest.has(option.index));
    return { rest: options.length === 0 ? { kind: "none" } : this.spelt(rest, options, varying) };
  }
}

function keyOf(option, name) {
  return name === "" ? (option.action ?? "") : (option.values[name] ?? "");
}

function sameSquare(options) {
  return options.every((one) => one.lay && one.lay.at === options[0].lay?.at);
}

function sameSpot(options) {
  return sameSquare(options) && options.every((one) => one.lay.piece === options[0].lay.piece);
}
