// What pops up at the element that was clicked.

import { byId, el } from "./dom.js";
import { say } from "./words.js";

/** Puts contents beside an address of the picture, in place of what popped up before; `leave`: on Escape or ×. */
export function placed(picture, contents, address, leave) {
  byId("popup")?.remove();
  if (!contents) return;
  const close = { type: "button", className: "quiet", data: { key: "leave" }, aria: { label: say("cancel") }, onclick: leave };
  const box = el("div", { id: "popup", role: "group", aria: { label: say("your_turn") } }, ...contents, el("button", close, "×"));
  const host = picture.host;
  host.append(box);
  const room = host.getBoundingClientRect();
  const rect = address ? picture.rect(address) : undefined;
  const at = rect ?? { left: room.left, right: room.right, bottom: room.top, top: room.top, width: room.width };
  const wanted = at.left - room.left + at.width / 2 - box.offsetWidth / 2;
  box.style.left = `${Math.max(4, Math.min(wanted, room.width - box.offsetWidth - 4))}px`;
  const below = at.bottom - room.top + 8;
  const above = at.top - room.top - box.offsetHeight - 8;
  const visible = room.top + below + box.offsetHeight < bottomOfView() || above < 0;
  box.style.top = `${visible ? below : above}px`;
  box.querySelector("button").focus({ preventScroll: true });
}

/** Where the dock of a phone begins to cover the picture. */
function bottomOfView() {
  const dock = byId("dock").getBoundingClientRect();
  return getComputedStyle(byId("dock")).position === "fixed" ? dock.top : innerHeight;
}
