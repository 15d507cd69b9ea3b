// Both pages are complete without this script; it adds filters to the list of trials and stepping to the demos.
"use strict";

(() => {
  const list = document.querySelector(".cards");
  if (list) trialList(list, document.querySelector(".filters"));
  const data = document.getElementById("demo-data");
  if (data) {
    const demos = [...document.querySelectorAll(".demo")].map((section) => demo(section, JSON.parse(data.textContent)[Number(section.dataset.demo)]));
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
    let order = "";

    function apply() {
      const words = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = ["agent", "family", "outcome"].map((key) => [key, fields[key].value]).filter(([, value]) => value);
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
      for (const name of ["text", "agent", "family", "outcome", "sort"]) if (fields[name].value) state.set(name, fields[name].value);
      const text = state.toString();
      if (text || location.hash.startsWith("#trials?")) history.replaceState(null, "", text ? `#trials?${text}` : "#trials");
    }

    function recall() {
      if (!location.hash.startsWith("#trials?")) return;
      for (const [name, value] of new URLSearchParams(location.hash.slice("#trials?".length))) {
        if (["text", "agent", "family", "outcome", "sort"].includes(name)) fields[name].value = value;
      }
      document.getElementById("trials").scrollIntoView();
    }

    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    document.querySelectorAll("a[data-agent]").forEach((link) => link.addEventListener("click", () => {
      form.reset();
      fields.agent.value = link.dataset.agent;
      fields.family.value = link.dataset.family || "";
      setTimeout(apply); // after the link's own jump
    }));
    form.hidden = false;
    recall();
    apply();
  }

  // --- a demo -------------------------------------------------------------------------------------------------

  function demo(section, facts) {
    const stills = [...section.querySelectorAll(".strip a")];
    if (!stills.length || !facts) return null;
    let video = section.querySelector("video");
    let picture = section.querySelector(".picture");
    const roll = section.querySelector(".roll");
    const track = section.querySelector(".track");
    const playhead = section.querySelector(".playhead");
    const where = section.querySelector(".where");
    const fit = section.querySelector("[data-fit]");
    let frame = facts.first;

    // Film frames are `stride` demo frames apart; the middle of one is safe from rounding at its edges.
    const stride = facts.fps / facts.videoFps;
    const toTime = (at) => (Math.floor((at - facts.first) / stride + 1e-6) + 0.5) / facts.videoFps;
    const toFrame = (time) => facts.first + Math.floor(time * facts.videoFps + 1e-6) * stride;
    const stillAt = (at) => stills[Math.max(0, stills.filter((link) => Number(link.dataset.frame) <= at).length - 1)];

    const within = (at) => Math.min(Math.max(at, facts.first), facts.last);

    function show(at) {
      frame = within(at);
      playhead.hidden = false;
      playhead.style.left = `${((frame - facts.first) / facts.frames) * 100}%`;
      where.value = `${(frame / facts.fps).toFixed(1)} s, frame ${Math.round(frame)}`;
      const current = stillAt(frame);
      for (const link of stills) link.toggleAttribute("aria-current", link === current);
      if (picture) picture.src = current.href;
    }

    function keepInView() {
      const names = track.offsetLeft;
      const x = names + track.offsetWidth * ((frame - facts.first) / facts.frames);
      if (x < roll.scrollLeft + names || x > roll.scrollLeft + roll.clientWidth - 40) roll.scrollLeft = x - names - 40;
    }

    function seek(at) {
      if (video) {
        video.pause();
        video.currentTime = Math.min(toTime(within(at)), Number.isFinite(video.duration) ? video.duration - 0.001 : Infinity);
      }
      show(at);
      keepInView();
    }

    function step(by) {
      if (video) return seek(toFrame(video.currentTime) + by * stride);
      const next = stills[stills.indexOf(stillAt(frame)) + by];
      return next && seek(Number(next.dataset.frame));
    }

    function withoutVideo() {
      if (!video) return;
      picture = Object.assign(document.createElement("img"), { className: "picture", alt: "A still of this demo", width: 854, height: 480 });
      const note = Object.assign(document.createElement("p"), { className: "hint", textContent: "The film cannot be played here; the stills are shown instead." });
      video.replaceWith(picture, note);
      video = null;
      show(frame);
    }

    if (video) {
      video.addEventListener("timeupdate", () => { if (!video.paused) { show(toFrame(video.currentTime)); keepInView(); } });
      video.addEventListener("seeked", () => show(toFrame(video.currentTime)));
      video.addEventListener("error", withoutVideo);
      if (video.error) withoutVideo();
    }
    for (const link of stills) {
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        seek(Number(link.dataset.frame));
      });
    }
    section.querySelector(".lanes").addEventListener("click", (event) => {
      const box = track.getBoundingClientRect();
      seek(facts.first + Math.floor(((event.clientX - box.left) / box.width) * facts.frames));
    });
    section.querySelectorAll("[data-step]").forEach((button) => button.addEventListener("click", () => step(Number(button.dataset.step))));
    fit.addEventListener("click", () => fit.setAttribute("aria-pressed", String(roll.classList.toggle("fit"))));
    section.querySelector(".controls").hidden = false;
    return { section, step };
  }

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
