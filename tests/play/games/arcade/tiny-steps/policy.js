function decide(state, memory, task) {
  memory.asked = (memory.asked ?? 0) + 1;
  return state.game_state.score < task.target ? { id: "right" } : { id: "wait" };
}
