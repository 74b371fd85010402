import { expect, test } from "vitest";
import type { Deed } from "../../../src/engine/undo/deed.ts";
import { KeptPlans } from "../../../src/engine/undo/kept-plans.ts";
import type { Planned, Reverse } from "../../../src/engine/undo/plan.ts";
import { describeDeed } from "../../../src/engine/undo/words.ts";
import { standsAlone } from "../../../src/engine/facets/standing.ts";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import { registry } from "../../../src/kinds/index.ts";
import type { Json } from "../../../src/model/json.ts";

const terms = registry.movedKind("terms");
if (!standsAlone(terms) || terms.update === undefined || terms.remove === undefined)
  throw new Error("terms are created, changed and deleted");
const { update, remove, create } = terms;
const kind: MovedKind = terms;

function planned(number: number, reverse: Reverse | undefined): Planned {
  const urn = `urn:collibra:term:00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const intent = { source: urn, name: "x" };
  const base = { kind: "terms", source: urn, target: urn, name: "x", left: undefined, before: undefined };
  const deed: Deed = { ...base, what: "created", intent, undos: [], sent: [], keys: {} };
  const change = describeDeed(deed, "update", "the run changed it");
  return { deed, kind, change, ...(reverse === undefined ? {} : { reverse }) };
}

const text: Json = "what it said ".repeat(100);

test("what is kept of a plan says the same, also of what is sent, and is not kept twice", () => {
  const { keep } = new KeptPlans();
  for (const reverse of [
    undefined,
    { what: "patch", steps: update, target: "T", patch: { name: "before", extra: null } },
    { what: "create", steps: create, body: { name: "before", parts: [{ text }] }, after: ["a"] },
    { what: "delete", steps: [remove] },
  ] satisfies readonly (Reverse | undefined)[]) {
    const one = planned(1, reverse);
    const kept = keep(one);
    expect(kept).toEqual(one);
    expect(kept.deed).toBe(one.deed);
    expect(keep(kept)).toBe(kept);
  }
});

test("bodies and changes of many are on disk, and what is the same of deletions is held once", () => {
  let bytes = 0;
  const { keep } = new KeptPlans(() => ({
    append: (more) => {
      bytes += more.length;
    },
    read: () => {
      throw new Error("nobody has asked");
    },
  }));
  for (let number = 0; number < 5_000; number += 1)
    keep(planned(number, { what: "patch", steps: update, target: "T", patch: { text } }));
  expect(bytes).toBeGreaterThan(4 << 20);
  const deletes = [1, 2].map((number) => keep(planned(number, { what: "delete", steps: [remove] })).reverse);
  expect(deletes[0]).toBe(deletes[1]);
});
