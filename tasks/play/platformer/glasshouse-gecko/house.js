// The glasshouse as cells: `#` stone, `.` air, `^` brambles, `A` and `B` gates. Built from the seed, and proven passable.

export const RANGE = 12; // cells that a leap can cross
export const DIRECTIONS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
const AROUND = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

export class House {
  constructor(columns, rows) {
    this.columns = columns;
    this.rows = rows;
    this.cells = Array.from({ length: rows }, (_, y) => Array.from({ length: columns }, (_, x) => (this.#edge(x, y) ? "#" : ".")));
  }

  #edge(x, y) {
    return x === 0 || y === 0 || x === this.columns - 1 || y === this.rows - 1;
  }

  at(x, y) {
    return this.cells[y]?.[x] ?? "#";
  }

  solid(x, y) {
    return "#AB".includes(this.at(x, y));
  }

  // A gecko can be wherever there is stone beside it, be it only a corner.
  holds(x, y) {
    return !this.solid(x, y) && AROUND.some(([dx, dy]) => this.solid(x + dx, y + dy));
  }

  // The cells a leap passes, to the last one before stone. null: there is no room, or the stone is too far.
  leap(x, y, [dx, dy]) {
    const path = [];
    while (path.length <= RANGE) {
      if (this.solid(x + dx, y + dy)) return path.length ? path : null;
      x += dx;
      y += dy;
      path.push([x, y]);
    }
    return null;
  }

  open(gate) {
    for (const row of this.cells) row.forEach((cell, x) => cell === gate && (row[x] = "."));
  }

  // All cells that can be touched from a place without touching brambles, and the cells where the gecko can stay.
  // `trap` says whether there is one among them with no way back to that place.
  reach(start) {
    const touched = new Set([`${start}`]);
    const stays = new Set([`${start}`]);
    const back = new Map(); // from where a cell is come to
    const queue = [start];
    while (queue.length) {
      const from = queue.shift();
      for (const path of this.moves(from)) {
        path.forEach((cell) => touched.add(`${cell}`));
        const end = `${path.at(-1)}`;
        if (!back.has(end)) back.set(end, []);
        back.get(end).push(`${from}`);
        if (stays.has(end)) continue;
        stays.add(end);
        queue.push(path.at(-1));
      }
    }
    const home = new Set([`${start}`]);
    for (const cell of home) for (const from of back.get(cell) ?? []) home.add(from); // a set grows while it is walked
    return { touched, stays, trap: home.size < stays.size };
  }

  // The paths of one crawl or one leap from a cell, those into brambles left out.
  moves([x, y]) {
    const free = (path) => path?.every(([px, py]) => this.at(px, py) !== "^");
    return Object.values(DIRECTIONS).flatMap((direction) => {
      const near = [x + direction[0], y + direction[1]];
      return [this.holds(...near) ? [near] : null, this.leap(x, y, direction)].filter(free);
    });
  }
}

const cellOf = (key) => key.split(",").map(Number);
const apart = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));

// plan: {columns, rows, chambers, fireflies, first, spread, brambles}. Tries until everything can be reached.
export function build(plan, random) {
  for (;;) {
    const found = attempt(plan, random);
    if (found) return found;
  }
}

function attempt(plan, random) {
  const house = new House(plan.columns, plan.rows);
  const walls = raiseWalls(house, plan, random);
  placeStones(house, plan, random, walls);
  const start = [2, plan.rows - 2];
  if (house.solid(...start)) return null;
  growBrambles(house, plan, random, start);
  const blossoms = [];
  const closed = new House(plan.columns, plan.rows);
  closed.cells = house.cells.map((row) => [...row]);
  for (const [i, wall] of walls.entries()) {
    const from = i ? walls[i - 1] : 0;
    const { stays, trap } = closed.reach(start);
    if (trap) return null;
    const spots = [...stays].map(cellOf).filter(([x, y]) => x > from + 3 && x < wall - 4 && apart([x, y], start) > 7);
    if (!spots.length) return null;
    const [x, y] = random.pick(spots);
    blossoms.push({ gate: "AB"[i], x, y });
    closed.open("AB"[i]);
  }
  const { touched, trap } = closed.reach(start);
  if (trap) return null;
  const fireflies = [];
  let first = 0; // of them in the first chamber
  const taken = [start, ...blossoms.map(({ x, y }) => [x, y])];
  for (const cell of random.shuffled([...touched].map(cellOf))) {
    if (fireflies.length === plan.fireflies) break;
    if (taken.some((one) => apart(one, cell) < plan.spread) || "AB".includes(house.at(...cell))) continue;
    if (walls.length && cell[0] < walls[0] && (apart(cell, start) < 8 || (first += 1) > plan.first)) continue;
    taken.push(cell);
    fireflies.push(cell);
  }
  return fireflies.length === plan.fireflies ? { house, start, blossoms, fireflies } : null;
}

// A wall from top to bottom for each further chamber, with a gate two cells high.
function raiseWalls(house, plan, random) {
  const walls = [];
  for (let i = 1; i < plan.chambers; i += 1) {
    const x = Math.round((plan.columns * i) / plan.chambers);
    const gap = random.whole(4, plan.rows - 7);
    for (let y = 1; y < plan.rows - 1; y += 1) house.cells[y][x] = y === gap || y === gap + 1 ? "AB"[i - 1] : "#";
    walls.push(x);
  }
  return walls;
}

// Planters, columns and beams: some stand on the ground or hang from above, none is closer than two cells to another.
function placeStones(house, plan, random, walls) {
  const wanted = Math.round((plan.columns * plan.rows) / 34);
  for (let tries = 0, placed = 0; tries < 600 && placed < wanted; tries += 1) {
    const tall = random.chance(0.45);
    const wide = tall ? random.whole(1, 2) : random.whole(3, 7);
    const high = tall ? random.whole(3, 6) : random.whole(1, 2);
    const x = random.whole(3, plan.columns - wide - 3);
    const y = random.pick([1, plan.rows - 1 - high, random.whole(3, plan.rows - high - 4), random.whole(3, plan.rows - high - 4)]);
    if (!clear(house, x, y, wide, high) || walls.some((wall) => wall > x - 4 && wall < x + wide + 3)) continue;
    for (let dy = 0; dy < high; dy += 1) for (let dx = 0; dx < wide; dx += 1) house.cells[y + dy][x + dx] = "#";
    placed += 1;
  }
}

function clear(house, x, y, wide, high) {
  for (let cy = Math.max(1, y - 2); cy <= Math.min(house.rows - 2, y + high + 1); cy += 1) {
    for (let cx = Math.max(1, x - 2); cx <= Math.min(house.columns - 2, x + wide + 1); cx += 1) {
      if (house.at(cx, cy) !== ".") return false;
    }
  }
  return x > 5 || y + high < house.rows - 4; // not over the nest
}

// Brambles grow in short patches along stone.
function growBrambles(house, plan, random, start) {
  for (let tries = 0, grown = 0; tries < 400 && grown < plan.brambles; tries += 1) {
    const x = random.whole(2, house.columns - 3);
    const y = random.whole(2, house.rows - 2);
    const [dx, dy] = random.pick([[1, 0], [0, 1]]);
    const patch = Array.from({ length: random.whole(1, 3) }, (_, i) => [x + dx * i, y + dy * i]);
    const beside = ([cx, cy]) => house.at(cx, cy) === "." && [[1, 0], [-1, 0], [0, 1], [0, -1]].some(([ex, ey]) => house.at(cx + ex, cy + ey) === "#");
    if (!patch.every((cell) => beside(cell) && apart(cell, start) > 5)) continue;
    for (const [cx, cy] of patch) house.cells[cy][cx] = "^";
    grown += 1;
  }
}
