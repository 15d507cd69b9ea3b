// Judging by keyboard. Every change is sent at once; what cannot be sent waits in this browser until the server is back.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("review-data").textContent);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const rows = new Map(all(".item").map((row) => [row.dataset.item, row]));
  const RETRY_MS = 2000;

  // --- scores and notes ---------------------------------------------------------------------------------------

  const marks = new Map(data.items.map((item) => [item, { score: null, note: "", ...data.marks[item] }]));
  let trialNote = data.note;
  let current = data.items[0];

  const scored = () => data.items.filter((item) => marks.get(item).score !== null).length;
  const finished = () => scored() === data.items.length;

  function setScore(item, score) {
    marks.get(item).score = score;
    changed(item);
    say(score === null ? `${item} cleared` : `${item}: ${score.toFixed(2)}${finished() ? ". All items are scored" : ""}`);
  }

  function nudge(by) {
    const before = marks.get(current).score;
    const start = before === null ? 0.5 : before;
    const next = before === null ? start : start + by;
    setScore(current, Math.round(Math.min(1, Math.max(0, next)) * 100) / 100);
  }

  function setNote(item, note) {
    if (item) marks.get(item).note = note;
    else trialNote = note;
    keep(item || null);
  }

  function changed(item) {
    draw();
    keep(item);
    flush();
  }

  // --- sending ------------------------------------------------------------------------------------------------

  // one key per item, so that two tabs never overwrite each other's list
  const prefix = `review ${data.desk} ${data.reviewer} `;
  const unsent = new Map();
  let sending = null;
  let retry = null;
  let away = false;
  let noteTimer = null;

  function keep(item) {
    const mark = item === null ? { score: null, note: trialNote } : marks.get(item);
    remember(`${prefix}${data.trial} ${item ?? ""}`, { trial: data.trial, item, score: mark.score, note: mark.note });
    drawStatus();
  }

  function remember(key, change) {
    unsent.set(key, change);
    try { localStorage.setItem(key, JSON.stringify(change)); } catch { /* a full or forbidden storage: memory has it */ }
  }

  function forget(key, change) {
    if (unsent.get(key) !== change) return; // changed again while it was under way
    unsent.delete(key);
    try { localStorage.removeItem(key); } catch { /* as above */ }
  }

  function recall() {
    try {
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith(prefix))) {
        const change = JSON.parse(localStorage.getItem(key));
        unsent.set(key, change);
        if (change.trial !== data.trial) continue;
        if (change.item === null) trialNote = change.note;
        else if (marks.has(change.item)) marks.set(change.item, { score: change.score, note: change.note });
      }
    } catch { /* no storage */ }
  }

  // One request at a time. Whoever waits for it waits until nothing is left to send, or nothing can be sent now.
  function flush() {
    sending ??= sendAll().finally(() => { sending = null; });
    return sending;
  }

  async function sendAll() {
    clearTimeout(retry);
    while (unsent.size) {
      const [key, change] = unsent.entries().next().value;
      if (!(await send(key, change))) {
        retry = setTimeout(flush, RETRY_MS);
        break;
      }
    }
    draw();
  }

  // Whether the next one can be sent.
  async function send(key, change) {
    let answer;
    try {
      answer = await fetch("../marks", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(change) });
    } catch {
      trouble();
      return false;
    }
    const said = await answer.json().catch(() => ({}));
    if (answer.status >= 500) {
      trouble(`Not saved: ${said.error || answer.status}. It is kept in this browser and tried again.`);
      return false;
    }
    forget(key, change);
    if (answer.ok) {
      if (said.pace !== null) data.pace = said.pace;
      trouble("");
    } else {
      trouble(`The server refused a change of ${change.item || "the trial’s note"}: ${said.error || answer.status}`);
    }
    return true;
  }

  function trouble(message) {
    const box = byId("trouble");
    away = message === undefined;
    box.textContent = away
      ? `The server does not answer. ${unsent.size} change(s) are kept in this browser and are sent when it is back: start “python -m benchmark review” again.`
      : message;
    box.hidden = !box.textContent;
  }

  async function alive() {
    try {
      return (await fetch("../../../alive")).ok;
    } catch {
      return false;
    }
  }

  // --- drawing ------------------------------------------------------------------------------------------------

  const heat = (score) => (score === null ? "heat-none" : `heat-${Math.round(score * 10)}`);

  function draw() {
    for (const [item, row] of rows) {
      const { score, note } = marks.get(item);
      const chip = row.querySelector(".chip");
      chip.className = `chip ${heat(score)}`;
      chip.textContent = score === null ? "–" : score.toFixed(2);
      row.classList.toggle("current", item === current);
      row.tabIndex = item === current ? 0 : -1;
      row.classList.toggle("noted", note !== "");
      row.setAttribute("aria-label", `${item}, ${score === null ? "no score yet" : `score ${score.toFixed(2)}`}${note ? ", with a note" : ""}`);
      row.setAttribute("aria-current", String(item === current));
      for (const button of row.querySelectorAll("[data-score]")) button.setAttribute("aria-pressed", String(Number(button.dataset.score) === score));
    }
    const others = data.trials.filter((one) => one.key !== data.trial);
    const done = others.filter((one) => one.done).length + Number(finished());
    const open = others.reduce((sum, one) => sum + one.open, 0) + data.items.length - scored();
    byId("trials-done").textContent = `${done} of ${data.trials.length}`;
    byId("items-done").textContent = `${scored()} of ${data.items.length}`;
    byId("time-left").textContent = timeLeft(open);
    byId("trials").querySelector("[aria-current] ~ .sub").textContent = finished() ? "finished" : `${scored()} of ${data.items.length} items`;
    byId("reveal").disabled = !finished();
    drawStatus();
  }

  function timeLeft(open) {
    if (!open) return "none";
    if (data.pace === null) return "–";
    const minutes = (open * data.pace) / 60;
    return minutes < 1 ? "under 1 min" : minutes < 90 ? `about ${Math.round(minutes)} min` : `about ${(minutes / 60).toFixed(1)} h`;
  }

  let announced = "";
  function say(text) {
    announced = text;
    drawStatus();
  }

  function drawStatus() {
    const state = away ? `${unsent.size} not sent` : unsent.size ? "saving…" : "saved";
    byId("status").textContent = announced ? `${announced} · ${state}` : state;
    byId("status").dataset.state = away ? "away" : unsent.size ? "saving" : "saved";
  }

  function select(item, focus = true) {
    current = item;
    draw();
    const row = rows.get(item);
    if (focus) row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  function move(by) {
    const next = data.items[data.items.indexOf(current) + by];
    if (next) select(next);
  }

  function nextOpen() {
    const at = data.items.indexOf(current);
    const after = [...data.items.slice(at + 1), ...data.items.slice(0, at + 1)];
    const open = after.find((item) => marks.get(item).score === null);
    if (open) select(open);
    else say("All items are scored");
  }

  // --- going elsewhere ----------------------------------------------------------------------------------------

  async function go(address) {
    await flush();
    if (await alive()) location.assign(address);
    else trouble();
  }

  function nextTrial() {
    const at = data.trials.findIndex((one) => one.key === data.trial);
    const after = [...data.trials.slice(at + 1), ...data.trials.slice(0, at)];
    const open = after.find((one) => !one.done);
    if (open) return go(open.key);
    if (finished()) return go("../results");
    nextOpen();
    return say(`${data.items.length - scored()} item(s) are open here, and no other trial is`);
  }

  function previousTrial() {
    const before = data.trials[data.trials.findIndex((one) => one.key === data.trial) - 1];
    return before ? go(before.key) : say("This is the first trial");
  }

  async function reveal() {
    if (!finished()) return say("The judge’s scores are shown when all items have one of yours");
    await flush();
    let said;
    try {
      const answer = await fetch(`${data.trial}/judge`);
      said = await answer.json();
      if (!answer.ok) return say(said.error);
    } catch {
      return trouble();
    }
    for (const [item, row] of rows) {
      const verdict = row.querySelector(".verdict");
      const { score, reason } = said.items[item];
      const gap = score - marks.get(item).score;
      verdict.textContent = `${said.judge}${said.proxy && !reason.startsWith("proxy") ? " (proxy)" : ""}: ${score.toFixed(2)}, ${gap >= 0 ? "+" : "−"}${Math.abs(gap).toFixed(2)}. ${reason}`;
      verdict.classList.toggle("far", Math.abs(gap) >= 0.5);
      verdict.hidden = false;
    }
    return say("The judge’s scores are shown");
  }

  // --- demos --------------------------------------------------------------------------------------------------

  const sections = all(".demo");
  const players = sections.map((section, index) => demoPlayer(section, data.demos[index]));
  let shown = -1;

  function showDemo(index) {
    if (index < 0 || index >= sections.length || index === shown) return;
    players[shown]?.pause();
    shown = index;
    sections.forEach((section, at) => { section.hidden = at !== index; });
    all("[data-show]").forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.show) === index)));
    players[index]?.seek(players[index].frame()); // where it was left, at first its begin: a poster is from its middle
  }

  sections.forEach((section, index) => {
    const facts = data.demos[index];
    const keys = section.querySelector(".keys");
    const pointer = section.querySelector(".pointer");
    const film = section.querySelector("video");
    const buttons = section.querySelector(".controls");
    section.querySelector("[data-fit]")?.click(); // the whole demo on one line
    if (film) film.controls = false; // they cover what is to be judged
    film?.addEventListener("click", () => players[index].toggle());
    if (buttons) {
      section.querySelector("[data-fit]").insertAdjacentHTML("beforeend", " <kbd>f</kbd>");
      const play = Object.assign(document.createElement("button"), { type: "button", innerHTML: "Play, pause <kbd>Space</kbd>" });
      play.addEventListener("click", () => players[index].toggle());
      buttons.prepend(play);
    }
    section.addEventListener("frame", ({ detail: frame }) => {
      // a film frame stands for several of the demo: a short press within them is shown too
      const until = frame + facts.fps / facts.videoFps;
      const now = facts.pressed.filter(([from, to]) => from < until && to > frame).map(([, , name]) => name);
      keys.replaceChildren(...[...new Set(now)].map((name) => Object.assign(document.createElement("kbd"), { textContent: name })));
      const place = facts.pointer.filter(([at]) => at < until).at(-1);
      pointer.hidden = !place;
      if (!place) return;
      const screen = section.querySelector("video, .picture").getBoundingClientRect();
      const box = section.querySelector(".theatre").getBoundingClientRect();
      pointer.style.left = `${screen.left - box.left + (place[1] / 1280) * screen.width}px`;
      pointer.style.top = `${screen.top - box.top + (place[2] / 720) * screen.height}px`;
      pointer.classList.toggle("down", now.some((name) => name.endsWith(" button")));
    });
  });

  const player = () => players[shown];
  const seconds = (by) => player()?.seek(player().frame() + by * data.demos[shown].fps);

  // --- keys ---------------------------------------------------------------------------------------------------

  const SCORES = { 0: 0, 2: 0.25, 5: 0.5, 7: 0.75, 1: 1 };
  function open(id) {
    byId(id).showModal();
    byId(id).querySelector("[data-first]")?.focus();
  }
  const note = (selector) => document.querySelector(selector).focus();
  const actions = {
    "?": () => open("keys"), s: () => open("specification"), l: () => open("trials"),
    r: () => go("../results"), v: reveal, Enter: nextTrial, p: previousTrial,
    ArrowUp: () => move(-1), k: () => move(-1), ArrowDown: () => move(1), j: () => move(1), o: nextOpen,
    "+": () => nudge(0.05), "=": () => nudge(0.05), "-": () => nudge(-0.05), u: () => setScore(current, null),
    n: () => note(`[data-note="${current}"]`), t: () => note('[data-note=""]'),
    " ": () => player()?.toggle(), ",": () => player()?.step(-1), ".": () => player()?.step(1),
    ArrowLeft: () => seconds(-1), ArrowRight: () => seconds(1), Home: () => player()?.seek(data.demos[shown].first),
    "[": () => showDemo(shown - 1), "]": () => showDemo(shown + 1),
    f: () => sections[shown]?.querySelector("[data-fit]")?.click(),
  };
  for (const [key, score] of Object.entries(SCORES)) actions[key] = () => setScore(current, score);

  function actionOf(event) {
    if (event.shiftKey && event.key === "ArrowLeft") return actions["["];
    if (event.shiftKey && event.key === "ArrowRight") return actions["]"];
    const digit = /^Digit([1-9])$/.exec(event.code);
    if (event.shiftKey && digit && !/^\d$/.test(event.key)) return () => showDemo(Number(digit[1]) - 1);
    return actions[event.key];
  }

  // Before the film's own controls get to see a key.
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph")) return;
    if (document.querySelector("dialog[open]")) return;
    const target = event.target;
    if (target.matches("textarea")) {
      if (event.key === "Escape") select(target.dataset.note || current);
      return;
    }
    if ((event.key === " " || event.key === "Enter") && target.closest("button, a, summary")) return;
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }, true);

  // --- the mouse, and what focus means ------------------------------------------------------------------------

  all("[data-key]").forEach((button) => button.addEventListener("click", () => actions[button.dataset.key]()));
  all("[data-show]").forEach((button) => button.addEventListener("click", () => showDemo(Number(button.dataset.show))));
  for (const [item, row] of rows) {
    row.addEventListener("focusin", () => { if (item !== current) select(item, false); });
    row.addEventListener("click", (event) => { if (!event.target.closest("button, textarea")) select(item); });
    row.querySelectorAll("[data-score]").forEach((button) => button.addEventListener("click", () => setScore(item, Number(button.dataset.score))));
    row.querySelectorAll("[data-nudge]").forEach((button) => button.addEventListener("click", () => nudge(Number(button.dataset.nudge))));
    row.querySelector("[data-clear]").addEventListener("click", () => setScore(item, null));
  }
  all("textarea").forEach((field) => {
    const item = field.dataset.note;
    field.addEventListener("input", () => {
      setNote(item, field.value);
      clearTimeout(noteTimer);
      noteTimer = setTimeout(() => { draw(); flush(); }, 500);
    });
    field.addEventListener("blur", () => { if (unsent.size) flush(); });
  });
  all("#trials a").forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    byId("trials").close();
    go(link.getAttribute("href"));
  }));
  // coming back with the browser's own button shows the page as it was left: what was said since is on the server
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  recall();
  all("textarea").forEach((field) => { field.value = field.dataset.note ? marks.get(field.dataset.note).note : trialNote; });
  const wanted = location.hash.slice(1);
  const firstOpen = data.items.find((item) => marks.get(item).score === null);
  showDemo(0);
  select(marks.has(wanted) ? wanted : firstOpen || data.items[0]);
  flush();
})();
