// Chance: one stream for each document, from the seed of the run. Assignments to these are ignored.
const mix = (value) => {
  let h = value >>> 0;
  h = imul(h ^ (h >>> 16), 0x85ebca6b);
  h = imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};
const createStream = (seed, stream) => {
  let [a, b, c, d] = [mix(seed), mix(seed ^ 0x9e3779b9), mix(stream + 1), 1];
  const next = () => { // sfc32
    const t = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 15; i += 1) next();
  return next;
};
const documentNumber = conductor.nextSerial() + imul(conductor.frame(), 7919); // another one after a reload
const next32 = createStream(settings.seed, documentNumber);
const nextByte32 = createStream(settings.seed ^ 0x5bd1e995, documentNumber);
const random = function random() { return ((next32() >>> 5) * 67108864 + (next32() >>> 6)) / 9007199254740992; };
pin(page.Math, "random", random);

const bytesOf = getter(Object.getPrototypeOf(Uint8Array), "buffer");
const offsetOf = getter(Object.getPrototypeOf(Uint8Array), "byteOffset");
const lengthOf = getter(Object.getPrototypeOf(Uint8Array), "byteLength");
const NativeBytes = Uint8Array;
const nativeRandomValues = Crypto.prototype.getRandomValues;
const getRandomValues = function getRandomValues(array) {
  apply(nativeRandomValues, this, [array]); // refuses what it must
  const bytes = new NativeBytes(apply(bytesOf, array, []), apply(offsetOf, array, []), apply(lengthOf, array, []));
  const count = apply(lengthOf, array, []);
  for (let i = 0; i < count; i += 1) bytes[i] = nextByte32() & 255;
  return array;
};
const HEX = "0123456789abcdef";
const randomUUID = function randomUUID() {
  let text = "";
  for (let i = 0; i < 32; i += 1) {
    if (i === 8 || i === 12 || i === 16 || i === 20) text += "-";
    const digit = nextByte32() & 15;
    text += i === 12 ? "4" : HEX[i === 16 ? (digit & 3) | 8 : digit];
  }
  return text;
};
pin(Crypto.prototype, "getRandomValues", getRandomValues);
pin(Crypto.prototype, "randomUUID", randomUUID);
if (page.crypto) {
  pin(page.crypto, "getRandomValues", getRandomValues);
  pin(page.crypto, "randomUUID", randomUUID);
}
