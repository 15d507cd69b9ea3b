// Plays the next second and a half in its head, for every short plan, and takes the first move of the best plan.

const LONGEST = { up: 14, down: 14, hop: 30 };
const RUNS = [8, 20, 40];
const LOOK = 96; // frames
const CLEAR = { blot: 30, hole: 6, snail: 44, quill: 999 }; // how high a hop must be over it
const NEAR = 6; // pixels: a plan that is as close as this to a hit is a bad one, but better than a hit

function decide(state) {
  const { player, entities } = state.game_state;
  const begin = { line: player.line, at: 0, time: 0, hurt: player.hurt };
  // what is still going on must end first
  if (player.hop > 2) return { id: "run", arguments: { frames: Math.max(4, player.hop) } };
  let best = null;
  const things = entities.map((one) => ({ ...one }));
  const search = (now, value, first, depth, used) => {
    if (now.time >= LOOK || depth === 0) {
      const rated = value / Math.max(40, now.time);
      if (!best || rated > best.rated) best = { rated, first };
      return;
    }
    for (const move of moves(now)) {
      const taken = new Set(used);
      const { end, gain } = play(now, move, things, player.full_speed, taken);
      search(end, value + gain - 0.35, first ?? move, depth - 1, taken);
    }
  };
  search(begin, 0, null, 4, new Set());
  const { id, frames } = best.first;
  return id === "run" ? { id, arguments: { frames: frames - 2 } } : { id };
}

function moves(now) {
  const list = RUNS.map((frames) => ({ id: "run", frames: frames + 2 }));
  if (now.line > 0) list.push({ id: "up", frames: LONGEST.up });
  if (now.line < 2) list.push({ id: "down", frames: LONGEST.down });
  list.push({ id: "hop", frames: LONGEST.hop });
  return list;
}

function play(now, move, things, speed, taken) {
  const to = now.line + (move.id === "up" ? -1 : move.id === "down" ? 1 : 0);
  let gain = 0;
  const hurt = now.hurt;
  for (const thing of things) {
    if (taken.has(thing.id)) continue;
    const hit = thing.width / 2 + (thing.kind === "hole" ? -8 : 22);
    const reach = thing.kind === "gold" ? hit - 4 : hit + NEAR;
    let cost = 0;
    if (thing.line !== now.line && thing.line !== to) continue;
    const nearing = speed + thing.speed;
    const first = Math.max(1, Math.ceil((thing.ahead - reach) / nearing) - now.time);
    const late = hurt * 0.3; // who was hurt runs slower
    const last = Math.min(move.frames, Math.floor((thing.ahead + reach) / nearing + late) - now.time);
    for (let frame = first; frame <= last; frame += 1) {
      if (thing.line !== (frame <= 6 ? now.line : to)) continue;
      const time = now.time + frame;
      const distance = thing.ahead - thing.speed * time - speed * (time - 0.3 * Math.min(time, hurt));
      if (Math.abs(distance) > reach) continue;
      const height = move.id === "hop" ? Math.sin((frame / 30) * Math.PI) * 96 : 0;
      if (thing.kind === "gold") {
        if (Math.abs(thing.height - 30 - height) > 44) continue;
        gain += 1;
        taken.add(thing.id);
        break;
      }
      if (hurt > time || height > CLEAR[thing.kind] + NEAR) continue;
      cost = Math.max(cost, Math.abs(distance) <= hit + 1 && height <= CLEAR[thing.kind] + 1 ? 25 : 4);
    }
    if (cost) taken.add(thing.id);
    gain -= cost;
  }
  return { end: { line: to, time: now.time + move.frames, hurt }, gain };
}
