"use strict";

(() => {
  const status = document.getElementById("status");

  async function exportFiles() {
    status.textContent = "writing…";
    try {
      const answer = await fetch("export", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
      const said = await answer.json();
      status.textContent = answer.ok ? `${said.files.length} files are in the run’s folder ${said.folder}` : said.error;
    } catch {
      status.textContent = "The server does not answer. Start it again, then try once more.";
    }
  }

  document.querySelector("[data-export]").addEventListener("click", exportFiles);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "e") exportFiles();
    else if (event.key === "b" || event.key === "Escape") document.querySelector("[data-back]").click();
  });
})();
