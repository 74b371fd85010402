import { describe, expect, it, test } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import type { StepAnswer, StepItem } from "../../src/kinds/kind.ts";
import { Registry } from "../../src/kinds/registry.ts";
import { pairAnswers } from "../../src/kinds/shared/batch.ts";
import type { BatchAnswer, WriteClient } from "../../src/service/index.ts";
import { seedRule } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { apply, stage } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { applyWith } from "./support.ts";

/** The last ones may be successes, but not the one that is documented. */
const unknown =
  "ERROR FAILED UNKNOWN UNKNOWN_ERROR UNEXPECTED EXCEPTION ABORTED CANCELLED DEADLINE_EXCEEDED TIMEOUT GATEWAY_ERROR INTERNAL_ERROR 502 408 499 PENDING PARTIAL CREATED ACCEPTED SUCCESS Ok ok 200";
const refusals =
  "VALIDATION_ERROR INVALID_PAYLOAD BAD_REQUEST NOT_FOUND RESOURCE_NOT_FOUND CONFLICT DUPLICATE_KEY NAME_ALREADY_EXISTS FORBIDDEN ACCESS_DENIED 404 422";

type Results = BatchAnswer["results"];

const [k1, k2] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const urnOf = (source: string): string => `made from ${source}`;

function item(source: string, key?: string): StepItem {
  const body = key === undefined ? {} : { inputGroups: { [`new_${key}`]: { joined: false } } };
  return { source, name: source, body, whole: {} };
}

function states(items: readonly StepItem[], results: Results): readonly unknown[] {
  return pairAnswers(items, { results }).map((answer) =>
    answer.state === "done" ? answer.target : answer.state,
  );
}

describe("the status of an item", () => {
  const read = (status: string): StepAnswer["state"] | undefined =>
    pairAnswers([item("a")], { results: [{ id: "a", status, data: { urn: "made" } }] })[0]?.state;

  test.each(unknown.split(" "))("%s does not say that nothing happened", (status) => {
    expect(read(status)).toBe("unknown");
  });

  // Two refusals are documented (document 2, Errors), "or another error status": these speak of the item itself.
  test.each(refusals.split(" "))("%s is a refusal", (status) => {
    expect(read(status)).toBe("refused");
  });
});

describe("results without ids", () => {
  const items = [item("a", k1), item("b", k2)];
  const result = (source: string, key: string): Results[number] => ({
    status: "OK",
    data: { urn: urnOf(source), correlationIds: { [`new_${key}`]: `assigned for ${source}` } },
  });

  test("are taken by position when they name the keys of the item in their place", () => {
    expect(states(items, [result("a", k1), result("b", k2)])).toEqual([urnOf("a"), urnOf("b")]);
  });

  test("are taken for nobody's when they name the keys of another item", () => {
    expect(states(items, [result("b", k2), result("a", k1)])).toEqual(["unknown", "unknown"]);
  });
});

it("an item that was committed and answered with an unknown status is not created again", async () => {
  const at = await stage();
  seedRule(at.source, "Email");
  const failing = async (
    client: WriteClient,
    rules: Parameters<WriteClient["quality"]["createRules"]>[0],
  ) => {
    const { results } = await client.quality.createRules(rules);
    return {
      results: results.map(({ id }) => ({ ...(id === undefined ? {} : { id }), status: "UNKNOWN_ERROR" })),
    };
  };
  const kinds = registry.moved().map((kind) => {
    if (kind.name !== "rules" || kind.mode !== "entity") return kind;
    const [create, ...others] = kind.create;
    const send: typeof create.send = async (client, items) => {
      const quality = {
        ...client.quality,
        createRules: async (rules: Parameters<typeof failing>[1]) => failing(client, rules),
      };
      return create.send({ ...client, quality }, items);
    };
    return { ...kind, create: [{ ...create, send }, ...others] as const };
  });
  const plan = { select: { kinds: ["rules"] }, policy: { adopt: "never" } } as const;
  const done = await applyWith(at, plan, { registry: new Registry([...registry.given(), ...kinds]) });
  expect(done.exitCode).toBe(0);
  expect(written(at.world)).toEqual(["POST rules/batch/create"]);
  await apply(at, plan);
  expect(written(at.world)).toEqual([]);
  expect(names(at.target.tenant.rules.values())).toEqual(["Email"]);
});
