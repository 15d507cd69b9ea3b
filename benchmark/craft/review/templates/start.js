"use strict";

(() => {
  const field = document.getElementById("name");
  field.select();
  document.getElementById("who").addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`as/${field.value}/`);
  });
})();
