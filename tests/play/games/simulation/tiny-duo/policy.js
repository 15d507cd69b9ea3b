function decide(state, memory, task) {
  return { id: "push" };
}
