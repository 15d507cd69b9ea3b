// A walker that goes right while ArrowRight is held, ten pixels to a point. ArrowUp loses. What is asked for in the
// address (?bad=…) makes it misbehave in one way.
const bad = new URLSearchParams(location.search).get("bad") ?? "";
let world;
let held = new Set();
let typed = "";
const reset = () => {
  world = { x: 0, steps: 0, ended: null, tries: (world?.tries ?? 0) + 1 };
  held.clear();
};
reset();

function misbehave(key) {
  if (bad === "loops" && key === "ArrowRight") for (;;);
  if (bad === "memory" && key === "ArrowRight") {
    const kept = [];
    for (;;) kept.push(new Array(1e6).fill(kept.length));
  }
  if (bad === "leaves" && key === "ArrowRight") location.href = "empty.html";
  if (bad === "dialogs") alert("stop");
  if (bad === "throws-in-play") throw new Error("thrown in play");
}

addEventListener("keydown", (event) => {
  misbehave(event.key);
  if (event.key.length === 1) typed += event.key;
  held.add(event.key);
});
addEventListener("keyup", (event) => held.delete(event.key));
addEventListener("mousedown", (event) => {
  world.x += event.clientX > 640 ? 50 : 0;
});

function frame() {
  requestAnimationFrame(frame);
  if (world.ended) return;
  world.steps += 1;
  if (held.has("ArrowRight")) world.x += 1;
  if (held.has("ArrowUp")) world.ended = { outcome: bad === "quits" ? "quit" : bad === "claims-success" ? "success" : bad === "no-outcome" ? null : "fail", reason: "up" };
  document.getElementById("words").textContent = String(Math.floor(world.x / 10));
  document.getElementById("walker").style.left = `${world.x}px`;
}
requestAnimationFrame(frame);

const scoreOf = () => {
  const points = Math.floor(world.x / 10);
  if (bad === "never-a-number") return NaN;
  if (bad === "endless-number") return points > 0 ? Infinity : 0;
  if (bad === "sometimes-no-number") return Math.floor(world.steps / 20) % 2 ? NaN : points;
  return points;
};

const begin = async (options) => {
  if (bad === "refuses") return { ok: false, method: "unsupported", notes: ["not today"] };
  if (bad === "never-answers") return new Promise(() => {});
  if (bad === "throws-at-begin") throw new Error("thrown at begin");
  if (bad === "slow-begin") for (let i = 0; i < 20; i += 1) await new Promise(requestAnimationFrame);
  if (bad === "reloads" && world.tries > 0 && options.seed === undefined) {
    location.reload();
    return new Promise(() => {});
  }
  reset();
  return { ok: true, method: "inplace", accepted: options, applied: options, notes: [] };
};

if (bad !== "no-api")
  window.gameAPI = {
    version: "test",
    capabilities: {},
    init: begin,
    reset: begin,
    getState() {
      if (bad === "throws") throw new Error("thrown in getState");
      if (bad === "no-object") return 5;
      if (bad === "huge") return { text: "x".repeat(3e6) };
      if (bad === "circular") {
        const state = {};
        state.self = state;
        return state;
      }
      return {
        gameId: "tiny",
        timestampMs: Date.now(),
        gameTimeMs: world.steps * 17,
        status: bad === "never-ready" ? "loading" : world.ended ? "terminal" : "playing",
        terminal: { isTerminal: world.ended !== null, outcome: world.ended?.outcome ?? null, reason: null },
        game_state: { score: scoreOf(), x: world.x, typed },
        metrics: { steps: world.steps },
      };
    },
  };
