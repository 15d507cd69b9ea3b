// Ways out of the page, and things that run by a clock of their own. They are answered here, or named.
replace(page, "alert", function (text) { conductor.note("dialog", `alert: ${short(text)}`); });
replace(page, "confirm", function (text) { conductor.note("dialog", `confirm: ${short(text)}`); return false; });
replace(page, "prompt", function (text) { conductor.note("dialog", `prompt: ${short(text)}`); return null; });
replace(page, "print", function () { conductor.note("dialog", "print"); });
replace(page, "open", function (address) { conductor.note("popup", short(address ?? "")); return null; });
const slice = String.prototype.slice;
const short = (text) => {
  try {
    return apply(slice, String(text), [0, 200]);
  } catch {
    return "?";
  }
};

const named = (name, kind, detail) => {
  const Native = page[name];
  if (typeof Native !== "function") return;
  const Named = function (...args) {
    conductor.note(kind, detail);
    return construct(Native, args, new.target ?? Named);
  };
  defineProperty(Named, "name", { value: name });
  Named.prototype = Native.prototype;
  setPrototypeOf(Named, Native);
  defineProperty(Native.prototype, "constructor", { value: Named, writable: true, configurable: true });
  defineProperty(page, name, { value: Named, writable: true, configurable: true });
};
named("Worker", "worker", "a worker runs by the machine's clock");
named("SharedWorker", "worker", "a shared worker runs by the machine's clock");
named("BroadcastChannel", "broadcast channel", "its messages come when the machine delivers them");
named("RTCPeerConnection", "webrtc", "a connection to another machine");
named("webkitRTCPeerConnection", "webrtc", "a connection to another machine");
named("WebTransport", "webrtc", "a connection to another machine");
named("EventSource", "connection", "a stream of events from a server");
named("WebSocket", "connection", "a connection to a server");

const refuse = (kind, text) => function () {
  conductor.note(kind, text);
  return newPromise((_, reject) => reject(new NativeTypeError(text)));
};
replace(Element.prototype, "requestFullscreen", refuse("fullscreen", "fullscreen is refused"));
replace(Element.prototype, "webkitRequestFullscreen", refuse("fullscreen", "fullscreen is refused"));

// The pointer is never locked really: the browser would wait for a window with focus.
let lockedElement = null;
const announceLock = () => conductor.addTask(() => {
  apply(dispatch, nativeDocument, [new NativeEvent("pointerlockchange")]);
});
replace(Element.prototype, "requestPointerLock", function () {
  conductor.note("pointer lock", "the page is told that it has the pointer; the pointer still ends at the edges");
  lockedElement = this;
  announceLock();
  return newPromise((resolve) => resolve());
});
replace(Document.prototype, "exitPointerLock", function () {
  if (lockedElement === null) return;
  lockedElement = null;
  announceLock();
});
replaceGetter(Document.prototype, "pointerLockElement", () => lockedElement);

// The machine does not show.
replaceGetter(Navigator.prototype, "hardwareConcurrency", () => 4);
replaceGetter(Navigator.prototype, "deviceMemory", () => 8);
replaceGetter(Navigator.prototype, "onLine", () => true);
replaceGetter(Navigator.prototype, "connection", () => undefined);
replace(Navigator.prototype, "getBattery", refuse("battery", "there is no battery"));
replace(Navigator.prototype, "vibrate", function () { return true; });
replace(Navigator.prototype, "sendBeacon", function () { return true; });

if (atTop && page.navigation) {
  apply(addListener, page.navigation, ["navigate", (event) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) conductor.leave(true);
  }]);
}
