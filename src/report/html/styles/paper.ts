/**
 * Paper: everything open, nothing to press, always light. Sizes are a part of the page's own, which is smaller here, so that heads keep
 * their measure to what they stand over; a row has its columns as on a desk, though the sheet is no wider than a tablet.
 */
export const paper = `
@page {
  margin: 12mm 11mm 14mm;
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; color: #51606f; }
}
@media print {
  :root, :root[data-theme="dark"] { color-scheme: light; font-size: 9.6pt; }
  body { background: #fff; font-size: 9pt; line-height: 1.35; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 16pt; margin: 2px 0 8px; }
  .verdict { margin-top: 10px; padding: 8px 12px; }
  .toolbar { position: static; margin: 10px 0 0; padding: 0; border: 0; background: none; }
  .chips { margin: 0; }
  .filter { min-height: 0; padding: 1px 8px; }
  .group > summary { padding: 4px 0; }
  .group { border: 0; border-bottom: 1px solid var(--line); border-radius: 0; }
  .group > .names { display: block; margin: 0 0 6px; }
  .group > .rows { display: none; }
  .group::details-content { content-visibility: visible; display: block; }
  .theme, .controls, .more, .chip.still { display: none !important; }
  .many .card { content-visibility: visible; }
  .card > summary { grid-template-columns: 9.5em 9.5em minmax(0, 1.3fr) minmax(0, 1.5fr) auto; gap: 0 8px; padding: 3px 8px; break-after: avoid; break-inside: avoid; }
  .card .name { grid-column: 3; grid-row: 1; }
  .card .reason { grid-column: 4; grid-row: 1; white-space: normal; }
  .card .size { grid-column: 5; grid-row: 1; }
  .card[open] .name { grid-column: 3 / 5; }
  .card[open] .reason { display: none; }
  .body { display: block; padding: 2px 8px 6px; }
  .body > :not(:last-child) { break-after: avoid; }
  .body > p.urn { font-size: 7pt; }
  .note { padding: 3px 8px; break-inside: avoid; }
  .fields { font-size: 8pt; }
  .fields thead th { font-size: 7.5pt; }
  .fields th:first-child { width: 48%; }
  .fields th, .fields td { padding: 1px 6px; }
  .fields tr { break-inside: avoid-page; }
  .value.urn, .links { display: none; }
  h2 { margin: 14px 0 6px; break-after: avoid; }
  #deletes { margin-top: 14px; overflow: visible; }
  #deletes h2 { padding: 3px 10px; }
  .value, .scroll { max-height: none; overflow: visible; }
  .scroll > svg { width: 100%; height: auto; }
  .picture { break-inside: avoid; }
  * { print-color-adjust: exact; }
}
`;
