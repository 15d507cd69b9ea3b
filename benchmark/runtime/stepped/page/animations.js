// CSS animations, transitions, Web Animations and SVG's: all paused, and moved by one frame at a time.
const allAnimations = Document.prototype.getAnimations;
const { pause: pauseNative, play: playNative, finish: finishNative } = Animation.prototype;
const cancelNative = Animation.prototype.cancel;
const reverseNative = Animation.prototype.reverse;
const timeOf = getOwnPropertyDescriptor(Animation.prototype, "currentTime");
const stateOf = getter(Animation, "playState");
const rateOf = getter(Animation, "playbackRate");
const effectOf = getter(Animation, "effect");
const timelineOf = getter(Animation, "timeline");
const timingOf = method(AnimationEffect, "getComputedTiming");
const ownTimeline = nativeDocument.timeline;
const followed = weakMap();

const follow = (animation) => {
  const state = apply(stateOf, animation, []);
  if (apply(timelineOf, animation, []) !== ownTimeline) return null;
  const record = setPrototypeOf({ playing: state === "running", iteration: 0 }, null);
  followed.set(animation, record);
  if (record.playing) {
    apply(pauseNative, animation, []);
    apply(timeOf.set, animation, [0]);
    conductor.wantRealFrame();
  }
  return record;
};
const moveOn = (animation, record) => {
  if (!record.playing) return;
  const effect = apply(effectOf, animation, []);
  const rate = apply(rateOf, animation, []);
  if (effect === null || rate === 0) return;
  const timing = apply(timingOf, effect, []);
  const time = (apply(timeOf.get, animation, []) ?? 0) + FRAME_MS * rate;
  if (rate > 0 ? time >= timing.endTime : time <= 0) {
    record.playing = false;
    apply(finishNative, animation, []);
    conductor.wantRealFrame();
    return;
  }
  apply(timeOf.set, animation, [time]);
  const { currentIteration } = apply(timingOf, effect, []);
  if (currentIteration !== record.iteration) {
    record.iteration = currentIteration;
    conductor.wantRealFrame();
  }
};
conductor.addStepping(() => {
  if (!live()) return;
  let animations;
  try {
    animations = apply(allAnimations, nativeDocument, []);
  } catch {
    return;
  }
  const count = animations.length;
  for (let i = 0; i < count; i += 1) {
    const animation = animations[i];
    const record = followed.get(animation);
    if (record) moveOn(animation, record);
    else follow(animation);
  }
  moveDrawings();
});

const resume = function () {
  const record = followed.get(this) ?? follow(this);
  if (record) record.playing = true;
};
replace(Animation.prototype, "play", function () {
  apply(playNative, this, []);
  const time = apply(timeOf.get, this, []) ?? 0;
  apply(pauseNative, this, []);
  apply(timeOf.set, this, [time]);
  apply(resume, this, []);
});
replace(Animation.prototype, "reverse", function () {
  apply(reverseNative, this, []);
  const time = apply(timeOf.get, this, []) ?? 0;
  apply(pauseNative, this, []);
  apply(timeOf.set, this, [time]);
  apply(resume, this, []);
});
replace(Animation.prototype, "pause", function () {
  apply(pauseNative, this, []);
  const record = followed.get(this) ?? follow(this);
  if (record) record.playing = false;
});
replace(Animation.prototype, "finish", function () {
  apply(finishNative, this, []);
  const record = followed.get(this);
  if (record) record.playing = false;
});
replace(Animation.prototype, "cancel", function () {
  const record = followed.get(this);
  if (record) record.playing = false;
  apply(cancelNative, this, []);
});
replaceGetter(Animation.prototype, "playState", function () {
  const state = apply(stateOf, this, []);
  return state === "paused" && followed.get(this)?.playing ? "running" : state;
});
const animateNative = Element.prototype.animate;
replace(Element.prototype, "animate", function (frames, options) {
  const animation = apply(animateNative, this, [frames, options]);
  follow(animation);
  return animation;
});

const SVG = "http://www.w3.org/2000/svg";
const byTag = Document.prototype.getElementsByTagNameNS;
const moving = list();
let movingKinds = 0;
for (const name of ["animate", "animateTransform", "animateMotion", "set"]) {
  moving[movingKinds] = apply(byTag, nativeDocument, [SVG, name]);
  movingKinds += 1;
}
const lengthOfCollection = getter(HTMLCollection, "length");
const itemOfCollection = method(HTMLCollection, "item");
const ownerOf = getter(SVGElement, "ownerSVGElement");
const pauseDrawing = method(SVGSVGElement, "pauseAnimations");
const setDrawingTime = method(SVGSVGElement, "setCurrentTime");
const drawings = weakMap();
const moveDrawings = () => {
  for (let kind = 0; kind < movingKinds; kind += 1) {
    const count = min(apply(lengthOfCollection, moving[kind], []), 200);
    for (let i = 0; i < count; i += 1) {
      let drawing = apply(ownerOf, apply(itemOfCollection, moving[kind], [i]), []);
      for (let outer = drawing; outer !== null; outer = apply(ownerOf, outer, [])) drawing = outer;
      if (drawing === null) continue;
      if (!drawings.has(drawing)) {
        apply(pauseDrawing, drawing, []);
        drawings.set(drawing, conductor.now());
      }
      apply(setDrawingTime, drawing, [(conductor.now() - drawings.get(drawing)) / 1000]);
    }
  }
};
