import { expect, test } from "vitest";
import { formerReading } from "../../src/kinds/shared/former-sense.ts";
import { InstanceColumns } from "../../src/kinds/shared/instance-rows.ts";

/** As `kinds/shared/instance-table.ts` puts it: entity, origins, columns, overrides, activity, relationships. */
function sense(columns: readonly string[], activity = false): string {
  return JSON.stringify(["party", { crm: "crm" }, columns, true, activity, []]);
}

function reading(former: string, now: string): ReturnType<typeof formerReading> {
  return formerReading([former, now], { names: 2, keyed: 1 }, (columns) => new InstanceColumns(columns));
}

test("where a plan moves more than it did, what it moved before is told from what it moves beside that", () => {
  const former = reading(sense(["name"]), sense(["name", "city"], true));
  const ours = ["name", "city"].map((name) => former?.isOurs(name));
  expect(ours).toEqual([true, false]);
});

test("it is told whichever origins it names by now: they are a part of the key", () => {
  const others = sense(["name"]).replace('{"crm":"crm"}', '{"erp":"erp"}');
  expect(reading(others, sense(["name"]))?.isOurs("name")).toBe(true);
});

test.each([
  ["it moves less by now", sense(["name", "city"])],
  ["it moves no activity any more", sense(["name"], true)],
  ["it is of another entity", sense(["name"]).replace("party", "address")],
  ["what was kept is no JSON", "party"],
  ["what was kept is no list", '{"party":1}'],
])("nothing is told of it where %s", (_why, former) => {
  expect(reading(former, sense(["name"]))).toBeUndefined();
});
