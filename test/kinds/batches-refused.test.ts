import { expect, test } from "vitest";
import { type JsonObject, list } from "../../src/emulator/json.ts";
import { seedAssignment } from "../../src/emulator/seed.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { seedMonitor, seedRule, seedTerm } from "../diff/support/content.ts";
import { front, through } from "../support/front.ts";
import { fresh, type Place } from "./support/place.ts";
import { times } from "./support/times.ts";

interface Refusing {
  readonly result: Result;
  /** Requests to the batch, refused or not. */
  readonly sent: number;
}

/** Items of a batch are independent, and the target refuses the whole request for one that holds the word. */
async function applyWhere(
  at: Place,
  kinds: readonly string[],
  batch: string,
  word: string,
  refusal: (index: number) => readonly [number, string],
): Promise<Refusing> {
  const { url, sent } = await front(at.world.emulator.baseUrl("prod"), {
    refuse(body, path) {
      if (!path.endsWith(batch)) return undefined;
      const index = list(JSON.parse(body) as JsonObject, "data").findIndex((item) =>
        JSON.stringify(item).includes(word),
      );
      return index < 0 ? undefined : refusal(index);
    },
  });
  const plan = { select: { kinds: [...kinds] } };
  const migration = at.world.migration(plan, through(at.world, plan, { target: url }));
  const result = await applyPlan(migration, { confirm: async () => true });
  return { result, sent: sent.filter((line) => line.split(" ")[1]?.endsWith(batch)).length };
}

function expectOneFailed({ exitCode, changes }: Result, name: string): void {
  expect(exitCode).toBe(exitCodes.partial);
  const failed = changes.filter(({ outcome }) => outcome !== "done");
  expect(failed.map(({ source, outcome }) => [source?.name, outcome])).toEqual([[name, "failed"]]);
}

function problem(pointer: string): string {
  const errors = [{ detail: "is not taken", pointer }];
  return JSON.stringify({ type: "VALIDATION_ERROR", title: "Validation Error", detail: "Refused", errors });
}

test.each([
  ["no word of which", 400, (): string => JSON.stringify({ type: "VALIDATION_ERROR", title: "Refused" }), 9],
  ["its place", 400, (index: number): string => problem(`#/data/${index}/name`), 2],
  ["no word at all", 413, (): string => "", 9],
])(
  "a batch of rules that is refused for one of them, with %s, takes no other along",
  async (_said, status, body, atMost) => {
    const at = await fresh();
    for (const name of times(12, (number) => (number === 7 ? "Bad" : `Rule ${number}`)))
      seedRule(at.source, name);
    const { result, sent } = await applyWhere(at, ["rules"], "/rules/batch/create", '"Bad"', (index) => [
      status,
      body(index),
    ]);
    expectOneFailed(result, "Bad");
    expect([...at.target.tenant.rules.values()]).toHaveLength(11);
    expect(sent).toBeLessThanOrEqual(atMost);
  },
);

test("nor does one of monitors, or of term assignments", async () => {
  const at = await fresh();
  const rule = seedRule(at.source, "Email is set");
  for (const name of ["First", "Bad", "Third"]) seedMonitor(at.source, rule, name);
  const monitors = await applyWhere(at, ["monitors"], "/dq-monitors/batch/create", '"Bad"', () => [400, ""]);
  expectOneFailed(monitors.result, "Bad");
  const other = await fresh();
  const termUrn = seedTerm(other.source, "Personal");
  const attributes = ["CUSTOMER_ID", "EMAIL", "PHONE"].map((name) =>
    other.source.attribute("CUSTOMER", name),
  );
  for (const attributeUrn of attributes) seedAssignment(other.source.tenant, { attributeUrn, termUrn });
  const bad = other.target.attribute("CUSTOMER", "EMAIL");
  const kinds = ["terms", "term-assignments"];
  expectOneFailed((await applyWhere(other, kinds, "/batch/assign", bad, () => [400, ""])).result, "EMAIL");
});

test("where nothing stands at the address each of them is told, and none is asked about", async () => {
  const at = await fresh();
  for (const name of times(5, (number) => `Rule ${number}`)) seedRule(at.source, name);
  const { result, sent } = await applyWhere(at, ["rules"], "/rules/batch/create", "Rule", () => [404, ""]);
  expect(result.changes.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => "failed"));
  expect(sent).toBe(1);
});
