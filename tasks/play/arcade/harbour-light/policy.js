// Turns to the boat that is nearest to the rocks, and stays on it until it is saved.

function decide(state, memory) {
  const { angle, half_beam: half } = state.game_state.player;
  const boats = state.game_state.entities;
  if (!boats.length) return { id: "wait" };
  const chosen = boats.find((boat) => boat.id === memory.chosen && boat.lit > 0.2) ?? urgent(boats, angle);
  memory.chosen = chosen.id;
  const off = chosen.angle - angle;
  if (Math.abs(off) <= half * 0.8) return { id: "wait" };
  const side = off < 0 ? "left" : "right";
  return { id: Math.abs(off) > 0.5 ? `turn_${side}` : `nudge_${side}` };
}

function urgent(boats, angle) {
  const need = (boat) => boat.distance + Math.abs(boat.angle - angle) * 90;
  return boats.reduce((best, boat) => (need(boat) < need(best) ? boat : best));
}
