// The conductor: one for all frames of a page that can reach each other. It owns the time and what waits for it.
// A callback runs in a task of its own, so that promises settle and errors are reported as always.
const FRAME_MS = 1000 / 60;
const TASKS_PER_FRAME = 500; // a page that posts to itself for ever goes on in the next frame
const TURNS_AFTER_DRAWING = 3;
const HELD_LIMIT_MS = 3000; // of real time, for something that is being decoded

const createConductor = (firstFrame) => {
  let frame = firstFrame;
  let now = frame * FRAME_MS; // milliseconds since the first document of this page
  let leaving = false;
  let run = null;
  let held = 0; // decoding and the like, which no frame may pass
  let serial = 0;
  let realms = 1; // documents that play by this conductor
  let stepping = list(); // called once a frame
  let everyFrame = 0;
  const observers = list();
  const atRest = list(); // called when the page stands still again
  let resting = 0;
  const loaders = list();
  const timers = createHeap();
  let frameCallbacks = list();
  let frameCallbackCount = 0;
  let tasks = list();
  let taskHead = 0;
  let idles = list();
  let idleCount = 0;
  let notes = create(null);
  let noteCount = 0;
  let realFrameWanted = false;
  let listening = false; // to the events of animations
  let depth = 0; // how deep timers have started timers

  const channel = new NativeMessageChannel();
  const inbox = channel.port1;
  const outbox = channel.port2;
  const hop = () => apply(postToPort, outbox, [0]);

  const note = (kind, detail) => {
    const key = `${kind}\n${String(detail)}`;
    if (notes[key] === undefined) {
      if (noteCount >= 100) return;
      noteCount += 1;
      notes[key] = 0;
    }
    notes[key] += 1;
  };
  const takeNotes = () => {
    const taken = notes;
    notes = create(null);
    noteCount = 0;
    return taken;
  };

  const nextTimer = (target) => {
    while (true) {
      const timer = timers.top();
      if (!timer || timer.due > target) return null;
      timers.pop();
      if (!timer.live() || timer.cancelled) continue;
      return timer;
    }
  };

  // What runs next in this frame, or null at its end. Each call is one task.
  const pick = () => {
    if (taskHead < tasks.length && run.tasksLeft > 0) {
      run.tasksLeft -= 1;
      const task = tasks[taskHead];
      tasks[taskHead] = null;
      taskHead += 1;
      if (taskHead === tasks.length) {
        tasks = list();
        taskHead = 0;
      }
      return task;
    }
    if (run.phase === "timers") {
      const timer = nextTimer(run.target);
      if (timer) {
        now = max(now, timer.due);
        return timer.fire;
      }
      now = run.target;
      run.phase = "frame";
      run.callbacks = frameCallbacks;
      run.callbackCount = frameCallbackCount;
      run.index = 0;
      frameCallbacks = list();
      frameCallbackCount = 0;
      for (let i = 0; i < everyFrame; i += 1) stepping[i]();
    }
    if (run.phase === "frame") {
      while (run.index < run.callbackCount) {
        const callback = run.callbacks[run.index];
        run.index += 1;
        if (!callback.cancelled && callback.live()) {
          callback.done = true;
          return callback.fire;
        }
      }
      run.phase = "idle";
      run.idles = idles;
      run.idleCount = idleCount;
      run.index = 0;
      idles = list();
      idleCount = 0;
    }
    while (run.index < run.idleCount) {
      const callback = run.idles[run.index];
      run.index += 1;
      if (!callback.cancelled && callback.live()) return callback.fire;
    }
    return null;
  };

  const beginFrame = () => {
    frame += 1;
    run.target = frame * FRAME_MS;
    run.phase = "timers";
    run.tasksLeft = TASKS_PER_FRAME;
    run.ending = 0;
  };

  // Where the browser draws: it lays out, tells observers, scrolls. Then they have been told everything there is.
  const draw = () => {
    run.draws -= 1;
    run.ending = 0;
    run.turns = max(run.turns, TURNS_AFTER_DRAWING);
    apply(nativeFrame, page, [hop]);
  };
  const loading = () => {
    let count = 0;
    for (let i = 0; i < loaders.length; i += 1) count += loaders[i]();
    return count;
  };

  const finish = () => {
    for (let i = 0; i < resting; i += 1) atRest[i]();
    for (let i = 0; i < observers.length; i += 1) observers[i]();
    const ended = run;
    run = null;
    ended.resolve(stringify(plain({ done: ended.done, leaving, notes: takeNotes() })));
  };

  const step = () => {
    if (run === null) return;
    if (run.phase === "settle" || leaving) {
      if (held > 0 && !leaving && !run.overdue) return void waitForHeld();
      if (run.draws > 0 && !leaving) return void draw();
      if (run.patient && !run.overdue && !leaving && loading() > 0) return void waitForHeld();
      if (run.ending < run.turns && !leaving) {
        run.ending += 1;
        return void hop();
      }
      if (run.phase !== "settle") run.done += 1; // what comes next begins after the frame that was left
      return void finish();
    }
    const next = pick();
    if (next !== null) {
      hop();
      depth = 0;
      next();
      return;
    }
    if (held > 0 && !run.overdue) return void waitForHeld();
    if (realFrameWanted) {
      realFrameWanted = false;
      apply(nativeFrame, page, [hop]); // the browser fires the events of animations where it draws
      return;
    }
    run.done += 1;
    run.left -= 1;
    if (run.left > 0) {
      beginFrame();
    } else {
      run.phase = "settle";
      run.ending = 0;
    }
    hop();
  };

  const waitForHeld = () => {
    run.waits += 1;
    if (run.waits * 2 > HELD_LIMIT_MS) {
      run.overdue = true;
      note("slow", "something was still being decoded when its time was over");
    }
    apply(nativeTimeout, page, [hop, 2]);
  };

  apply(addListener, inbox, ["message", step]);
  apply(startPort, inbox, []);

  const begin = (fields) => {
    const promise = create(null);
    run = setPrototypeOf({
      left: 0, done: 0, phase: "settle", ending: 0, turns: 1, tasksLeft: 0, overdue: false, waits: 0, patient: false,
      draws: observers.length > 0 ? 1 : 0, ...fields,
    }, null);
    const current = run;
    let settle = null;
    let value = null;
    current.resolve = (text) => {
      value = text;
      if (settle !== null) settle(text);
    };
    // Not a promise: the page may have replaced what `then` of a promise is.
    promise.then = (resolve) => {
      settle = resolve;
      if (value !== null) resolve(value);
    };
    if (current.left > 0) beginFrame();
    hop();
    return promise;
  };

  const place = () => setPrototypeOf({ x: 0, y: 0 }, null);
  return plain({
    rest: plain({ mouse: place(), pointer: place() }), // where the pointer is, on the screen
    now: () => now,
    frame: () => frame,
    depth: () => depth,
    setDepth: (value) => { depth = value; },
    advance: (frames) => begin({ left: frames }),
    // Between frames, when files have arrived. `draws`: how often the browser is to draw meanwhile.
    settle: (turns, draws) => begin(draws > 0 ? { turns, draws, patient: true } : { turns, patient: true }),
    leave: (is) => { leaving = is; },
    note,
    takeNotes,
    hold: () => {
      held += 1;
      let over = false;
      return () => {
        if (!over) held -= 1;
        over = true;
      };
    },
    wantRealFrame: () => { realFrameWanted = listening; },
    listen: () => { listening = true; },
    addRealm: () => { realms += 1; },
    realms: () => realms,
    nextSerial: () => { serial += 1; return serial; },
    addTimer: (timer) => timers.push(timer),
    addFrameCallback: (callback) => { frameCallbacks[frameCallbackCount] = callback; frameCallbackCount += 1; },
    addIdle: (callback) => { idles[idleCount] = callback; idleCount += 1; },
    addAtRest: (act) => { atRest[resting] = act; resting += 1; },
    addObserver: (tell) => { observers[observers.length] = tell; },
    addLoading: (count) => { loaders[loaders.length] = count; },
    addTask: (task) => { tasks[tasks.length] = task; },
    addStepping: (act) => { stepping[everyFrame] = act; everyFrame += 1; },
  });
};

// A binary heap by due time, then by order.
const createHeap = () => {
  const items = list();
  let size = 0;
  const before = (a, b) => a.due < b.due || (a.due === b.due && a.order < b.order);
  return plain({
    top: () => (size > 0 ? items[0] : null),
    push: (item) => {
      let at = size;
      size += 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!before(item, items[parent])) break;
        items[at] = items[parent];
        at = parent;
      }
      items[at] = item;
    },
    pop: () => {
      size -= 1;
      const item = items[size];
      items[size] = null;
      if (size === 0) return;
      let at = 0;
      while (true) {
        let child = 2 * at + 1;
        if (child >= size) break;
        if (child + 1 < size && before(items[child + 1], items[child])) child += 1;
        if (!before(items[child], item)) break;
        items[at] = items[child];
        at = child;
      }
      items[at] = item;
    },
  });
};
