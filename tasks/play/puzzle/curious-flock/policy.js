// Knows the rules, looks for the shortest way through a field once, and barks it.

function decide(state, memory) {
  const game = state.game_state;
  if (!game.ready) return { id: "bark", arguments: { cell: game.hedges[0] } }; // a hedge: costs nothing while the sheep run
  const flock = game.entities.map((one) => (one.home ? -1 : place(one.cell)));
  if (!memory.plan?.length || memory.expected !== flock.join(" ")) memory.plan = way(read(game), flock, game.barks_left);
  if (!memory.plan?.length) return { id: "begin_again" };
  const { cell, after } = memory.plan.shift();
  memory.expected = after;
  return { id: "bark", arguments: { cell } };
}

// A board with a rim of hedges: no step ever leaves it.
const WIDE = 12;
const SIDES = [1, -1, WIDE, -WIDE];
const OPEN = 0;
const SOLID = 1;
const CLOVER = 2;
const FOLD = 3; // sound goes over it, the dog cannot stand there
const place = (name) => name.charCodeAt(0) - 96 + WIDE * Number(name.slice(1));
const nameOf = (one) => String.fromCharCode(96 + (one % WIDE)) + Math.floor(one / WIDE);

function read(game) {
  const ground = new Array(WIDE * (game.board.rows + 2)).fill(SOLID);
  for (let y = 1; y <= game.board.rows; y += 1) ground.fill(OPEN, y * WIDE + 1, y * WIDE + 1 + game.board.columns);
  for (const name of game.clover) ground[place(name)] = CLOVER;
  for (const name of game.hedges) ground[place(name)] = SOLID;
  for (const name of Object.values(game.folds)) ground[place(name)] = FOLD;
  const black = game.entities.map((one) => one.kind === "black");
  return { ground, black, folds: black.map((dark) => place(dark ? game.folds.black : game.folds.white)) };
}

function way(field, flock, most) {
  const seen = new Set([flock.join(" ")]);
  let edge = [{ flock, path: null }];
  for (let barks = 0; barks < most && edge.length; barks += 1) {
    const next = [];
    for (const { flock: now, path } of edge) {
      for (const at of worthwhile(field, now)) {
        const after = bark(field, now, at);
        const name = after.join(" ");
        if (seen.has(name)) continue;
        seen.add(name);
        const here = { cell: nameOf(at), after: name, before: path };
        if (after.every((one) => one < 0)) return unrolled(here);
        next.push({ flock: after, path: here });
      }
    }
    edge = next;
  }
  return null;
}

function unrolled(last) {
  const steps = [];
  for (let one = last; one; one = one.before) steps.unshift({ cell: one.cell, after: one.after });
  return steps;
}

// The empty cells that some sheep can hear.
function worthwhile(field, flock) {
  const found = new Set();
  for (const one of flock) {
    if (one < 0) continue;
    for (const side of SIDES) {
      for (let at = one + side; field.ground[at] !== SOLID && !flock.includes(at); at += side) {
        if (field.ground[at] !== FOLD) found.add(at);
      }
    }
  }
  return found;
}

function bark(field, flock, dog) {
  const after = [...flock];
  for (const side of SIDES) {
    let at = dog + side;
    while (field.ground[at] !== SOLID && !flock.includes(at)) at += side;
    const heard = flock.indexOf(at);
    if (heard < 0) continue;
    const way = field.black[heard] ? -side : side;
    const fold = field.folds[heard];
    for (;;) {
      const to = at + way;
      const closed = field.ground[to] === SOLID || (field.ground[to] === FOLD && to !== fold);
      if (closed || flock.includes(to) || to === dog) break;
      at = to;
      if (at === fold || field.ground[at] === CLOVER) break;
    }
    after[heard] = at === fold ? -1 : at;
  }
  return after;
}
