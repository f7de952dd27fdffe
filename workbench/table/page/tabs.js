// Tabs of the side panel, with arrow keys.

import { byId, el } from "./dom.js";

export class Tabs {
  constructor() {
    this.tabs = new Map();
    byId("tabs").addEventListener("keydown", (event) => this.pressed(event));
  }

  /** A new tab; returns its panel. */
  add(name) {
    const tab = el("button", { type: "button", id: `tab-${name}`, role: "tab", aria: { controls: `panel-${name}` } });
    const panel = el("div", { id: `panel-${name}`, role: "tabpanel", tabIndex: 0, aria: { labelledby: tab.id } });
    tab.onclick = () => this.show(name);
    byId("tabs").append(tab);
    byId("panels").append(panel);
    this.tabs.set(name, { tab, panel });
    if (this.tabs.size === 1) this.show(name);
    else this.show(this.shown);
    return panel;
  }

  label(name, text) {
    this.tabs.get(name).tab.textContent = text;
  }

  hide(name, hidden) {
    this.tabs.get(name).tab.hidden = hidden;
  }

  show(name) {
    this.shown = name;
    for (const [other, { tab, panel }] of this.tabs) {
      tab.setAttribute("aria-selected", other === name);
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
  }

  pressed(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = [...this.tabs].filter(([, { tab }]) => !tab.hidden).map(([name]) => name);
    const next = names[(names.indexOf(this.shown) + step + names.length) % names.length];
    this.show(next);
    this.tabs.get(next).tab.focus();
  }
}
