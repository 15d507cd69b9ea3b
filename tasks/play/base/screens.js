// What every game shows around itself: title, heads-up line, end, pause. A game gives colours and words.

export const THEME = {
  ink: "#f4f1e8", // text
  accent: "#ffcf6b", // numbers, buttons, what matters
  panel: "rgba(12,16,28,.82)", // behind text
  good: "#8fe3a2",
  bad: "#ff8a80",
};

export function drawTitle(pen, game, level) {
  const { theme, width, height } = pen;
  const middle = width / 2;
  pen.rect(0, 0, width, height, "rgba(0,0,0,.35)");
  const box = { width: Math.min(820, width - 80), height: 340 };
  pen.rect(middle - box.width / 2, height / 2 - box.height / 2, box.width, box.height, theme.panel, 24);
  pen.frame(middle - box.width / 2, height / 2 - box.height / 2, box.width, box.height, theme.accent, 2, 24);
  pen.text(game.title, middle, height / 2 - 100, { size: 58, bold: true, colour: theme.accent });
  game.how.forEach((line, i) => pen.text(line, middle, height / 2 - 30 + i * 34, { size: 22 }));
  pen.text("Enter or a click begins", middle, height / 2 + 105, { size: 24, bold: true });
  if (game.levels > 1) {
    pen.text(`Level ${level} of ${game.levels} — keys 1 to ${Math.min(9, game.levels)}`, middle, height / 2 + 142, { size: 18, colour: theme.accent });
  }
}

// A row of words and numbers over the picture: [["Boats", 3], ["Wrecks", "1 of 3"]].
export function drawHud(pen, entries) {
  const { theme } = pen;
  let x = 24;
  for (const [name, value] of entries) {
    const words = `${name} `;
    const number = String(value);
    pen.context.font = '20px "DejaVu Sans", Verdana, system-ui, sans-serif';
    const first = pen.context.measureText(words).width;
    pen.context.font = 'bold 22px "DejaVu Sans", Verdana, system-ui, sans-serif';
    const second = pen.context.measureText(number).width;
    pen.rect(x, 18, first + second + 32, 40, theme.panel, 12);
    pen.text(words, x + 16, 39, { size: 20, align: "left" });
    pen.text(number, x + 16 + first, 39, { size: 22, bold: true, colour: theme.accent, align: "left" });
    x += first + second + 46;
  }
}

export function drawEnd(pen, outcome, reason, again) {
  const { theme, width, height } = pen;
  pen.rect(0, 0, width, height, "rgba(0,0,0,.45)");
  pen.rect(width / 2 - 330, height / 2 - 100, 660, 200, theme.panel, 24);
  const won = outcome === "success";
  pen.text(won ? "Done!" : "Over", width / 2, height / 2 - 46, { size: 48, bold: true, colour: won ? theme.good : theme.bad });
  pen.text(reason, width / 2, height / 2 + 12, { size: 22 });
  pen.text(again, width / 2, height / 2 + 60, { size: 18, colour: theme.accent });
}
