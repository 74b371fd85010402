/** One colour for each meaning, in light and in dark; every pair of text and ground has a contrast of 4.5 or more. */
export const palette = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f3f5f7, #0f141a);
  --surface: light-dark(#ffffff, #171e26);
  --sunken: light-dark(#f7f9fa, #131920);
  --text: light-dark(#18212b, #e4eaf0);
  --soft: light-dark(#51606f, #9fadbb);
  --line: light-dark(#d5dce3, #2d3843);
  --strong: light-dark(#aab6c2, #4a5866);
  --link: light-dark(#0a5a8f, #7cc0f2);
  --green: light-dark(#0b6238, #74d39c);
  --green-ground: light-dark(#e0f3e7, #143022);
  --blue: light-dark(#0a5296, #8cc2fa);
  --blue-ground: light-dark(#e2eefa, #152b42);
  --violet: light-dark(#623396, #c7a6f2);
  --violet-ground: light-dark(#efe7f9, #2c2040);
  --teal: light-dark(#0b5d66, #6fd0d9);
  --teal-ground: light-dark(#dcf1f3, #123034);
  --amber: light-dark(#7a4600, #f0b865);
  --amber-ground: light-dark(#fcefd9, #38290f);
  --red: light-dark(#a3141c, #ff9a95);
  --red-ground: light-dark(#fce5e5, #431a1c);
  --alarm: light-dark(#b3161e, #b3262c);
  --gray: light-dark(#4a5765, #aab6c2);
  --gray-ground: light-dark(#e9edf1, #252f39);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
.create { --ink: var(--green); --tint: var(--green-ground); }
.update { --ink: var(--blue); --tint: var(--blue-ground); }
.replace { --ink: var(--violet); --tint: var(--violet-ground); }
.adopt { --ink: var(--teal); --tint: var(--teal-ground); }
.delete, .failed { --ink: var(--red); --tint: var(--red-ground); }
.inDoubt, .conflict, .drift, .blocked, .manual { --ink: var(--amber); --tint: var(--amber-ground); }
.unchanged, .acknowledged, .filter.kind, .node.kind { --ink: var(--gray); --tint: var(--gray-ground); }
.good { --ink: var(--green); --tint: var(--green-ground); }
.news { --ink: var(--blue); --tint: var(--blue-ground); }
.warn { --ink: var(--amber); --tint: var(--amber-ground); }
.bad { --ink: var(--red); --tint: var(--red-ground); }
`;
