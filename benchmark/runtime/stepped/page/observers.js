// Observers of layout report where the browser draws, and that goes by the machine's clock. So what they saw is kept, the
// last of it for each element, and told in the first frame of what comes next.
const observe = (name) => {
  const Native = page[name];
  if (typeof Native !== "function") return;
  const Stepped = function (callback, options) {
    let targets = list();
    let entries = list();
    const keep = (seen) => {
      for (let i = 0; i < seen.length; i += 1) {
        const target = seen[i].target;
        let at = 0;
        while (at < targets.length && targets[at] !== target) at += 1;
        targets[at] = target;
        entries[at] = seen[i];
      }
    };
    const observer = construct(Native, options === undefined ? [keep] : [keep, options], new.target ?? Stepped);
    conductor.addObserver(() => {
      if (targets.length === 0) return;
      const told = setPrototypeOf(entries, nativeArray);
      targets = list();
      entries = list();
      conductor.addTask(() => apply(callback, observer, [told, observer]));
    });
    return observer;
  };
  defineProperty(Stepped, "name", { value: name });
  Stepped.prototype = Native.prototype;
  defineProperty(Native.prototype, "constructor", { value: Stepped, writable: true, configurable: true });
  defineProperty(page, name, { value: Stepped, writable: true, configurable: true });
};
const nativeArray = Array.prototype;
observe("IntersectionObserver");
observe("ResizeObserver");
