/** The lists of changes, and what is inside of one. */
export const rows = `
.rows { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.many .card { content-visibility: auto; contain-intrinsic-size: auto 44px; }
.card { border-top: 1px solid var(--line); }
.card:first-child { border-top: 0; }
.card > summary { display: grid; grid-template-columns: 9.5em 10em minmax(8em, 1.3fr) minmax(8em, 1.5fr) 8.5em; gap: 0 12px; align-items: baseline; padding: 9px 14px; cursor: pointer; list-style: none; border-radius: 8px; }
.card > summary::-webkit-details-marker { display: none; }
.card > summary:hover { background: var(--sunken); }
.card[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.card.found { box-shadow: 0 0 0 2px var(--link); border-radius: 8px; }
.rows:empty { display: none; }
.group { margin: 0 0 8px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.group > summary { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: baseline; padding: 9px 14px; cursor: pointer; }
.group > summary .reason { color: var(--soft); font-size: .9rem; }
.group > .rows { border-width: 1px 0 0; border-radius: 0 0 8px 8px; }
.group > .more { margin-bottom: 12px; }
.group > .names { display: none; }
.folded > summary { cursor: pointer; padding: 8px 0; }
.folded .note + .note, .note + .folded { margin-top: 8px; }
.badge { justify-self: start; padding: 1px 9px; border-radius: 5px; background: var(--tint); color: var(--ink); font-size: .85rem; }
.badge > span { font-family: var(--mono); font-weight: 700; }
.card .kind { color: var(--soft); }
.card .name { font-weight: 600; }
.card .size { order: 5; color: var(--soft); font-size: .87rem; text-align: right; white-space: nowrap; }
.card .said { margin-left: 8px; padding: 0 6px; border-radius: 5px; background: var(--gray-ground); }
.card .said.error { background: var(--red-ground); color: var(--red); }
.card .said.warning { background: var(--amber-ground); color: var(--amber); }
.card .reason { color: var(--soft); font-size: .9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.card[open] .reason { visibility: hidden; }
.body { display: grid; gap: 8px; padding: 12px 14px 16px; min-width: 0; }
.urn { color: var(--soft); }
.note { padding: 8px 12px; border-radius: 6px; background: var(--gray-ground); }
.note.error { background: var(--red-ground); }
.note.error b { color: var(--red); }
.note.warning { background: var(--amber-ground); }
.note.warning b { color: var(--amber); }
.note .code { color: var(--soft); font-family: var(--mono); font-size: .85em; }
.note + .note { margin-top: 8px; }
.body .note + .note { margin-top: 0; }
.step b { color: var(--link); margin-right: 4px; }
.step code { padding: 2px 7px; background: var(--gray-ground); border-radius: 5px; user-select: all; }
.cause { display: grid; gap: 6px; margin: 0 0 12px; padding: 12px 14px; background: var(--surface); border: 1px solid var(--line); border-left: 4px solid var(--ink); border-radius: 8px; min-width: 0; overflow-wrap: anywhere; }
.cause h3 { margin: 0; font-size: 1rem; }
.cause .size { font-weight: 600; color: var(--ink); }
.cause .why { color: var(--soft); font-size: .9rem; }
.cause p { margin: 0; }
.fields { width: 100%; border-collapse: collapse; table-layout: fixed; border: 1px solid var(--line); font-size: .93rem; }
.fields th, .fields td { padding: 6px 10px; text-align: start; vertical-align: top; border: 1px solid var(--line); }
.fields thead th { background: var(--sunken); color: var(--soft); font-weight: 600; font-size: .85rem; }
.fields th:first-child { width: 24%; }
.fields tbody th { font-weight: 400; background: var(--sunken); }
.fields .absent { color: var(--soft); }
.value { white-space: pre-wrap; max-height: 22em; overflow: auto; }
.value.urn { font-size: .8em; }
.refers { display: block; font-weight: 600; }
.fields del { text-decoration: none; background: var(--red-ground); color: var(--red); border-radius: 3px; box-shadow: inset 0 -1.5px var(--red); }
.fields ins { text-decoration: none; background: var(--green-ground); color: var(--green); border-radius: 3px; box-shadow: inset 0 -1.5px var(--green); }
.links { display: flex; flex-wrap: wrap; gap: 6px; align-items: baseline; font-size: .9rem; }
.links b { margin-right: 2px; }
.chip { font: inherit; max-width: 100%; padding: 1px 10px; text-align: start; color: var(--link); background: none; border: 1px solid var(--line); border-radius: 999px; cursor: pointer; }
.chip:hover { border-color: var(--link); }
.links .rest { color: var(--soft); }
.chip.still { color: var(--soft); cursor: default; border-style: dashed; }
#deletes { margin-top: 32px; border: 2px solid var(--alarm); border-radius: 10px; overflow: hidden; }
#deletes h2 { margin: 0; padding: 8px 14px; background: var(--alarm); color: #fff; }
#deletes h2 .count { color: #fff; }
#deletes .rows { border: 0; border-radius: 0; }
#deletes .card > summary { border-radius: 0; }
@media (max-width: 860px) {
  .card > summary { grid-template-columns: auto auto 1fr auto; gap: 4px 10px; }
  .card .name { grid-column: 1 / -1; grid-row: 2; }
  .card .reason { grid-column: 1 / -1; grid-row: 3; white-space: normal; }
  .card .size { grid-column: 4; grid-row: 1; }
  .card[open] .reason { display: none; }
}
@media (max-width: 640px) {
  .fields, .fields tbody, .fields tr, .fields td, .fields th { display: block; width: 100%; border: 0; }
  .fields { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
  .fields thead { display: none; }
  .fields th:first-child { width: 100%; }
  .fields tr + tr { border-top: 1px solid var(--line); }
  .fields td::before { content: attr(data-label); display: block; color: var(--soft); font-size: .8rem; }
}
`;
