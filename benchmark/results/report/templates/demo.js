// A demo that can be played, sought and stepped: in the report, and where people judge a run.
"use strict";

function demoPlayer(section, facts) {
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
  let slides = null; // stills that play as a film does

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
    where.textContent = `${(frame / facts.fps).toFixed(1)} s, frame ${Math.round(frame)}`;
    const current = stillAt(frame);
    for (const link of stills) link.toggleAttribute("aria-current", link === current);
    if (picture && picture.src !== current.href) picture.src = current.href;
    section.dispatchEvent(new CustomEvent("frame", { detail: frame }));
  }

  function keepInView() {
    const names = track.offsetLeft;
    const x = names + track.offsetWidth * ((frame - facts.first) / facts.frames);
    if (x < roll.scrollLeft + names || x > roll.scrollLeft + roll.clientWidth - 40) roll.scrollLeft = x - names - 40;
  }

  function seek(at) {
    clearInterval(slides);
    slides = null;
    if (video) {
      video.pause();
      video.currentTime = Math.min(toTime(within(at)), Number.isFinite(video.duration) ? video.duration - 0.001 : Infinity);
    }
    show(at);
    keepInView();
  }

  function nextStill(by) {
    const next = stills[stills.indexOf(stillAt(frame)) + by];
    return next && Number(next.dataset.frame);
  }

  function step(by) {
    if (video) return seek(toFrame(video.currentTime) + by * stride);
    const next = nextStill(by);
    return next !== undefined && seek(next);
  }

  function toggle() {
    if (video) return video.paused ? video.play().catch(() => {}) : video.pause();
    if (slides) return seek(frame);
    if (nextStill(1) === undefined) show(facts.first);
    slides = setInterval(() => {
      const next = nextStill(1);
      if (next === undefined) return seek(frame);
      show(next);
      return keepInView();
    }, (facts.every / facts.fps) * 1000);
    return undefined;
  }

  // `timeupdate` comes four times a second, which is too seldom to see a key go down
  function follow() {
    if (!video || video.paused) return;
    show(toFrame(video.currentTime));
    keepInView();
    requestAnimationFrame(follow);
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
    video.addEventListener("play", follow);
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
  fit.addEventListener("click", () => {
    fit.setAttribute("aria-pressed", String(roll.classList.toggle("fit")));
    keepInView();
  });
  section.querySelector(".controls").hidden = false;
  return { section, step, seek, toggle, frame: () => frame, pause: () => { if (video ? !video.paused : slides) toggle(); } };
}
