/** Paper: everything open, nothing to press, always light. */
export const paper = `
@page { margin: 10mm; }
@media print {
  :root, :root[data-theme="dark"] { color-scheme: light; }
  body { background: #fff; font-size: 9pt; line-height: 1.35; }
  main { max-width: none; padding: 0; }
  .toolbar { position: static; border: 0; break-after: page; }
  .group > summary { padding: 4px 0; }
  .group { border: 0; border-bottom: 1px solid var(--line); border-radius: 0; }
  .group > .names { display: block; margin: 0 0 6px; font-size: 9.5pt; }
  .group > .rows { display: none; }
  .group::details-content { content-visibility: visible; display: block; }
  #creates .card > summary, #knowns .card > summary { padding: 3px 8px; }
  .theme, .controls, .more, .chip.still { display: none !important; }
  .many .card { content-visibility: visible; }
  .card > summary { padding: 4px 8px; break-after: avoid; }
  .body { display: block; padding: 2px 8px 6px; }
  .body > p.urn { font-size: 7pt; }
  .fields { font-size: 8pt; }
  .fields th:first-child { width: 48%; }
  .fields th, .fields td { padding: 1px 6px; }
  .fields tr { break-inside: avoid-page; }
  .value.urn, .links { display: none; }
  h2 { margin: 14px 0 6px; break-after: avoid; }
  .value, .scroll { max-height: none; overflow: visible; }
  .scroll > svg { width: 100%; height: auto; }
  .picture { break-inside: avoid; }
  * { print-color-adjust: exact; }
}
`;
