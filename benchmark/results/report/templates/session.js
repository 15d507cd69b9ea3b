// The steps of an agent: filters, marks that lead to them, pictures that open large. All of it can be read without.
"use strict";

(() => {
  const session = document.querySelector(".session");
  if (!session) return;
  const all = session.querySelector(".all-steps");
  const steps = [...session.querySelectorAll(".step")];
  filterSteps(session.querySelector(".step-filters"));
  viewPictures([...session.querySelectorAll(".picture-link")]);
  session.querySelectorAll("[data-step]").forEach((mark) => mark.addEventListener("click", () => {
    location.hash = `#step-${mark.dataset.step}`;
    reveal();
  }));
  window.addEventListener("hashchange", reveal);
  reveal();

  // A step may be folded away or filtered out when a link leads to it.
  function reveal() {
    const step = /^#step-\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!step) return;
    all.open = true;
    step.hidden = false;
    step.scrollIntoView({ block: "center" });
  }

  function filterSteps(form) {
    const wanted = () => [...form.querySelectorAll("input:checked")].map((box) => box.value);
    const fold = form.querySelector("[data-fold]");
    const empty = all.querySelector(".empty");
    function apply() {
      const tags = wanted();
      let shown = 0;
      for (const step of steps) {
        const own = step.dataset.tags.split(" ");
        step.hidden = tags.length > 0 && !tags.some((tag) => own.includes(tag));
        shown += !step.hidden;
      }
      form.elements.count.value = tags.length ? `${shown} of ${steps.length}` : "";
      empty.hidden = shown > 0;
    }
    form.addEventListener("change", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    fold.addEventListener("click", () => {
      const open = fold.textContent === "Unfold all";
      for (const step of steps) if (!step.hidden) step.querySelectorAll("details").forEach((one) => { one.open = open; });
      fold.textContent = open ? "Fold all" : "Unfold all";
    });
    form.hidden = false;
    apply();
  }

  function viewPictures(links) {
    if (!links.length) return;
    const make = (name, more) => Object.assign(document.createElement(name), more);
    const dialog = make("dialog", { className: "viewer" });
    const picture = make("img", { alt: "" });
    const title = make("p");
    const buttons = make("div");
    let at = 0;
    const show = (place) => {
      at = (place + links.length) % links.length;
      picture.src = links[at].href;
      picture.alt = links[at].dataset.title;
      title.textContent = `${at + 1} of ${links.length} · ${links[at].dataset.title}`;
    };
    for (const [text, act] of [["← Previous", () => show(at - 1)], ["Next →", () => show(at + 1)], ["Close", () => dialog.close()]]) {
      const button = make("button", { type: "button", textContent: text });
      button.addEventListener("click", act);
      buttons.append(button);
    }
    dialog.setAttribute("aria-label", "Picture");
    dialog.append(picture, title, buttons);
    dialog.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by) show(at + by);
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    links.forEach((link, place) => link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      show(place);
      dialog.showModal();
    }));
  }
})();
