// Sound and film by the clock: nothing plays natively. Where a film is, is set frame by frame.
const media = page.HTMLMediaElement.prototype;
const nativeTime = getOwnPropertyDescriptor(media, "currentTime");
const nativeDuration = getter(media, "duration");
const nativeError = getter(media, "error");
const nativeLoop = getter(media, "loop");
const nativeRate = getter(media, "playbackRate");
const networkState = getter(media, "networkState");
const readyState = getter(media, "readyState");
const preload = getOwnPropertyDescriptor(media, "preload");
const loadNative = media.load;
const pauseMedia = media.pause;
const NETWORK_EMPTY = 0;
const NETWORK_LOADING = 2;
const ENOUGH = 4;
const UPDATES_MS = 250;
const ROUNDING_SEC = 1e-6; // sixtieths do not add up
const MOST_MEDIA = 2000;
const players = weakMap();
const known = list(); // elements that may be loading or playing
const announce = (target, name) => conductor.addTask(() => apply(dispatch, target, [new NativeEvent(name)]));

const playerOf = (element) => {
  let player = players.get(element);
  if (player) return player;
  player = setPrototypeOf({ playing: false, ended: false, time: 0, told: 0, film: element instanceof HTMLVideoElement }, null);
  players.set(element, player);
  if (known.length < MOST_MEDIA) known[known.length] = element;
  return player;
};
const show = (element, player) => {
  if (player.film) apply(nativeTime.set, element, [player.time]);
};
replace(media, "play", function () {
  const player = playerOf(this);
  const error = apply(nativeError, this, []);
  if (error !== null) return newPromise((_, reject) => reject(new NativeDOMException(error.message, "NotSupportedError")));
  apply(preload.set, this, ["auto"]);
  if (apply(networkState, this, []) === NETWORK_EMPTY) apply(loadNative, this, []);
  if (!player.playing) {
    if (player.ended) player.time = 0;
    player.playing = true;
    player.ended = false;
    announce(this, "play");
    announce(this, "playing");
  }
  return newPromise((resolve) => resolve());
});
replace(media, "pause", function () {
  const player = playerOf(this);
  apply(pauseMedia, this, []);
  if (!player.playing) return;
  player.playing = false;
  announce(this, "pause");
});
replace(media, "load", function () {
  const player = playerOf(this);
  player.playing = player.ended = false;
  player.time = 0;
  apply(loadNative, this, []);
});
replaceGetter(media, "paused", function () { return !playerOf(this).playing; });
replaceGetter(media, "ended", function () { return playerOf(this).ended; });
defineProperty(media, "currentTime", {
  get() { return playerOf(this).time; },
  set(value) {
    const player = playerOf(this);
    const time = Number(value);
    if (!isFinite(time)) throw new NativeTypeError("currentTime: not a finite number");
    player.time = max(time, 0);
    player.ended = false;
    show(this, player);
    if (!player.film) {
      announce(this, "seeking");
      announce(this, "seeked");
    }
  },
  configurable: true,
  enumerable: true,
});
const playOn = (element, player) => {
  const duration = apply(nativeDuration, element, []);
  player.time += (FRAME_MS / 1000) * apply(nativeRate, element, []);
  if (isFinite(duration) && duration > 0 && player.time + ROUNDING_SEC >= duration) {
    if (apply(nativeLoop, element, [])) {
      player.time %= duration;
    } else {
      player.time = duration;
      player.playing = false;
      player.ended = true;
      announce(element, "pause");
      announce(element, "ended");
    }
  }
  if (conductor.now() - player.told >= UPDATES_MS) {
    player.told = conductor.now();
    announce(element, "timeupdate");
  }
  show(element, player);
};
const autoplay = getter(media, "autoplay");
const playFilms = () => {
  const inDocument = apply(findAll, nativeDocument, ["audio, video"]);
  const count = min(inDocument.length, MOST_MEDIA);
  for (let i = 0; i < count; i += 1) {
    const element = inDocument[i];
    if (players.get(element) || !live()) continue;
    const player = playerOf(element);
    player.playing = apply(autoplay, element, []);
    apply(pauseMedia, element, []);
  }
  for (let i = 0; i < known.length; i += 1) {
    const player = players.get(known[i]);
    if (player.playing) playOn(known[i], player);
  }
};
const findAll = Document.prototype.querySelectorAll;
conductor.addStepping(playFilms);
// Loaders wait for `canplaythrough`: it has to come before the next frame, like a file.
conductor.addLoading(() => {
  let count = 0;
  for (let i = 0; i < known.length; i += 1) {
    if (apply(networkState, known[i], []) === NETWORK_LOADING && apply(readyState, known[i], []) < ENOUGH) count += 1;
  }
  return count;
});
const NativeAudio = page.Audio;
const SteppedAudio = function Audio(address) {
  const element = construct(NativeAudio, address === undefined ? [] : [address], new.target ?? NativeAudio);
  playerOf(element);
  return element;
};
SteppedAudio.prototype = NativeAudio.prototype;
defineProperty(page, "Audio", { value: SteppedAudio, writable: true, configurable: true });

// Web Audio: the native context stays suspended, so nothing sounds; its clock and its ends are ours.
const contexts = weakMap();
const context = page.AudioContext?.prototype;
if (context) {
  const base = page.BaseAudioContext.prototype;
  const NativeContext = page.AudioContext;
  const suspendNative = context.suspend;
  const nativeContextTime = getter(base, "currentTime");
  const nativeState = getter(base, "state");
  const SteppedContext = function AudioContext(...args) {
    const made = construct(NativeContext, args, new.target ?? NativeContext);
    apply(suspendNative, made, []);
    contexts.set(made, setPrototypeOf({ state: "running", past: 0, since: conductor.now() }, null));
    return made;
  };
  SteppedContext.prototype = context;
  defineProperty(context, "constructor", { value: SteppedContext, writable: true, configurable: true });
  for (const name of ["AudioContext", "webkitAudioContext"]) {
    if (name in page) defineProperty(page, name, { value: SteppedContext, writable: true, configurable: true });
  }
  const timeIn = (record) => record.past + (record.state === "running" ? (conductor.now() - record.since) / 1000 : 0);
  replaceGetter(base, "currentTime", function () {
    const record = contexts.get(this);
    return record ? timeIn(record) : apply(nativeContextTime, this, []);
  });
  replaceGetter(base, "state", function () {
    return contexts.get(this)?.state ?? apply(nativeState, this, []);
  });
  const become = (name, state) => replace(context, name, function () {
    const record = contexts.get(this);
    if (record.state !== "closed" && record.state !== state) {
      record.past = timeIn(record);
      record.since = conductor.now();
      record.state = state;
      announce(this, "statechange");
    }
    return newPromise((resolve) => resolve());
  });
  become("resume", "running");
  become("suspend", "suspended");
  become("close", "closed");
  replace(context, "getOutputTimestamp", function () {
    return { contextTime: timeIn(contexts.get(this)), performanceTime: millisecondsHere() };
  });
  for (const name of ["baseLatency", "outputLatency"]) replaceGetter(context, name, () => 0.01);

  const ends = weakMap();
  const contextOf = getter(AudioNode, "context");
  const bufferOf = getter(AudioBufferSourceNode, "buffer");
  const loopOf = getter(AudioBufferSourceNode, "loop");
  const lengthOfBuffer = getter(AudioBuffer, "duration");
  const endAt = (node, seconds) => {
    const record = contexts.get(apply(contextOf, node, []));
    if (!record) return; // of an offline context, which really plays
    const planned = ends.get(node);
    if (planned) stopTimer(planned.timer);
    const timer = startTimer(() => apply(dispatch, node, [new NativeEvent("ended")]), (seconds - timeIn(record)) * 1000, [], false);
    ends.set(node, setPrototypeOf({ timer }, null));
  };
  const startBuffer = AudioBufferSourceNode.prototype.start;
  replace(AudioBufferSourceNode.prototype, "start", function (when, offset, duration) {
    apply(startBuffer, this, when === undefined ? [] : offset === undefined ? [when] : duration === undefined ? [when, offset] : [when, offset, duration]);
    const buffer = apply(bufferOf, this, []);
    const record = contexts.get(apply(contextOf, this, []));
    if (!record || buffer === null || apply(loopOf, this, [])) return;
    const begins = max(Number(when) || 0, timeIn(record));
    endAt(this, begins + min(apply(lengthOfBuffer, buffer, []) - (Number(offset) || 0), duration ?? Infinity));
  });
  const stopSource = AudioScheduledSourceNode.prototype.stop;
  replace(AudioScheduledSourceNode.prototype, "stop", function (when) {
    apply(stopSource, this, when === undefined ? [] : [when]);
    const record = contexts.get(apply(contextOf, this, []));
    if (record) endAt(this, max(Number(when) || 0, timeIn(record)));
  });
}
