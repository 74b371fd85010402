/** The sheet itself: type, spacing, buttons, what only a screen reader meets. */
export const page = `
* { box-sizing: border-box; }
html { scroll-padding-top: 12rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main { max-width: 1180px; margin: 0 auto; padding: 20px 24px 64px; }
h1, h2, p { margin: 0; }
h2 { font-size: 1.15rem; margin: 32px 0 10px; }
h2 .count { color: var(--soft); font-weight: 400; }
code, .urn, .path, .json, .details { font-family: var(--mono); font-size: .85em; }
b { font-weight: 600; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.button, select, input { font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--strong); border-radius: 6px; padding: 5px 10px; min-height: 34px; }
.button { cursor: pointer; }
.button:hover, select:hover { border-color: var(--soft); }
.more { display: block; margin: 12px auto 0; }
.empty { padding: 40px 0; text-align: center; color: var(--soft); }
.details { margin: 0; padding: 12px 14px; overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; white-space: pre; overflow-wrap: normal; }
@media (max-width: 640px) {
  main { padding: 14px 12px 48px; }
  html { scroll-padding-top: 1rem; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`;
