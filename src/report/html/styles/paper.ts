/** Paper: everything open, nothing to press, always light. */
export const paper = `
@media print {
  :root, :root[data-theme="dark"] { color-scheme: light; }
  body { background: #fff; font-size: 11pt; }
  main { max-width: none; padding: 0; }
  .toolbar { position: static; border: 0; }
  .theme, .controls, .more, .chip.still { display: none !important; }
  .many .card { content-visibility: visible; }
  .card { break-inside: avoid-page; }
  .value, .scroll { max-height: none; overflow: visible; }
  .picture svg { width: 100%; height: auto; }
  .picture { break-inside: avoid; }
  * { print-color-adjust: exact; }
}
`;
