// Solves for how much to blow and how much to swing, keeps the glass hot, and finishes when both sizes are close.

const MOST = 60; // frames at once: the heat must be looked at again

function decide(state) {
  const { player: glass, order, workshop } = state.game_state;
  if (!glass.ready) return { id: "wait" };
  const wide = order.width - glass.width;
  const long = order.length - glass.length;
  const close = order.tolerance * 0.55;
  if (Math.abs(wide) <= close && Math.abs(long) <= close) return { id: "finish" };
  if (glass.heat < 0.62) {
    const missing = (0.93 - glass.heat) / workshop.heating;
    return { id: "heat", arguments: { frames: bounded(missing, 5, 120) } };
  }
  const blow = (wide + 0.15 * long) / 1.0525; // both act on both sizes
  const swing = long - 0.35 * blow;
  if (blow <= close && swing <= close) return { id: "finish" };
  const longer = swing > blow;
  const amount = longer ? swing : blow - 2; // what the breath still does afterwards
  return { id: longer ? "swing" : "blow", arguments: { frames: bounded(needed(amount, glass.heat, workshop), 2, MOST) } };
}

// How many frames of work give so many pixels, while the glass cools.
function needed(pixels, heat, { stiff, growth, cooling, draught }) {
  let done = 0;
  let frames = 0;
  while (done < pixels && frames < MOST) {
    frames += 1;
    heat -= cooling * (draught > frames ? 2.5 : 1);
    done += (growth * Math.max(0, heat - stiff)) / (1 - stiff);
  }
  return frames;
}

function bounded(value, low, high) {
  return Math.max(low, Math.min(high, Math.round(value)));
}
