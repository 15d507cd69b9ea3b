// Steps of exactly 1/60 s, driven by requestAnimationFrame, however fast the screen is.

const PER_SECOND = 60;
const MOST_AT_ONCE = 6; // a page that was hidden for a while goes on; it does not catch up

// `draws()` says whether each frame is drawn; a harness that looks only now and then asks for pictures itself.
export function runLoop(step, draw, draws) {
  let origin = null;
  let done = 0;
  const frame = (now) => {
    requestAnimationFrame(frame);
    origin ??= now - 1000 / PER_SECOND;
    // Rounded, so that a clock of exact frames gives exactly one step per frame.
    const due = Math.round(((now - origin) * PER_SECOND) / 1000);
    if (due - done > MOST_AT_ONCE) done = due - MOST_AT_ONCE;
    if (due === done) return;
    for (; done < due; done += 1) step();
    if (draws()) draw();
  };
  requestAnimationFrame(frame);
}
