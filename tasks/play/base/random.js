// Random numbers that depend on the seed alone. A game must not use Math.random: a person's game would not repeat.

export class Random {
  constructor(seed) {
    this.state = (Number(seed) >>> 0) || 1;
  }

  // From 0 up to, not including, 1 (xorshift32).
  next() {
    let x = this.state;
    x ^= x << 13;
    x >>>= 0;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return this.state / 4294967296;
  }

  between(low, high) {
    return low + (high - low) * this.next();
  }

  // A whole number from low to high, both included.
  whole(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick(list) {
    return list[this.whole(0, list.length - 1)];
  }

  chance(share) {
    return this.next() < share;
  }

  // A new list in another order.
  shuffled(list) {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i -= 1) {
      const j = this.whole(0, i);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
}

// Seeds that lie side by side must not give games that look alike.
export function seeded(seed, level) {
  let mixed = (Number(seed) >>> 0) ^ Math.imul((Number(level) >>> 0) + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return new Random((mixed ^ (mixed >>> 16)) >>> 0);
}
