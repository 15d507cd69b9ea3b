// What the clock uses of the browser, taken before the page can replace it. Everything below runs in one strict closure
// and calls only what stands here: no method is looked up on a prototype that the page can reach.
const apply = Reflect.apply;
const construct = Reflect.construct;
const { defineProperty, getOwnPropertyDescriptor, setPrototypeOf, create, freeze } = Object;
const NativeDate = Date;
const NativePromise = Promise;
const NativeMessageChannel = MessageChannel;
const NativeMessageEvent = MessageEvent;
const NativeEvent = Event;
const NativeError = Error;
const NativeTypeError = TypeError;
const NativeDOMException = DOMException;
const NativeWeakMap = WeakMap;
const stringify = JSON.stringify;
const { floor, round, imul, min, max } = Math;
const { String, Number } = globalThis;
const { isFinite } = Number;
const clone = globalThis.structuredClone;
const page = window;

const method = (owner, name) => owner.prototype[name];
const getter = (owner, name) => getOwnPropertyDescriptor(owner.prototype ?? owner, name).get;
const then = method(Promise, "then");
const resolved = Promise.resolve;
const addListener = method(EventTarget, "addEventListener");
const dispatch = method(EventTarget, "dispatchEvent");
const postToPort = method(MessagePort, "postMessage");
const startPort = method(MessagePort, "start");
const weakGet = method(WeakMap, "get");
const weakSet = method(WeakMap, "set");
const weakHas = method(WeakMap, "has");
const nativeFrame = page.requestAnimationFrame;
const nativeTimeout = page.setTimeout;
const isClosed = getter(page, "closed");
const nativeDocument = document;

const plain = (fields) => freeze(setPrototypeOf(fields, null));
const list = () => setPrototypeOf([], null);
const weakMap = () => {
  const map = new NativeWeakMap();
  return plain({
    get: (key) => apply(weakGet, map, [key]),
    set: (key, value) => void apply(weakSet, map, [key, value]),
    has: (key) => apply(weakHas, map, [key]),
  });
};

// Puts a function in the place of a native one; to the page it looks like a method of that name.
const replace = (owner, name, value) => {
  if (!owner || !(name in owner)) return;
  const old = getOwnPropertyDescriptor(owner, name);
  defineProperty(value, "name", { value: name, configurable: true });
  defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: old ? old.enumerable : true });
};
const replaceGetter = (owner, name, get) => {
  const old = owner && getOwnPropertyDescriptor(owner, name);
  if (!old) return;
  defineProperty(owner, name, { get, set: old.set, configurable: true, enumerable: old.enumerable });
};
// Scripts assign these in strict mode, where a read-only property would throw; what they assign is not used.
const pin = (owner, name, value) => {
  if (!owner) return;
  defineProperty(owner, name, { get: () => value, set: () => {}, configurable: false, enumerable: false });
};
