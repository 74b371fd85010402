/** Header, verdict, filters, and the picture of the dependencies. */
export const frame = `
.top { display: flex; justify-content: space-between; align-items: center; gap: 12px; }
.tool { color: var(--soft); font-size: .87rem; }
.theme { font-size: .87rem; white-space: nowrap; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 4px 0 12px; }
.route { display: flex; align-items: center; gap: 14px; }
.port { min-width: 0; display: grid; padding: 8px 14px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.port .role { color: var(--soft); font-size: .8rem; line-height: 1.2; }
.port .where { font-weight: 650; font-size: 1.15rem; line-height: 1.35; }
.port .address { color: var(--soft); font-size: .8rem; }
.port.target { border-color: var(--strong); border-width: 2px; }
.crossing { flex: 0 1 90px; min-width: 28px; height: 12px; position: relative; }
.crossing::before { content: ""; position: absolute; inset: 5px 6px auto 0; border-top: 2px dashed var(--strong); }
.crossing::after { content: ""; position: absolute; right: 0; top: 0; border: 6px solid transparent; border-left: 10px solid var(--soft); border-right: 0; }
.verdict { margin-top: 14px; padding: 14px 18px; background: var(--tint); border-radius: 8px; }
.headline { color: var(--ink); font-weight: 650; font-size: 1.12rem; }
.consequence { margin: 4px 0; padding: 4px 10px; border-left: 4px solid var(--alarm); background: var(--surface); border-radius: 4px; overflow-wrap: anywhere; }
.flag { white-space: nowrap; }
.cost { color: var(--text); font-size: .9rem; }
.alarm { display: inline-block; padding: 1px 10px; border-radius: 5px; background: var(--alarm); color: #fff; font-size: .9rem; text-decoration: none; }
.next { display: flex; flex-wrap: wrap; align-items: baseline; gap: 6px 8px; margin-top: 10px; }
.next code { padding: 3px 8px; background: var(--surface); border-radius: 5px; user-select: all; }
.toolbar { position: sticky; top: 0; z-index: 2; margin: 14px -8px 0; padding: 10px 8px; background: var(--ground); border-bottom: 1px solid var(--line); }
.chips { display: flex; flex-wrap: wrap; gap: 6px 22px; margin-bottom: 8px; }
.filters { display: flex; flex-wrap: wrap; gap: 5px; }
.filter { font: inherit; font-size: .87rem; padding: 2px 10px; min-height: 30px; border: 1px solid transparent; border-radius: 999px; background: var(--tint); color: var(--ink); cursor: pointer; }
.filter:hover { border-color: var(--ink); }
.filter[aria-pressed="true"] { background: var(--ink); color: var(--surface); }
.filter.still { cursor: default; border-color: transparent; display: inline-flex; align-items: center; gap: .3em; }
.controls { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.controls input { flex: 1 1 240px; min-width: 0; }
.status { color: var(--soft); font-size: .87rem; margin-left: auto; }
.picture { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.scroll { overflow: auto; max-height: 560px; padding: 6px; }
.scroll > svg { display: block; max-width: 100%; height: auto; margin: 0 auto; font: 12.5px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.picture .hint { padding: 8px 14px; border-top: 1px solid var(--line); color: var(--soft); font-size: .87rem; }
.column { fill: var(--soft); font-weight: 600; }
.edge { fill: none; stroke: var(--strong); stroke-width: 1.4; }
#arrow path { fill: var(--soft); }
.node { cursor: pointer; outline: none; }
.node rect { fill: var(--tint); stroke: var(--ink); stroke-opacity: .45; }
.node text { fill: var(--ink); }
.node:hover rect, .node:focus-visible rect { stroke-opacity: 1; stroke-width: 2; }
.lit .edge:not(.near), .lit .node:not(.near) { opacity: .22; }
.lit .edge.near { stroke: var(--link); stroke-width: 2.2; }
@media (max-width: 640px) {
  h1 { font-size: 1.5rem; }
  .route { align-items: stretch; gap: 8px; }
  .port { flex: 1 1 0; padding: 6px 10px; }
  .crossing { align-self: center; flex: 0 0 28px; }
  .toolbar { position: static; }
  .controls input { flex-basis: 100%; }
  .controls select { flex: 1 1 auto; }
  .status { margin-left: 0; flex-basis: 100%; }
}
`;
