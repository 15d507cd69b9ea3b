// What the harness holds: it comes in with the key.
const LONGEST = settings.longestValue;
const replacer = (problems, counted) => function (name, value) {
  counted.entries += 1;
  if (counted.entries > settings.mostEntries) throw new NativeError("has too many entries");
  if (typeof value === "number" && !isFinite(value)) {
    if (problems.length < 20) problems[problems.length] = `${String(name)} is ${String(value)}`;
    return null;
  }
  if (typeof value === "bigint") return String(value);
  return value;
};
const pack = (value) => {
  const problems = list();
  const text = stringify(value, replacer(problems, { entries: 0 }));
  if (text !== undefined && text.length > LONGEST) throw new NativeError("is too long");
  for (let i = 0; i < problems.length; i += 1) conductor.note("value", problems[i]);
  return text ?? "null";
};
const answer = (ok, text) => stringify(plain({ ok, text, notes: conductor.takeNotes() }));
const explain = (error) => {
  try {
    return short(error?.stack ?? error);
  } catch {
    return "an error that cannot be read";
  }
};
const attempt = (act) => {
  try {
    return answer(true, pack(act()));
  } catch (error) {
    return answer(false, explain(error));
  }
};
let asked = null; // the promise that is being waited for
const ask = (act, argument) => {
  asked = setPrototypeOf({ settled: null }, null);
  const current = asked;
  try {
    let value = act();
    if (typeof value === "function") value = value(argument);
    const promise = apply(resolved, NativePromise, [value]);
    apply(then, promise, [
      (result) => { current.settled = attempt(() => result); },
      (error) => { current.settled = answer(false, explain(error)); },
    ]);
  } catch (error) {
    current.settled = answer(false, explain(error));
  }
};
const control = plain({
  conductor,
  advance: conductor.advance,
  settle: conductor.settle,
  stay: () => conductor.leave(false),
  ask,
  asked: () => asked?.settled ?? null,
  notes: () => answer(true, "null"),
});
defineProperty(page, DOOR, {
  value: (key) => (key === settings.key ? control : undefined),
  writable: false, configurable: false, enumerable: false,
});
