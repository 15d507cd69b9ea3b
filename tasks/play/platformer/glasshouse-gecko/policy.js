// Finds the way with the fewest actions to the next firefly or blossom, and takes the first action of it.

const DIRECTIONS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
const AROUND = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];
const RANGE = 12;
const FARTHEST = 15; // cells of one crawl

function decide(state, memory) {
  const { house, player, entities } = state.game_state;
  if (memory.caught !== entities.length) memory.plan = [];
  memory.caught = entities.length;
  if (!memory.plan?.length || memory.at !== `${player.x},${player.y}`) {
    memory.plan = find(house, [player.x, player.y], new Set(entities.map((one) => `${one.x},${one.y}`)));
  }
  const next = memory.plan.shift();
  if (!next) return { id: "leap_up" };
  memory.at = `${next.end}`;
  return next.action;
}

const solid = (house, x, y) => "#AB".includes(house[y]?.[x] ?? "#");
const holds = (house, x, y) => !solid(house, x, y) && AROUND.some(([dx, dy]) => solid(house, x + dx, y + dy));

function find(house, start, wanted) {
  const seen = new Set([`${start}`]);
  let queue = [{ cell: start, plan: [] }];
  let best = null;
  while (queue.length && !best) {
    const further = [];
    for (const { cell, plan } of queue) {
      for (const { action, path } of actions(house, cell)) {
        const end = path.at(-1);
        const found = path.filter((one) => wanted.has(`${one}`)).length;
        const longer = [...plan, { action, end }];
        if (found && (!best || found > best.found)) best = { found, plan: longer };
        if (seen.has(`${end}`)) continue;
        seen.add(`${end}`);
        further.push({ cell: end, plan: longer });
      }
    }
    queue = further;
  }
  return best?.plan ?? [];
}

function actions(house, [x, y]) {
  const list = [];
  for (const [name, [dx, dy]] of Object.entries(DIRECTIONS)) {
    const crawl = [];
    while (crawl.length < FARTHEST) {
      const next = [x + dx * (crawl.length + 1), y + dy * (crawl.length + 1)];
      if (!holds(house, ...next) || house[next[1]][next[0]] === "^") break;
      crawl.push(next);
      list.push({ action: { id: `crawl_${name}`, arguments: { frames: crawl.length * 6 - 2 } }, path: [...crawl] });
    }
    const leap = [];
    for (;;) {
      const next = [x + dx * (leap.length + 1), y + dy * (leap.length + 1)];
      if (solid(house, ...next) || leap.length > RANGE) break;
      leap.push(next);
    }
    if (leap.length && leap.length <= RANGE && !leap.some((one) => house[one[1]][one[0]] === "^")) list.push({ action: { id: `leap_${name}` }, path: leap });
  }
  return list;
}
