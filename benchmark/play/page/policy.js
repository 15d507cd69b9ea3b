// A package's policy, in a page of its own: loaded once, then asked for one decision after another.
(given) => {
  if (given.source !== undefined) {
    const decide = new Function(`"use strict";${given.source}\n;return decide;`)();
    if (typeof decide !== "function") throw new Error("policy.js has no function decide");
    window.policy = { decide, memories: new Map() };
    return true;
  }
  const { decide, memories } = window.policy;
  const role = given.task.role;
  if (!memories.has(role)) memories.set(role, {});
  const answer = decide(given.state, memories.get(role), given.task) ?? {};
  return { id: String(answer.id ?? ""), arguments: answer.arguments ?? {} };
}
