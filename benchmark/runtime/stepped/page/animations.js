// CSS animations, transitions and Web Animations: all paused, and moved by one frame at a time.
// Animated pictures and SVG's own animations have no such handle: an option of the browser keeps them on their first frame.
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
  const record = setPrototypeOf({ playing: state === "running", iteration: 0, rate: 0, set: 0, from: 0, since: 0, new: false }, null);
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
  if (record.new) { // begun when the page stood still: this is its first frame
    record.new = false;
    return;
  }
  const effect = apply(effectOf, animation, []);
  const rate = apply(rateOf, animation, []);
  if (effect === null || rate === 0) return;
  const timing = apply(timingOf, effect, []);
  const shown = apply(timeOf.get, animation, []) ?? 0;
  if (shown !== record.set || rate !== record.rate) { // begun, or moved by the page
    record.from = shown;
    record.since = conductor.frame() - 1;
    record.rate = rate;
  }
  const time = record.from + (conductor.frame() - record.since) * FRAME_MS * rate; // a sum would lose its last digits
  if (rate > 0 ? time >= timing.endTime : time <= 0) {
    record.playing = false;
    apply(finishNative, animation, []);
    conductor.wantRealFrame();
    return;
  }
  apply(timeOf.set, animation, [time]);
  record.set = apply(timeOf.get, animation, []);
  const { currentIteration } = apply(timingOf, effect, []);
  if (currentIteration !== record.iteration) {
    record.iteration = currentIteration;
    conductor.wantRealFrame();
  }
};
const forEachAnimation = (act) => {
  if (!live()) return;
  let animations;
  try {
    animations = apply(allAnimations, nativeDocument, []);
  } catch {
    return;
  }
  const count = animations.length;
  for (let i = 0; i < count; i += 1) act(animations[i], followed.get(animations[i]));
};
conductor.addStepping(() => forEachAnimation((animation, record) => {
  if (record) moveOn(animation, record);
  else follow(animation);
}));
// What has begun since the last frame, by input or because something lies under the pointer now, must not run on by itself.
conductor.addAtRest(() => forEachAnimation((animation, record) => {
  if (record) return;
  const begun = follow(animation);
  if (begun) begun.new = true;
}));

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

// The browser fires the events of animations where it draws. Frames wait for that only once somebody listens: a wait takes
// as long as a frame of the machine's.
const EVENTS = plain({
  animationstart: 1, animationiteration: 1, animationend: 1, animationcancel: 1, transitionrun: 1, transitionstart: 1,
  transitionend: 1, transitioncancel: 1, webkitAnimationStart: 1, webkitAnimationIteration: 1, webkitAnimationEnd: 1,
  webkitTransitionEnd: 1, finish: 1, cancel: 1,
});
replace(EventTarget.prototype, "addEventListener", function (type, listener, options) {
  if (typeof type === "string" && EVENTS[type] === 1) conductor.listen();
  return apply(addListener, this ?? page, options === undefined ? [type, listener] : [type, listener, options]);
});
for (const owner of [HTMLElement.prototype, SVGElement.prototype, Document.prototype, page, Animation.prototype]) {
  for (const type in EVENTS) {
    const handler = getOwnPropertyDescriptor(owner, `on${type.toLowerCase()}`);
    if (!handler?.set) continue;
    defineProperty(owner, `on${type.toLowerCase()}`, {
      get: handler.get,
      set(value) {
        conductor.listen();
        apply(handler.set, this ?? page, [value]);
      },
      configurable: true,
      enumerable: true,
    });
  }
}
