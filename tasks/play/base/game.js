// A whole game out of what an author writes: see docs/games.md.

import { offerApi } from "./api.js";
import { Input } from "./input.js";
import { runLoop } from "./loop.js";
import { Pen, loadPictures } from "./pen.js";
import { seeded } from "./random.js";
import { THEME, drawEnd, drawHud, drawTitle } from "./screens.js";

const PRESS_AGAIN_STEPS = 30; // after the end: whoever still holds a key does not begin again by it

class Session {
  constructor(game) {
    this.game = game;
    this.status = "loading";
    this.seed = 1;
    this.level = 1;
    this.firstLevel = 1; // that a reset goes back to
    this.levelsCompleted = 0;
    this.attempts = 0;
    this.steps = 0;
    this.sinceEnd = 0;
    this.world = null;
    this.ended = null;
    this.pictures = {};
    this.drawsOnDemand = false;
  }

  // `before` is the world of the level that was just completed, where a game goes on by itself.
  create(before = null) {
    this.world = this.game.create({ level: this.level, random: seeded(this.seed, this.level), before });
    this.ended = null;
    this.sinceEnd = 0;
  }

  begin(level, seed) {
    this.level = this.firstLevel = level;
    this.seed = seed;
    this.attempts += 1;
    this.levelsCompleted = 0;
    this.steps = 0;
    this.input.clear();
    this.create();
    this.status = "playing";
  }

  step() {
    this.input.beginStep();
    if (this.status === "menu") this.#menu();
    else if (this.status === "playing") this.#play();
    else if (this.status === "terminal") this.#after();
  }

  #menu() {
    for (let level = 1; level <= Math.min(9, this.game.levels); level += 1) {
      if (this.input.pressed(String(level))) {
        this.level = level;
        this.create();
      }
    }
    if (this.input.pressed("Enter") || this.input.pointer.clicked) this.begin(this.level, this.seed);
  }

  #play() {
    this.steps += 1;
    this.game.step(this.world, this.input);
    const ended = this.game.over(this.world);
    if (!ended) return;
    if (ended.outcome === "success") this.levelsCompleted += 1;
    if (ended.outcome === "success" && this.game.chain && this.level < this.game.levels) {
      this.level += 1;
      this.create(this.world);
      return;
    }
    this.ended = ended;
    this.status = "terminal";
  }

  #after() {
    this.sinceEnd += 1;
    if (this.sinceEnd < PRESS_AGAIN_STEPS || !this.input.pressed("Enter")) return;
    const up = this.ended.outcome === "success" && this.level < this.game.levels ? 1 : 0;
    this.begin(this.level + up, this.seed);
  }

  draw(pen) {
    pen.begin();
    if (!this.world) {
      pen.fill("#10131c");
      pen.text("…", pen.width / 2, pen.height / 2, { size: 40 });
      return;
    }
    this.game.draw(pen, this.world, this.pictures);
    pen.begin();
    if (this.game.hud) drawHud(pen, this.game.hud(this.world, this.level));
    if (this.status === "menu") drawTitle(pen, this.game, this.level);
    if (this.status === "terminal") drawEnd(pen, this.ended.outcome, this.ended.reason, "Enter plays again");
  }
}

const DEFAULTS = { levels: 1, chain: false, how: [], theme: {}, width: 1280, height: 720, pictures: {}, hud: null };

export function startGame(given) {
  const game = { ...DEFAULTS, ...given };
  for (const part of ["id", "title", "create", "step", "draw", "state", "over"]) {
    if (!game[part]) throw new Error(`startGame: ${part} is missing`);
  }
  document.title = game.title;
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const pen = new Pen(canvas, game.width, game.height, { ...THEME, ...game.theme });
  const session = new Session(game);
  session.input = new Input(canvas, game.width, game.height);
  const fit = () => {
    const shown = Math.min(window.innerWidth / game.width, window.innerHeight / game.height);
    canvas.style.width = `${Math.floor(game.width * shown)}px`;
    canvas.style.height = `${Math.floor(game.height * shown)}px`;
    pen.fit(shown * (window.devicePixelRatio || 1));
    session.draw(pen);
  };
  window.addEventListener("resize", fit);
  session.loaded = loadPictures(game.pictures).then((pictures) => {
    session.pictures = pictures;
    if (session.status !== "loading") return;
    session.create();
    session.status = "menu";
  });
  fit();
  offerApi(session, () => session.draw(pen));
  runLoop(
    () => session.step(),
    () => session.draw(pen),
    () => !session.drawsOnDemand,
  );
}
