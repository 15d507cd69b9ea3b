// Weighs one jar after the other against brass, each time in the middle of what it can still be, and serves as soon as jars it knows fit.

function decide(state) {
  const { shop, order, notebook } = state.game_state;
  const known = Object.fromEntries(shop.jars.map((jar) => [jar, [1, shop.heaviest]]));
  for (const note of notebook) if (!note.old && note.left.length === 1) learn(known[note.left], note, shop.reads);
  const sure = shop.jars.filter((jar) => known[jar][0] === known[jar][1]);
  const mixture = fitting(sure, order, (jar) => known[jar][0]);
  if (mixture) return { id: "serve", arguments: { line: mixture } };
  const open = shop.jars.filter((jar) => !sure.includes(jar) && jar !== order.without);
  if (!open.length || shop.candle === 0) {
    const guess = fitting(shop.jars, order, (jar) => Math.round((known[jar][0] + known[jar][1]) / 2));
    return { id: "serve", arguments: { line: guess || shop.jars.filter((jar) => jar !== order.without).slice(0, order.jars).join("") } };
  }
  const width = (jar) => known[jar][1] - known[jar][0];
  const jar = open.reduce((best, one) => (width(one) < width(best) ? one : best));
  return { id: "weigh", arguments: { line: `${jar}v${brass(Math.floor((known[jar][0] + known[jar][1]) / 2))}` } };
}

function learn(range, { right, lean, difference }, reads) {
  const against = [...right].reduce((sum, one) => sum + Number(one), 0);
  if (difference !== null) range[0] = range[1] = against + difference;
  else if (lean > 0) range[0] = Math.max(range[0], against + reads + 1);
  else range[1] = Math.min(range[1], against - reads - 1);
}

// Brass of a total: 13 is 9 and 4.
function brass(total) {
  let left = total;
  let line = "";
  for (let one = 9; one > 0; one -= 1) {
    if (one > left) continue;
    line += one;
    left -= one;
  }
  return line;
}

function fitting(jars, order, weight, from = 0, chosen = "", total = 0) {
  if (chosen.length === order.jars) return total === order.grains ? chosen : "";
  for (let i = from; i < jars.length; i += 1) {
    if (jars[i] === order.without) continue;
    const found = fitting(jars, order, weight, i + 1, chosen + jars[i], total + weight(jars[i]));
    if (found) return found;
  }
  return "";
}
