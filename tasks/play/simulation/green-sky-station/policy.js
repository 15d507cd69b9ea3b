// Each person has a place that is best now; the most urgent move is made, and else time passes.

const LOW = 22; // energy: to bed
const RESTED = 92;
const FALLS = { warmth: 6.5, machines: 3, food: 2.8, water: 2.6 }; // in an hour, at the worst

function decide(state, memory) {
  const { needs, stores, sky, entities } = state.game_state;
  const crew = Object.fromEntries(entities.map((one) => [one.id, one]));
  memory.asleep ??= {};
  for (const one of entities) {
    if (one.energy < LOW || one.collapsed) memory.asleep[one.id] = true;
    else if (one.energy > RESTED) memory.asleep[one.id] = false;
  }
  const raised = { engine: "warmth", workshop: "machines", garden: "food", well: "water" };
  const cared = [raised[crew.ada.room], raised[crew.bo.room]];
  const soon = (need) => needs[need] - (cared.includes(need) ? 0 : 7 * FALLS[need]); // in seven hours
  const alarm = Object.keys(FALLS).some((need) => soon(need) < 28);
  const clearSoon = sky.now === "clear" || (sky.next === "clear" && sky.hours_left < 1.6);
  const wanted = {
    ada: lower(crew.ada.room, "engine", needs.warmth, "workshop", needs.machines),
    bo: lower(crew.bo.room, "garden", needs.food, "well", needs.water),
    cleo: sky.now === "storm" ? "bunks" : stores.cores > 11 ? "well" : "drill",
    dag: stores.cores > 0.8 || (crew.dag.room === "lab" && stores.cores > 0.1) || sky.now === "storm" ? "lab" : "drill",
    edda: clearSoon && stores.findings > 0.4 ? "radio" : "lab",
  };
  // who keeps the station going sleeps early, while the gauges are high, and gets up when one is low
  if (crew.ada.energy < 75 && needs.warmth > 80 && needs.machines > 60) memory.asleep.ada = true;
  if (crew.bo.energy < 75 && needs.food > 70 && needs.water > 70) memory.asleep.bo = true;
  if (!clearSoon && crew.edda.energy < 65) memory.asleep.edda = true;
  if (clearSoon && crew.edda.energy > 40) memory.asleep.edda = false;
  if (Math.min(needs.warmth, needs.machines) < 35 && crew.ada.energy > 12) memory.asleep.ada = false;
  if (Math.min(needs.food, needs.water) < 30 && crew.bo.energy > 12) memory.asleep.bo = false;
  for (const id of clearSoon ? ["edda", "ada", "bo", "dag", "cleo"] : ["ada", "bo", "dag", "cleo", "edda"]) {
    const one = crew[id];
    if (one.walking || one.collapsed) continue;
    const room = memory.asleep[id] ? "bunks" : wanted[id];
    if (one.room !== room) return { id: "send", arguments: { who: id, room } };
  }
  return { id: alarm || sky.hours_left < 3.2 ? "wait" : "wait_long" };
}

// The lower of two gauges, and no change for a small difference.
function lower(now, first, firstValue, second, secondValue) {
  if (now === first && firstValue < secondValue + 25) return first;
  if (now === second && secondValue < firstValue + 25) return second;
  return firstValue <= secondValue ? first : second;
}
