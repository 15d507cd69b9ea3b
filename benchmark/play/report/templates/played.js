// A played trial is complete without this script: it shows one step at a time, chosen with a slider.
(() => {
  const played = document.querySelector("[data-played]");
  const bar = played && played.querySelector(".played-bar");
  if (!bar) return;
  const slider = bar.querySelector("input[type=range]");
  const all = bar.querySelector("input[type=checkbox]");
  const output = bar.querySelector("output");
  const steps = [...played.querySelectorAll(".played-steps > li")];
  const links = [...played.querySelectorAll(".played-strip a")];
  const now = played.querySelector(".played-now");
  bar.hidden = false;

  function show() {
    const number = Number(slider.value);
    steps.forEach((step, place) => { step.hidden = !all.checked && place !== number; });
    output.value = number ? `step ${number} of ${steps.length - 1}` : "at the start";
    const x = steps.length > 1 ? (number * 600) / (steps.length - 1) : 0;
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    now.setAttribute("visibility", "visible");
    // the last picture that was taken up to here
    let current = null;
    for (const link of links) {
      link.removeAttribute("aria-current");
      if (Number(link.dataset.to) <= number) current = link;
    }
    if (current) {
      current.setAttribute("aria-current", "step");
      const strip = current.closest("ol");
      strip.scrollLeft = current.parentElement.offsetLeft - strip.offsetLeft - strip.clientWidth / 2;
    }
  }

  function to(number) {
    slider.value = String(number);
    show();
  }

  slider.addEventListener("input", show);
  all.addEventListener("change", show);
  bar.addEventListener("click", (event) => {
    const by = event.target.dataset.by;
    if (by) to(Number(slider.value) + Number(by));
  });
  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (!all.checked) event.preventDefault();
      to(Number(link.dataset.to));
    });
  }
  function fromAddress() {
    const asked = /^#step-(\d+)$/.exec(location.hash);
    if (asked) to(Math.min(Number(asked[1]), steps.length - 1));
  }
  window.addEventListener("hashchange", fromAddress);
  window.addEventListener("beforeprint", () => steps.forEach((step) => { step.hidden = false; }));
  window.addEventListener("afterprint", show);
  show();
  fromAddress();
})();
