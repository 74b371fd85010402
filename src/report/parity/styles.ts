/** Bars beside each other, what stands below them, the line of the last runs. */
export const parityStyles = `
.different { --ink: var(--red); --tint: var(--red-ground); }
.not-comparable { --ink: var(--amber); --tint: var(--amber-ground); }
.equal { --ink: var(--green); --tint: var(--green-ground); }
:root { --from: var(--blue); --to: var(--teal); }
.pair > summary { grid-template-columns: 9.5em minmax(9em, 1.2fr) minmax(15em, 1.6fr) 7em; }
.pair .who { min-width: 0; }
.pair .who .kind { display: block; font-size: .85rem; }
.pair .size { order: 0; font-weight: 650; color: var(--ink); }
.pair .reason { grid-column: 2 / -1; white-space: normal; }
.pair[open] > summary .reason { visibility: visible; }
.duo { display: grid; grid-template-columns: fit-content(9em) minmax(4em, 1fr) 4.8em minmax(0, 7.5em); gap: 3px 8px; min-width: 0; font-size: .87rem; }
.side { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; align-items: center; }
.side .where { color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.side .number { text-align: right; font-variant-numeric: tabular-nums; font-weight: 600; }
.side .records { color: var(--soft); font-size: .8rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.bar { display: block; width: 100%; height: 10px; border-radius: 3px; background: var(--gray-ground); }
.bar rect { fill: var(--from); }
.target .bar rect { fill: var(--to); }
.parts { width: 100%; border-collapse: collapse; font-size: .93rem; }
.parts th, .parts td { padding: 6px 10px; text-align: start; vertical-align: middle; border-top: 1px solid var(--line); }
.parts tr:first-child > * { border-top: 0; }
.parts th { width: 26%; font-weight: 600; }
.parts td.by { width: 7em; text-align: end; white-space: nowrap; font-weight: 600; color: var(--red); }
.box { border: 1px solid var(--line); border-radius: 8px; min-width: 0; overflow-x: auto; }
.box > h3, .trend h3 { margin: 0; padding: 6px 10px; font-size: .87rem; font-weight: 600; color: var(--soft); background: var(--sunken); border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.instance > summary { padding: 6px 10px; cursor: pointer; border-top: 1px solid var(--line); display: grid; grid-template-columns: 26% 1fr 7em; gap: 0 10px; align-items: center; list-style: none; }
.instance > summary::-webkit-details-marker { display: none; }
.instance > summary:hover { background: var(--sunken); }
.instance:first-of-type > summary { border-top: 0; }
.instance .about { display: block; font-weight: 400; font-size: .85rem; color: var(--soft); }
.instance .by { text-align: end; font-weight: 600; color: var(--red); }
.instance .facts { margin: 0 10px 10px; }
.facts { border-collapse: collapse; font-size: .9rem; }
.facts th, .facts td { padding: 3px 12px 3px 0; text-align: start; font-weight: 400; vertical-align: top; }
.box > .facts { margin: 4px 10px; }
.facts thead th { color: var(--soft); font-size: .82rem; }
.facts tbody th { color: var(--text); }
.facts td { font-variant-numeric: tabular-nums; }
.samples { border-collapse: collapse; font-size: .82rem; }
.samples th, .samples td { padding: 3px 8px; text-align: start; border-top: 1px solid var(--line); white-space: nowrap; max-width: 18em; overflow: hidden; text-overflow: ellipsis; }
.samples .none { color: var(--soft); font-style: italic; }
.trend { border: 1px solid var(--line); border-radius: 8px; }
.trend svg { display: block; width: 100%; max-width: 420px; height: 96px; padding: 8px 10px; overflow: visible; }
.trend polyline { fill: none; stroke: var(--from); stroke-width: 2; vector-effect: non-scaling-stroke; }
.trend .target polyline { stroke: var(--to); }
.trend circle { fill: var(--from); }
.trend .target circle { fill: var(--to); }
.trend .legend { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0 10px 8px; color: var(--soft); font-size: .85rem; }
.key { display: inline-block; width: 14px; height: 4px; border-radius: 2px; margin-right: 6px; vertical-align: middle; background: var(--from); }
.key.target { background: var(--to); }
@media (max-width: 860px), print {
  .pair > summary { grid-template-columns: 1fr auto; gap: 6px 10px; }
  .pair .who { grid-column: 1 / -1; grid-row: 2; }
  .pair .duo { grid-column: 1 / -1; grid-row: 3; }
  .pair .size { grid-column: 2; grid-row: 1; }
  .pair .reason { grid-column: 1 / -1; grid-row: 4; }
  .instance > summary { grid-template-columns: 1fr; gap: 4px; }
  .instance .by { text-align: start; }
  .pair[open] > summary .reason { display: block; }
  .parts, .parts tbody, .parts tr, .parts th, .parts td { display: block; width: 100%; border: 0; padding: 2px 0; }
  .parts tr { border-top: 1px solid var(--line); padding: 6px 10px; }
  .duo { grid-template-columns: fit-content(8em) minmax(3em, 1fr) 4.6em minmax(5.5em, auto); }
  .parts td.by { width: auto; text-align: start; }
}
@media print {
  .pair .bar, .key { print-color-adjust: exact; }
  .pair:not([open]), .duo, .parts tr, .instance > summary, .facts, .samples, .trend { break-inside: avoid; }
  .box > h3, .trend h3 { padding: 3px 8px; break-after: avoid; }
}
`;
