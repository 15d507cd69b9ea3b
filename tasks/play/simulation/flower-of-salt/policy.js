// Floods what pays most for its time, covers what rain would spoil, rakes in green, and unloads in good time.

const WATCH = 100;
const SUN = [1, 1.5, 1, 0.12];
const COARSE = 1.5;
const RAIN = 1 / 130;
const WALK = 16; // steps that an order takes, walk included, before its work is done
const MOST_BUSY = 8; // pans that stand full at the same time
const MATTED = 0.1; // less than that is not worth a mat

function decide(state) {
  const game = state.game_state;
  if (game.orders.length >= 2) return { id: "wait", arguments: { frames: 40 } };
  const jobs = chores(game).filter((job) => !game.orders.some((order) => order.pan === job.pan && order.kind === job.kind));
  jobs.sort((a, b) => b.worth - a.worth);
  const best = jobs[0];
  if (!best || best.worth <= 0) return { id: "wait", arguments: { frames: soon(game) } };
  if (best.kind === "unload") return { id: "unload" };
  return { id: best.kind, arguments: { pan: best.pan } };
}

function chores(game) {
  const ready = 24 + 28 * game.orders.length; // steps until a new order is done
  const raking = game.orders.filter((order) => order.kind === "work").map((order) => game.entities.find((pan) => pan.id === order.pan));
  const coming = raking.reduce((sum, pan) => sum + (pan.content === "flower" ? pan.yields : 0), 0);
  const unloading = game.orders.some((order) => order.kind === "unload");
  const room = unloading ? 12 : game.barrow_room - coming;
  const flooding = raking.filter((pan) => pan.content === "empty").length;
  const full = game.entities.filter((pan) => pan.content !== "empty" && pan.content !== "mud");
  const busy = full.length + flooding;
  const ripening = full.filter((pan) => pan.content === "brine").map((pan) => ripeIn(game, pan, 0, pan.dry));
  for (const pan of raking) if (pan.content === "empty") ripening.push(ripeIn(game, pan, ready));
  const jobs = [];
  for (const pan of game.entities) {
    const after = forecast(game, pan, ready);
    const value = after >= 1 && after < COARSE ? pan.yields : after >= COARSE ? 1 : 0;
    const open = pan.content !== "empty" && pan.content !== "mud";
    if (open && pan.mat) {
      const dry = [0, 30, 60, 90].every((time) => !rainsAt(game, ready + time));
      if (dry) jobs.push({ kind: "mat", pan: pan.id, worth: 6 + pan.dry * 4 });
    } else if (open && (pan.content !== "brine" || forecast(game, pan, 20 + 22 * game.orders.length) > 1.01)) {
      const late = 1 + Math.max(0, pan.dry - 1.15) * 6;
      if (room >= value && value > 0) jobs.push({ kind: "work", pan: pan.id, worth: value * 3 * late });
      else if (pan.content === "bitter") jobs.push({ kind: "work", pan: pan.id, worth: 3 });
    } else if (open) {
      const lost = pan.dry - dryAfter(game, pan, ready, 100);
      if (rainsAt(game, ready) && game.mats > 0 && pan.dry > MATTED && lost > 0.1) jobs.push({ kind: "mat", pan: pan.id, worth: pan.dry * pan.yields * 4 });
    } else if (pan.content === "mud") {
      jobs.push({ kind: "work", pan: pan.id, worth: 1 });
    } else if (!pan.mat && game.basin - flooding > 0 && busy < MOST_BUSY) {
      const ripe = ripeIn(game, pan, ready);
      const together = ripening.filter((time) => Math.abs(time - ripe) < 45).length;
      if (together < 2 && ripe + 90 < game.steps_left) jobs.push({ kind: "work", pan: pan.id, worth: (pan.yields * 300) / (ripe + 60) });
    }
  }
  const load = game.barrow + coming;
  const last = game.steps_left < 110 && load > 0;
  if (!unloading && load > 0) {
    const enough = game.score + load >= game.order;
    const waiting = game.entities.filter((pan) => pan.content === "flower").length;
    jobs.push({ kind: "unload", pan: null, worth: last || enough ? 99 : load >= 7 ? 9 + load + waiting * 2 : 0 });
  }
  return jobs;
}

function soon(game) {
  const times = game.entities.filter((pan) => pan.content === "brine" && !pan.mat).map((pan) => ripeIn(game, { ...pan }, 0, pan.dry) - WALK);
  const until = Math.min(...times, game.watch_left + 4, 90);
  return Math.round(Math.max(10, until));
}

function weatherAt(game, ahead) {
  const watch = ahead < game.watch_left ? 0 : 1 + Math.floor((ahead - game.watch_left) / WATCH);
  return { weather: game.weather[Math.min(watch, game.weather.length - 1)], sun: SUN[(game.watch + watch) % 4] };
}

const rainsAt = (game, ahead) => [ahead, ahead + 20].some((time) => weatherAt(game, time).weather === "rain");

function change(game, pan, ahead) {
  const { weather, sun } = weatherAt(game, ahead);
  return weather === "rain" ? -RAIN : ((weather === "cloud" ? 0.4 : 1) * sun * pan.drying) / 300;
}

function dryAfter(game, pan, from, steps) {
  let dry = pan.dry;
  for (let i = from; i < from + steps; i += 1) dry = Math.max(0, dry + change(game, pan, i));
  return dry;
}

const forecast = (game, pan, steps) => (pan.mat ? pan.dry : dryAfter(game, pan, 0, steps));

function ripeIn(game, pan, from, begin = 0) {
  let dry = begin;
  for (let i = from; i < from + 900; i += 1) {
    dry = Math.max(0, dry + change(game, pan, i));
    if (dry >= 1) return i;
  }
  return 900;
}
