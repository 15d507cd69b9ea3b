// Drawing surfaces keep what was drawn until the picture is taken. What is decoded beside the page's own thread is
// waited for, so that no frame passes before it.
const contextNative = HTMLCanvasElement.prototype.getContext;
replace(HTMLCanvasElement.prototype, "getContext", function (kind, options) {
  const name = String(kind);
  const three = name === "webgl" || name === "webgl2" || name === "experimental-webgl";
  if (name === "webgpu") conductor.note("webgpu", "a canvas is drawn by WebGPU");
  return apply(contextNative, this, [kind, three ? { ...options, preserveDrawingBuffer: true } : options]);
});
replace(HTMLCanvasElement.prototype, "transferControlToOffscreen", function () {
  throw new NativeDOMException("a canvas stays with its page here", "NotSupportedError");
});

const holdPromise = (promise) => {
  const release = conductor.hold();
  apply(then, promise, [release, release]);
  return promise;
};
const holdMethod = (owner, name) => {
  const native = owner?.[name];
  if (typeof native !== "function") return;
  replace(owner, name, function (...args) {
    const result = apply(native, this, args);
    return result instanceof NativePromise ? holdPromise(result) : result;
  });
};
holdMethod(page, "createImageBitmap");
holdMethod(HTMLImageElement.prototype, "decode");
for (const name of ["arrayBuffer", "text", "bytes"]) holdMethod(Blob.prototype, name);
for (const name of ["compile", "instantiate"]) holdMethod(page.WebAssembly, name);
holdMethod(page.BaseAudioContext?.prototype, "decodeAudioData");
holdMethod(page.OfflineAudioContext?.prototype, "startRendering");
if (page.SubtleCrypto) {
  const subtle = SubtleCrypto.prototype;
  for (const name of ["digest", "sign", "verify", "encrypt", "decrypt", "importKey", "exportKey", "deriveKey", "deriveBits", "generateKey", "wrapKey", "unwrapKey"]) holdMethod(subtle, name);
}

// Addresses that hold their own data are read without anybody being asked.
const isOwnData = (address) => {
  const text = String(address);
  const start = text[0] === "d" || text[0] === "b" ? text : "";
  return startsWith(start, "data:") || startsWith(start, "blob:");
};
const startsWith = (text, start) => {
  for (let i = 0; i < start.length; i += 1) if (text[i] !== start[i]) return false;
  return true;
};
const imageSource = getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
defineProperty(HTMLImageElement.prototype, "src", {
  get: imageSource.get,
  set(address) {
    if (isOwnData(address)) {
      const release = conductor.hold();
      apply(addListener, this, ["load", release, { once: true }]);
      apply(addListener, this, ["error", release, { once: true }]);
    }
    apply(imageSource.set, this, [address]);
  },
  configurable: true,
  enumerable: true,
});
const fetchNative = page.fetch;
replace(page, "fetch", function (input, init) {
  const promise = apply(fetchNative, page, init === undefined ? [input] : [input, init]);
  return isOwnData(typeof input === "string" ? input : "") ? holdPromise(promise) : promise;
});
const toBlobNative = HTMLCanvasElement.prototype.toBlob;
replace(HTMLCanvasElement.prototype, "toBlob", function (callback, ...args) {
  const release = conductor.hold();
  const done = (blob) => {
    release();
    conductor.addTask(() => callback(blob));
  };
  setPrototypeOf(args, null);
  apply(toBlobNative, this, args.length === 0 ? [done] : args.length === 1 ? [done, args[0]] : [done, args[0], args[1]]);
});
const readerStart = { readAsText: 1, readAsDataURL: 1, readAsArrayBuffer: 1, readAsBinaryString: 1 };
for (const name in readerStart) {
  const native = FileReader.prototype[name];
  replace(FileReader.prototype, name, function (...args) {
    const release = conductor.hold();
    apply(addListener, this, ["loadend", release, { once: true }]);
    return apply(native, this, args);
  });
}

// A caret blinks by the machine's clock.
const withoutCaret = new CSSStyleSheet();
withoutCaret.replaceSync("* { caret-color: transparent !important }");
nativeDocument.adoptedStyleSheets = [withoutCaret];
