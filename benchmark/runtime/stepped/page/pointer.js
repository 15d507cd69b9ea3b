// When something moves under a pointer at rest, and when a page opens, the browser makes up movements of the mouse, by its
// own clock. A movement that leads nowhere is one of those: the page does not hear of it.
const screenX = getter(MouseEvent, "screenX");
const screenY = getter(MouseEvent, "screenY");
const pointerType = getter(PointerEvent, "pointerType");
const stopEvent = method(Event, "stopImmediatePropagation");
const typeOf = getter(Event, "type");
const rest = conductor.rest;
const overlook = (event) => {
  if (!event.isTrusted) return;
  const type = apply(typeOf, event, []);
  const place = type[0] === "p" ? rest.pointer : rest.mouse;
  if (type[0] === "p" && apply(pointerType, event, []) !== "mouse") return;
  const x = apply(screenX, event, []);
  const y = apply(screenY, event, []);
  if (x === place.x && y === place.y) return void apply(stopEvent, event, []);
  if (type === "pointermove" || type === "mousemove") { // the last of those that come of one movement
    place.x = x;
    place.y = y;
  }
};
const kindsOverlooked = list();
{
  let count = 0;
  for (const kind of ["move", "over", "out", "enter", "leave"]) {
    kindsOverlooked[count] = `pointer${kind}`;
    kindsOverlooked[count + 1] = `mouse${kind}`;
    count += 2;
  }
}
const listenFirst = () => {
  for (let i = 0; i < kindsOverlooked.length; i += 1) apply(addListener, page, [kindsOverlooked[i], overlook, true]);
};
listenFirst();
conductor.addStepping(listenFirst); // document.open takes listeners away; who has one gets no second
