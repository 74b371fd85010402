import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffPlan } from "../../src/operations/diff.ts";
import type { FieldChange } from "../../src/model/change.ts";
import type { Result } from "../../src/model/result.ts";
import { world } from "../support/world.ts";
import type { World } from "../support/world.ts";

/** What a reviewer of the demo reads: objects, their parts and references by name. */
let at: World;
let result: Result;

beforeAll(async () => {
  at = await world("demo");
  result = await diffPlan(at.migration());
});
afterAll(async () => at.close());

function fieldsOf(name: string): readonly FieldChange[] {
  const change = result.changes.find(({ kind, source }) => kind === "monitors" && source?.name === name);
  if (change === undefined) throw new Error(`${name} is not in the diff`);
  return change.fields;
}

const field = (name: string, path: string): FieldChange | undefined =>
  fieldsOf(name).find((found) => found.path === path);

describe("in a diff", () => {
  test("no path of the demo holds a key that only the service understands", () => {
    const paths = result.changes.flatMap(({ fields }) => fields.map(({ path }) => path));
    expect(paths.length).toBeGreaterThan(1_000);
    expect(paths.filter((path) => /[0-9a-f]{8}-[0-9a-f]{4}-|new_|urn:/u.test(path))).toEqual([]);
  });

  test("a part without a name is called after what it is about, or by its place", () => {
    const paths = fieldsOf("Business customers").map(({ path }) => path);
    expect(paths).toContain(
      "/manualRuleInstances/Segment fits the spending/mappings/segment_code/catalogItemAttributeUrn",
    );
    expect(paths).toContain(
      "/joinConfigurations/CUSTOMER_SEGMENT/foreignKeyPairs/SEGMENT_CODE/localAttributeUrn",
    );
    expect(fieldsOf("Slots").map(({ path }) => path)).toContain("/overallDqThresholds/#1/value");
  });

  test("two parts that are alike have labels of their own", () => {
    const names = new Set(
      result.changes
        .filter(({ source }) => source?.name === "Audit log")
        .flatMap(({ fields }) => fields.map(({ path }) => path.split("/")[2])),
    );
    expect([...names]).toEqual(expect.arrayContaining(["Value is present", "Value is present #2"]));
  });

  test("a reference to what is still to be created says what that is, also for a part of it", () => {
    const instance = "/manualRuleInstances/Segment fits the spending";
    expect(field("Business customers", `${instance}/ruleUrn`)?.toName).toBe(
      "Segment fits the spending (to be created)",
    );
    expect(field("Business customers", `${instance}/mappings/segment_code/ruleAttributeUrn`)?.toName).toBe(
      "segment_code (inputs of rules Segment fits the spending, to be created)",
    );
    expect(
      field("Business customers", `${instance}/connectedMappings/min_spend/joinConfigurationKey`)?.toName,
    ).toBe("CUSTOMER_SEGMENT (joinConfigurations, to be created)");
  });

  test("a list of references is named too, as far as anybody reads", () => {
    const board = result.changes.find(
      ({ kind, source }) => kind === "dashboards" && source?.name === "Customer data",
    );
    expect(board?.fields.find(({ path }) => path === "/dqMonitorUrns")?.toName).toMatch(
      /^Customer master data \(to be created\), .+/u,
    );
  });

  test("every reference of the demo has a name", () => {
    const references = result.changes
      .flatMap(({ fields }) => fields)
      .filter(({ to }) => typeof to === "string" && /^(?:urn:|new_)/u.test(to));
    expect(references.length).toBeGreaterThan(200);
    expect(references.filter(({ toName }) => toName === undefined)).toEqual([]);
  });
});
