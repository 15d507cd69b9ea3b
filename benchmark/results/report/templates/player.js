// Both pages are complete without this script; it adds filters to the list of trials and stepping to the demos.
"use strict";

(() => {
  const list = document.querySelector(".cards");
  if (list) trialList(list, document.querySelector(".filters"));
  const data = document.getElementById("demo-data");
  if (data) {
    const demos = [...document.querySelectorAll(".demo")].map((section) => demoPlayer(section, JSON.parse(data.textContent)[Number(section.dataset.demo)]));
    stepByKeyboard(demos.filter(Boolean));
  }
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));

  // --- front page ---------------------------------------------------------------------------------------------

  function trialList(list, form) {
    const fields = form.elements;
    const cards = [...list.children].map((element, index) => ({
      element, index, text: element.textContent.toLowerCase() + " " + element.dataset.task.toLowerCase(), ...element.dataset,
    }));
    const by = (key) => (a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : a.index - b.index);
    const byNumber = (key, sign) => (a, b) => sign * (Number(a[key]) - Number(b[key])) || a.index - b.index;
    // a void has no score: it comes last whichever way the scores go
    const worst = (a, b) => (a.outcome === "void") - (b.outcome === "void") || byNumber("score", 1)(a, b);
    const orders = {
      "": (a, b) => a.index - b.index, best: byNumber("score", -1), worst, agent: by("agent"), family: by("family"), longest: byNumber("seconds", -1),
    };
    // those that this run has a choice of
    const filters = ["agent", "track", "feedback", "family", "outcome"].filter((key) => fields[key]);
    const remembered = ["text", ...filters, "sort"];
    let order = "";

    function apply() {
      const words = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = filters.map((key) => [key, fields[key].value]).filter(([, value]) => value);
      if (fields.sort.value !== order) {
        order = fields.sort.value;
        cards.sort(orders[order] || orders[""]);
      }
      const shown = cards.filter((card) => wanted.every(([key, value]) => card[key] === value) && words.every((word) => card.text.includes(word)));
      // Taken out, not hidden: hiding most of a thousand cards that are drawn only when in view took a second.
      list.replaceChildren(...shown.map((card) => card.element));
      fields.count.value = `${shown.length} of ${cards.length}`;
      document.querySelector(".empty").hidden = shown.length > 0;
      remember();
    }

    function remember() {
      const state = new URLSearchParams();
      for (const name of remembered) if (fields[name].value) state.set(name, fields[name].value);
      const text = state.toString();
      if (text || location.hash.startsWith("#trials?")) history.replaceState(null, "", text ? `#trials?${text}` : "#trials");
    }

    function recall() {
      if (!location.hash.startsWith("#trials?")) return;
      for (const [name, value] of new URLSearchParams(location.hash.slice("#trials?".length))) {
        if (remembered.includes(name)) fields[name].value = value;
      }
      document.getElementById("trials").scrollIntoView();
    }

    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    document.querySelectorAll("a[data-agent]").forEach((link) => link.addEventListener("click", () => {
      form.reset();
      for (const key of filters) fields[key].value = link.dataset[key] || "";
      setTimeout(apply); // after the link's own jump
    }));
    form.hidden = false;
    recall();
    apply();
  }

  // --- demos --------------------------------------------------------------------------------------------------

  // , and . step the demo that was used last, or the one that is most in view.
  function stepByKeyboard(demos) {
    let last = null;
    for (const one of demos) {
      for (const kind of ["pointerdown", "focusin"]) one.section.addEventListener(kind, () => { last = one; });
    }
    const inView = (one) => {
      const box = one.section.getBoundingClientRect();
      return Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0));
    };
    document.addEventListener("keydown", (event) => {
      const by = { ",": -1, ".": 1 }[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
      const one = last && inView(last) ? last : [...demos].sort((a, b) => inView(b) - inView(a))[0];
      if (!one) return;
      event.preventDefault();
      one.step(by);
    });
  }
})();
