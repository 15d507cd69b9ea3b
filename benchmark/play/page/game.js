// Everything that is asked of a game's page, in one function: (given) => answer. Nothing of it stays in the page.
async (given) => {
  const apiOf = (view) => {
    try {
      if (view.gameAPI && typeof view.gameAPI.getState === "function") return view.gameAPI;
      for (let i = 0; i < Math.min(view.length, 8); i += 1) {
        const found = apiOf(view[i]); // games in a frame of their page
        if (found) return found;
      }
    } catch {
      return null; // a frame of another address
    }
    return null;
  };
  const api = apiOf(window);
  if (given.ask === "there") return api !== null;
  if (given.ask === "focus") {
    window.focus();
    const canvas = document.querySelector("canvas");
    if (canvas && canvas.tabIndex >= 0) canvas.focus();
    return true;
  }
  if (given.ask === "pixels") return pixels();
  if (api === null) return given.ask === "outcome" ? { gone: true } : { missing: true };
  const asked = Symbol.for("what the game was asked to do");
  if (given.ask === "outcome") return window[asked] ?? { gone: true }; // gone: the page was loaded again since
  if (given.ask === "begin" || given.ask === "reset") {
    const begin = given.ask === "begin" ? api.init : api.reset;
    const outcome = (window[asked] = { done: false });
    const finish = (answer) => Object.assign(outcome, { done: true }, answer);
    // Not awaited here: a game may want frames to pass first, or load its page again and never answer.
    (async () => (typeof begin === "function" ? ((await begin.call(api, given.options)) ?? {}) : {}))().then(
      (answer) => finish({ ok: answer.ok !== false, notes: [].concat(answer.notes ?? []).map(String).slice(0, 20) }),
      (error) => finish({ ok: false, notes: [String(error).slice(0, 300)] }),
    );
    return { started: typeof begin === "function" || given.ask === "begin" };
  }
  if (given.on_demand && api.capabilities?.supports_draw_on_demand === true) {
    api.drawOnDemand(true); // drawing is most of what a frame costs, and frames between two looks are seen by nobody
    api.draw();
  }
  const state = await api.getState();
  // A number that is none has no place in JSON, and must not become null unseen.
  const text = JSON.stringify(state, (_, value) => (typeof value === "number" && !Number.isFinite(value) ? `not a number: ${value}` : value));
  return { text: text ?? null, pixels: given.pixels ? pixels() : null };

  // A hash of all pixels, where the whole picture is one canvas; null elsewhere: then a screenshot is hashed.
  function pixels() {
    const canvases = document.querySelectorAll("canvas");
    if (canvases.length !== 1 || document.body.childElementCount !== 1 || document.body.firstElementChild !== canvases[0]) return null;
    const [canvas] = canvases;
    const context = canvas.getContext("2d");
    if (!context || !canvas.width || !canvas.height) return null;
    let data;
    try {
      data = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    } catch {
      return null;
    }
    // Two sums of 32 bits that depend on every pixel and its place.
    let one = 0x811c9dc5;
    let two = data.length;
    for (let i = 0; i < data.length; i += 1) {
      one = Math.imul(one ^ data[i], 0x01000193);
      two = (Math.imul(two, 31) + data[i]) | 0;
    }
    return `${canvas.width}x${canvas.height}-${(one >>> 0).toString(16).padStart(8, "0")}${(two >>> 0).toString(16).padStart(8, "0")}`;
  }
}
