// MessageChannel and postMessage to oneself: schedulers are built on them, so they are tasks of a frame.
const peers = weakMap();
const inboxes = weakMap();
const isTransferred = weakMap();
const closePort = method(MessagePort, "close");
const onMessage = getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");

const SteppedChannel = function MessageChannel() {
  if (new.target === undefined) throw new NativeTypeError("Failed to construct 'MessageChannel': use 'new'");
  const channel = construct(NativeMessageChannel, [], new.target);
  const [one, other] = [apply(portOne, channel, []), apply(portTwo, channel, [])];
  peers.set(one, other);
  peers.set(other, one);
  inboxes.set(one, setPrototypeOf({ started: false, closed: false, waiting: list() }, null));
  inboxes.set(other, setPrototypeOf({ started: false, closed: false, waiting: list() }, null));
  return channel;
};
const portOne = getter(MessageChannel, "port1");
const portTwo = getter(MessageChannel, "port2");
SteppedChannel.prototype = NativeMessageChannel.prototype;
defineProperty(NativeMessageChannel.prototype, "constructor", { value: SteppedChannel, writable: true, configurable: true });
defineProperty(page, "MessageChannel", { value: SteppedChannel, writable: true, configurable: true });

const deliver = (port, data) => {
  const box = inboxes.get(port);
  if (box.closed) return;
  if (!box.started) {
    box.waiting[box.waiting.length] = data;
    return;
  }
  conductor.addTask(() => {
    if (!box.closed) apply(dispatch, port, [new NativeMessageEvent("message", { data })]);
  });
};
const open = (port) => {
  const box = inboxes.get(port);
  if (!box || box.started) return;
  box.started = true;
  const waitingData = box.waiting;
  box.waiting = list();
  for (let i = 0; i < waitingData.length; i += 1) deliver(port, waitingData[i]);
};
replace(MessagePort.prototype, "postMessage", function (data, options) {
  const transfers = options?.transfer ?? options;
  const peer = peers.get(this);
  if (!peer || isTransferred.has(this) || isTransferred.has(peer) || transfers?.length > 0) {
    if (transfers?.length > 0) for (let i = 0; i < transfers.length; i += 1) isTransferred.set(transfers[i], true);
    apply(postToPort, this, options === undefined ? [data] : [data, options]);
    return;
  }
  deliver(peer, clone(data));
});
replace(MessagePort.prototype, "start", function () { open(this); apply(startPort, this, []); });
replace(MessagePort.prototype, "close", function () {
  const box = inboxes.get(this);
  if (box) box.closed = true;
  apply(closePort, this, []);
});
defineProperty(MessagePort.prototype, "onmessage", {
  get: onMessage.get,
  set(handler) { apply(onMessage.set, this, [handler]); open(this); },
  configurable: true,
  enumerable: true,
});

// Between frames of a page the browser must deliver, because only it knows who called.
const nativePost = page.postMessage;
const postToSelf = function postMessage(data, target, transfer) {
  const transfers = typeof target === "object" && target !== null ? target.transfer : transfer;
  const copied = transfers?.length > 0 ? clone(data, { transfer: transfers }) : clone(data);
  conductor.addTask(() => {
    const init = { data: copied, origin: page.location.origin, source: page };
    apply(dispatch, page, [new NativeMessageEvent("message", init)]);
  });
};
let ownPost = null;
defineProperty(page, "postMessage", {
  get: () => ownPost ?? (conductor.realms() === 1 ? postToSelf : nativePost),
  set: (value) => { ownPost = value; },
  configurable: true,
  enumerable: true,
});
