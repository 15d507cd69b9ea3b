// Both roles make the same plan from the same state: which star is next, and whether the cloud must drink first.

const STRIDE = 60; // frames of the longest action

function decide(state, memory, task) {
  const game = state.game_state;
  const plan = nextPlan(game, memory);
  return task.role === "drizzle" ? cloud(game, plan) : dot(game, plan);
}

function nextPlan({ entities, player, pots, cloud: sky, sky: { cost, growth } }, memory) {
  let star = entities.find((one) => one.id === memory.star);
  const rise = (one) => Math.max(0, one.height - pots[one.pot].height);
  const late = (one) => Math.abs(one.x - player.x) / 4 + rise(one) / growth + 60 > one.left; // it will have faded
  const rating = (one) => one.left * 0.5 + Math.abs(one.x - player.x) + rise(one) * 0.7 + (late(one) ? 5000 : 0);
  if (!star && entities.length) star = entities.reduce((best, one) => (rating(one) < rating(best) ? one : best));
  memory.star = star?.id;
  const needed = star ? (Math.max(0, star.height - pots[star.pot].height) / growth) * cost + 14 : 50;
  const aloft = star && player.pot === star.pot && player.on !== "air"; // who is that far does not turn back
  if (sky.water >= 92 || (sky.water >= needed + 45)) memory.drink = false;
  else if (sky.water < (aloft ? 2 : needed)) memory.drink = true;
  return { star, drink: memory.drink === true };
}

const bounded = (value, low, high) => Math.max(low, Math.min(high, Math.round(value)));

function cloud({ cloud: sky, kettle, pots, player }, { star, drink }) {
  // a little against the wind, so that it is above the pot for longer
  const goal = (drink || !star ? kettle.x : pots[star.pot].x) - Math.sign(sky.wind) * Math.min(52, Math.abs(sky.wind) * 40);
  const off = goal - sky.x;
  const leaving = Math.sign(sky.wind) === -Math.sign(off); // the wind makes it worse
  if (Math.abs(off) > (leaving ? 48 : 16)) {
    const way = Math.sign(off);
    return { id: way < 0 ? "drift_left" : "drift_right", arguments: { frames: bounded(Math.abs(off) / (5 + sky.wind * way), 2, STRIDE) } };
  }
  if (drink || !star) return { id: "wait", arguments: { frames: STRIDE } };
  const missing = star.height - 14 - pots[star.pot].height;
  if (missing > 6) return { id: "rain", arguments: { frames: bounded(missing / 1.8, 4, STRIDE) } };
  return { id: "wait", arguments: { frames: player.pot === star.pot ? 12 : 30 } };
}

function dot({ player, kettle, pots }, { star, drink }) {
  if (drink || !star) return player.on === "ground" && Math.abs(kettle.x - player.x) <= 36 ? { id: "wait", arguments: { frames: STRIDE } } : to(player, kettle.x);
  const pot = pots[star.pot];
  const here = player.pot === star.pot;
  if (here && player.on === "leaf") {
    const way = Math.max(-52, Math.min(52, star.x - pot.x)) + pot.x - player.x;
    if (Math.abs(way) > 12) return to(player, player.x + way);
    const above = star.height - player.height;
    if (above > 56 && above < 118) return { id: "hop" };
    return { id: "wait", arguments: { frames: 14 } };
  }
  if (Math.abs(pot.x - player.x) > 18) return to(player, pot.x);
  return { id: "climb", arguments: { frames: bounded((Math.max(pot.height, star.height - 20) - player.height) / 3 + 4, 6, STRIDE) } };
}

function to(player, x) {
  const way = x - player.x;
  return { id: way < 0 ? "walk_left" : "walk_right", arguments: { frames: bounded(Math.abs(way) / 4, 2, STRIDE) } };
}
