import { describe, expect, test } from "vitest";
import { itemNotShown } from "../../../src/kinds/checks/item-not-shown.ts";
import type { CheckView } from "../../../src/kinds/kind.ts";
import { change, side, view } from "./support.ts";

const urnOf = (type: string, last: number): string =>
  `urn:x:dev:${type}:00000000-0000-4000-8000-${String(last).padStart(12, "0")}`;
const [customer, orders, rule] = [
  urnOf("catalog:catalog-item", 1),
  urnOf("catalog:catalog-item", 2),
  urnOf("dq:rule", 3),
];

/** A monitor of the first item that joins the second one, and how often its body was read. */
function looked(shown: readonly string[], refersTo: CheckView["refersTo"]): { held: boolean; reads: number } {
  const source = side({
    monitors: { monitor: { catalogItemUrn: customer } },
    "catalog-items": Object.fromEntries(shown.map((urn) => [urn, {}])),
  });
  let reads = 0;
  const body: typeof source.body = (kind, urn) => {
    reads += 1;
    return source.body(kind, urn);
  };
  const changes = [change("monitors", "monitor", "create")];
  const { held } = itemNotShown.run(view({ changes, source: { ...source, body }, refersTo }));
  return { held: held?.has("monitors:monitor") === true, reads };
}

describe("whether the source shows the item of a new monitor", () => {
  test("is known without its body where all items are shown that it refers to", () => {
    const refersTo = (): readonly string[] => [rule, customer, orders];
    expect(looked([customer, orders], refersTo)).toEqual({ held: false, reads: 0 });
  });

  test.each([
    ["its own is not shown", [orders], [customer, orders], true],
    ["another one is not", [customer], [customer, orders], false],
    ["it refers to none that is known", [customer], [rule], false],
    ["it refers to none that is known, and its own is not shown", [], [rule], true],
    ["what it refers to is not known", [customer], undefined, false],
    ["what it refers to is not known, and its own is not shown", [], undefined, true],
  ])("is looked for in its body where %s", (_where, shown, references, held) => {
    expect(looked(shown, () => references)).toEqual({ held, reads: 1 });
  });
});
