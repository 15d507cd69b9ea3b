// Keyboard and pointer, as a game asks for them: once per step of 1/60 s.
//
// A tap that begins and ends between two steps is still seen by the next one.

const NAMES = { " ": "Space", Spacebar: "Space", Esc: "Escape", Left: "ArrowLeft", Right: "ArrowRight", Up: "ArrowUp", Down: "ArrowDown" };
const BUTTONS = ["left", "middle", "right"];

// Letters are lower-case, whatever Shift or Caps Lock say; all other keys have the browser's own name.
export function keyName(key) {
  const name = NAMES[key] ?? key;
  return name.length === 1 ? name.toLowerCase() : name;
}

export class Input {
  constructor(canvas, width, height) {
    this.canvas = canvas;
    this.size = { width, height };
    this.clear();
    const listen = (target, kind, act) => target.addEventListener(kind, act, { passive: false });
    listen(window, "keydown", (event) => this.#keyDown(event));
    listen(window, "keyup", (event) => this.downKeys.delete(keyName(event.key)));
    listen(window, "blur", () => this.downKeys.clear());
    listen(canvas, "mousemove", (event) => this.#moved(event));
    listen(canvas, "mousedown", (event) => this.#button(event, true));
    listen(window, "mouseup", (event) => this.#button(event, false));
    listen(canvas, "contextmenu", (event) => event.preventDefault());
    listen(canvas, "wheel", (event) => {
      event.preventDefault();
      this.wheelQueue.x += event.deltaX;
      this.wheelQueue.y += event.deltaY;
    });
  }

  clear() {
    this.downKeys = new Set();
    this.freshKeys = [];
    this.typed = [];
    this.pointer = { x: -1, y: -1, down: false, clicked: null, released: false };
    this.wheel = { x: 0, y: 0 };
    this.wheelQueue = { x: 0, y: 0 };
    this.queue = [];
    this.freshReleases = 0;
    this.step = { pressed: new Set(), typed: [] };
  }

  // What happened since the last step becomes this step's.
  beginStep() {
    this.step = { pressed: new Set(this.freshKeys), typed: this.typed };
    this.freshKeys = [];
    this.typed = [];
    this.wheel = this.wheelQueue;
    this.wheelQueue = { x: 0, y: 0 };
    this.pointer.clicked = this.queue.shift() ?? null;
    this.pointer.released = this.freshReleases > 0;
    this.freshReleases = 0;
  }

  // Whether the key is down now, or was for a moment since the last step.
  held(...keys) {
    return keys.some((key) => this.downKeys.has(key) || this.step.pressed.has(key));
  }

  // Whether the key went down since the last step. Keys that repeat by themselves count once.
  pressed(...keys) {
    return keys.some((key) => this.step.pressed.has(key));
  }

  // The letters typed since the last step, in their order.
  letters() {
    return this.step.typed;
  }

  // -1, 0 or 1 for a pair of keys.
  axis(less, more) {
    return (this.held(more) ? 1 : 0) - (this.held(less) ? 1 : 0);
  }

  #keyDown(event) {
    const key = keyName(event.key);
    if (event.ctrlKey || event.metaKey || event.altKey || /^F\d+$/.test(key)) return;
    event.preventDefault(); // arrows and Space would scroll the page
    if (key.length === 1) this.typed.push(key);
    if (event.repeat) return;
    this.downKeys.add(key);
    this.freshKeys.push(key);
  }

  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    this.pointer.x = ((event.clientX - box.left) * this.size.width) / box.width;
    this.pointer.y = ((event.clientY - box.top) * this.size.height) / box.height;
  }

  #moved(event) {
    this.#place(event);
  }

  #button(event, down) {
    if (down) {
      event.preventDefault();
      this.#place(event);
      this.queue.push({ x: this.pointer.x, y: this.pointer.y, button: BUTTONS[event.button] ?? "left" });
    } else if (this.pointer.down) {
      this.#place(event);
      this.freshReleases += 1;
    }
    this.pointer.down = down;
  }
}
