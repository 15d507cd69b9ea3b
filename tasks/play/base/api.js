// window.gameAPI: how a harness starts a game, starts it again, and reads its state.

export const API_VERSION = "1.0";
export const SCHEMA_VERSION = "2.0";

export function offerApi(session, draw) {
  const begin = async (options = {}) => {
    const notes = [];
    const accepted = {};
    const seed = whole(options.seed, 0, 4294967295);
    const level = whole(options.level, 1, session.game.levels);
    if (seed !== null) accepted.seed = seed;
    else if (options.seed !== undefined && options.seed !== null) notes.push("seed must be a whole number");
    if (level !== null) accepted.level = level;
    else if (options.level !== undefined && options.level !== null) notes.push(`level must be from 1 to ${session.game.levels}`);
    await session.loaded;
    session.begin(accepted.level ?? session.firstLevel, accepted.seed ?? session.seed);
    return { ok: notes.length === 0, method: "inplace", accepted, applied: { seed: session.seed, level: session.level }, notes };
  };
  window.gameAPI = Object.freeze({
    version: API_VERSION,
    capabilities: Object.freeze({
      supports_seed: true,
      supports_level_select: session.game.levels > 1,
      supports_inplace_reset: true,
      supports_reload_reset: true,
      provides_actionable_flag: true,
      supports_draw_on_demand: true,
    }),
    init: begin,
    reset: begin,
    getState: () => stateOf(session),
    // Drawing changes nothing in the game, so frames that nobody sees need no picture: after drawOnDemand(true) the
    // game draws when draw() is called.
    drawOnDemand: (wanted) => {
      session.drawsOnDemand = wanted === true;
    },
    draw,
  });
}

function stateOf(session) {
  const said = session.world ? session.game.state(session.world) : {};
  const { score = 0, progress = 0, metrics = {}, debug = {}, ...rest } = said;
  const ended = session.ended;
  return {
    schemaVersion: SCHEMA_VERSION,
    gameId: session.game.id,
    seed: session.seed,
    timestampMs: Date.now(),
    gameTimeMs: Math.round((session.steps * 1000) / 60),
    status: session.status,
    is_actionable: session.status === "playing",
    terminal: { isTerminal: ended !== null, outcome: ended?.outcome ?? null, reason: ended?.reason ?? null },
    game_state: { score, level: session.level, completion_progress: progress, player: null, entities: [], ...rest },
    metrics: { primary_score: score, levels_completed: session.levelsCompleted, attempts: session.attempts, ...metrics },
    debug,
  };
}

function whole(value, low, high) {
  const number = typeof value === "string" && value.trim() ? Number(value) : value;
  return Number.isInteger(number) && number >= low && number <= high ? number : null;
}
