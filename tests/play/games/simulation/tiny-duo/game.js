// Two players, one key each; a point for each step in which a key is held. Both together count once more.
import { startGame } from "/base/game.js";

startGame({
  id: "simulation/tiny-duo",
  title: "Tiny Duo",
  how: ["a and l"],
  levels: 3,
  create: ({ level, random }) => ({ left: 0, right: 0, both: 0, level, luck: random.whole(1, 1000) }),
  step(world, input) {
    const [left, right] = [input.held("a"), input.held("l")];
    world.left += left ? 1 : 0;
    world.right += right ? 1 : 0;
    world.both += left && right ? 1 : 0;
  },
  over: () => null,
  state: (world) => ({ score: world.left + world.right, progress: 0, left: world.left, right: world.right, both: world.both, luck: world.luck }),
  draw(pen, world) {
    pen.fill("#203040");
    pen.circle(300, 400 - world.left, 40, "#fc6");
    pen.circle(900, 400 - world.right, 40, "#6cf");
  },
  hud: (world) => [["Left", world.left], ["Right", world.right]],
});
