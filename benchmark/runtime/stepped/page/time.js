// Everything that tells the time.
const START = conductor.now(); // of this document
const MICROSECONDS = 1000;
const wall = () => settings.epochMs + floor(conductor.now());
const millisecondsHere = () => round((conductor.now() - START) * MICROSECONDS) / MICROSECONDS;

const dateToString = NativeDate.prototype.toString;
const SteppedDate = function Date(...args) {
  if (new.target === undefined) return apply(dateToString, new NativeDate(wall()), []);
  return construct(NativeDate, args.length === 0 ? [wall()] : args, new.target);
};
defineProperty(SteppedDate, "length", { value: 7 });
SteppedDate.prototype = NativeDate.prototype;
defineProperty(SteppedDate, "prototype", { writable: false });
defineProperty(SteppedDate, "parse", { value: NativeDate.parse, writable: true, configurable: true });
defineProperty(SteppedDate, "UTC", { value: NativeDate.UTC, writable: true, configurable: true });
defineProperty(SteppedDate, "now", { value: function now() { return wall(); }, writable: true, configurable: true });
defineProperty(NativeDate.prototype, "constructor", { value: SteppedDate, writable: true, configurable: true });
defineProperty(page, "Date", { value: SteppedDate, writable: true, configurable: true });

replace(Performance.prototype, "now", function () { return millisecondsHere(); });
replaceGetter(Performance.prototype, "timeOrigin", () => settings.epochMs + START);
replaceGetter(Event.prototype, "timeStamp", () => millisecondsHere());
replaceGetter(AnimationTimeline.prototype, "currentTime", () => millisecondsHere());
replaceGetter(Document.prototype, "lastModified", () => "01/01/2026 00:00:00");

// How long things really took is no part of a stepped world: no entries, and timings of zero.
const marks = list();
for (const name of ["getEntries", "getEntriesByType", "getEntriesByName"]) {
  replace(Performance.prototype, name, name === "getEntriesByName"
    ? function (wanted) { return marked((entry) => entry.name === String(wanted)); }
    : name === "getEntriesByType"
      ? function (wanted) { return marked((entry) => entry.entryType === String(wanted)); }
      : function () { return marked(() => true); });
}
const marked = (fits) => {
  const found = [];
  for (let i = 0; i < marks.length; i += 1) {
    if (fits(marks[i])) defineProperty(found, found.length, { value: marks[i], writable: true, configurable: true, enumerable: true });
  }
  return found;
};
const MOST_MARKS = 10_000;
const addMark = (entryType, name, startTime, duration, detail) => {
  const entry = { name: String(name), entryType, startTime, duration, detail: detail ?? null };
  if (marks.length < MOST_MARKS) marks[marks.length] = entry;
  return entry;
};
const markTime = (value, otherwise) => {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === "number") return value;
  for (let i = marks.length - 1; i >= 0; i -= 1) if (marks[i].name === String(value)) return marks[i].startTime;
  return otherwise;
};
replace(Performance.prototype, "mark", function (name, options) {
  return addMark("mark", name, markTime(options?.startTime, millisecondsHere()), 0, options?.detail);
});
replace(Performance.prototype, "measure", function (name, from, to) {
  const options = typeof from === "object" && from !== null ? from : { start: from, end: to };
  const start = markTime(options.start, 0);
  const end = markTime(options.end, options.duration === undefined ? millisecondsHere() : start + options.duration);
  return addMark("measure", name, start, end - start, options.detail);
});
const clearMarks = (kind) => function (name) {
  let kept = 0;
  for (let i = 0; i < marks.length; i += 1) {
    const goes = marks[i].entryType === kind && (name === undefined || marks[i].name === String(name));
    if (!goes) { marks[kept] = marks[i]; kept += 1; }
  }
  marks.length = kept;
};
replace(Performance.prototype, "clearMarks", clearMarks("mark"));
replace(Performance.prototype, "clearMeasures", clearMarks("measure"));
replaceGetter(Performance.prototype, "memory", () => ({ jsHeapSizeLimit: 2 ** 31, totalJSHeapSize: 2 ** 24, usedJSHeapSize: 2 ** 23 }));
replaceGetter(Performance.prototype, "timing", () => undefined);
replaceGetter(Performance.prototype, "navigation", () => undefined);
replace(Performance.prototype, "toJSON", function () { return { timeOrigin: settings.epochMs + START }; });
if (page.PerformanceObserver) replace(PerformanceObserver.prototype, "observe", function () {});

// "Now" is what these take when they are given nothing.
const formats = page.Intl.DateTimeFormat.prototype;
const nativeFormat = getter(formats, "format");
replaceGetter(formats, "format", function () {
  const format = apply(nativeFormat, this, []);
  return (date) => format(date === undefined ? wall() : date);
});
const nativeParts = formats.formatToParts;
replace(formats, "formatToParts", function (date) {
  return apply(nativeParts, this, [date === undefined ? wall() : date]);
});
if (page.Temporal) {
  const { Instant, Now } = page.Temporal;
  const fromMilliseconds = Instant.fromEpochMilliseconds;
  const toZoned = Instant.prototype.toZonedDateTimeISO;
  const zone = Now.timeZoneId;
  const instant = () => apply(fromMilliseconds, Instant, [wall()]);
  const zoned = (name) => apply(toZoned, instant(), [name === undefined ? zone() : name]);
  const ZonedDateTime = page.Temporal.ZonedDateTime;
  replace(Now, "instant", function () { return instant(); });
  replace(Now, "zonedDateTimeISO", function (name) { return zoned(name); });
  for (const [name, convert] of [
    ["plainDateTimeISO", method(ZonedDateTime, "toPlainDateTime")],
    ["plainDateISO", method(ZonedDateTime, "toPlainDate")],
    ["plainTimeISO", method(ZonedDateTime, "toPlainTime")],
  ]) replace(Now, name, function (zoneName) { return apply(convert, zoned(zoneName), []); });
}
if (page.File) {
  const NativeFile = page.File;
  const SteppedFile = function File(parts, name, options) {
    return construct(NativeFile, [parts, name, { lastModified: wall(), ...options }], new.target ?? NativeFile);
  };
  SteppedFile.prototype = NativeFile.prototype;
  defineProperty(NativeFile.prototype, "constructor", { value: SteppedFile, writable: true, configurable: true });
  defineProperty(page, "File", { value: SteppedFile, writable: true, configurable: true });
}
