// setTimeout, setInterval, requestAnimationFrame, requestIdleCallback and what else runs later.
const live = () => !apply(isClosed, page, []);
const NESTING_CLAMP = 5;
const NESTED_MS = 4;
const IDLE_MS = 10;
const LONGEST_MS = 2147483647;
const indirectEval = eval;
const waiting = create(null); // id → timer, of this document
let lastTimer = 0;

const toFunction = (handler) => {
  if (typeof handler === "function") return handler;
  const source = String(handler);
  return () => indirectEval(source);
};
const milliseconds = (value) => {
  const number = Number(value);
  return isFinite(number) && number > 0 ? min(floor(number), LONGEST_MS) : 0;
};
const startTimer = (handler, delay, args, repeats) => {
  lastTimer += 1;
  const id = lastTimer;
  const call = toFunction(handler);
  const asked = max(milliseconds(delay), repeats ? 1 : 0);
  const timer = setPrototypeOf({ due: 0, order: 0, depth: conductor.depth() + 1, cancelled: false, live }, null);
  const queue = (from) => {
    timer.due = from + (timer.depth > NESTING_CLAMP ? max(asked, NESTED_MS) : asked);
    timer.order = conductor.nextSerial();
    conductor.addTimer(timer);
  };
  timer.fire = () => {
    conductor.setDepth(timer.depth);
    if (repeats) {
      timer.depth += 1;
      queue(timer.due);
    } else {
      delete waiting[id];
    }
    apply(call, page, args);
  };
  waiting[id] = timer;
  queue(conductor.now());
  return id;
};
const stopTimer = (id) => {
  const timer = waiting[Number(id)];
  if (timer === undefined) return;
  timer.cancelled = true;
  delete waiting[Number(id)];
};

replace(page, "setTimeout", function (handler, delay, ...args) { return startTimer(handler, delay, args, false); });
replace(page, "setInterval", function (handler, delay, ...args) { return startTimer(handler, delay, args, true); });
replace(page, "clearTimeout", function (id) { stopTimer(id); });
replace(page, "clearInterval", function (id) { stopTimer(id); });

const frameCallbacks = create(null);
let lastFrameCallback = 0;
const requestFrame = function (callback) {
  if (typeof callback !== "function") throw new NativeTypeError("requestAnimationFrame: the callback is no function");
  lastFrameCallback += 1;
  const id = lastFrameCallback;
  const entry = setPrototypeOf({ cancelled: false, live }, null);
  entry.fire = () => {
    delete frameCallbacks[id];
    apply(callback, page, [millisecondsHere()]);
  };
  frameCallbacks[id] = entry;
  conductor.addFrameCallback(entry);
  return id;
};
const cancelFrame = function (id) {
  const entry = frameCallbacks[Number(id)];
  if (entry === undefined) return;
  entry.cancelled = true;
  delete frameCallbacks[Number(id)];
};
replace(page, "requestAnimationFrame", requestFrame);
replace(page, "cancelAnimationFrame", cancelFrame);
replace(page, "webkitRequestAnimationFrame", function (callback) { return apply(requestFrame, page, [callback]); });
replace(page, "webkitCancelAnimationFrame", function (id) { apply(cancelFrame, page, [id]); });

const idleCallbacks = create(null);
let lastIdle = 0;
replace(page, "requestIdleCallback", function (callback) {
  lastIdle += 1;
  const id = lastIdle;
  const entry = setPrototypeOf({ cancelled: false, live }, null);
  entry.fire = () => {
    delete idleCallbacks[id];
    apply(callback, page, [{ didTimeout: false, timeRemaining: () => IDLE_MS }]);
  };
  idleCallbacks[id] = entry;
  conductor.addIdle(entry);
  return id;
});
replace(page, "cancelIdleCallback", function (id) {
  const entry = idleCallbacks[Number(id)];
  if (entry !== undefined) entry.cancelled = true;
});

// Scheduler.postTask and yield: a task of this frame, or a timer.
const newPromise = (act) => new NativePromise(act);
const onAbort = (signal, act) => {
  if (signal) apply(addListener, signal, ["abort", act, { once: true }]);
};
if (page.Scheduler) {
  replace(page.Scheduler.prototype, "postTask", function (callback, options) {
    return newPromise((resolve, reject) => {
      const signal = options?.signal;
      let stopped = false;
      if (signal?.aborted) return void reject(signal.reason);
      const task = () => {
        if (stopped) return;
        try {
          resolve(callback());
        } catch (error) {
          reject(error);
        }
      };
      const delay = milliseconds(options?.delay);
      onAbort(signal, () => { stopped = true; reject(signal.reason); });
      if (delay > 0) startTimer(task, delay, [], false);
      else conductor.addTask(task);
    });
  });
  replace(page.Scheduler.prototype, "yield", function () {
    return newPromise((resolve) => conductor.addTask(() => resolve()));
  });
}
replace(AbortSignal, "timeout", function (delay) {
  const controller = new AbortController();
  startTimer(() => controller.abort(new NativeDOMException("signal timed out", "TimeoutError")), delay, [], false);
  return controller.signal;
});
