import { expect, test } from "vitest";
import { seedMetadataProperty } from "../../src/emulator/seed.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { seedTerm } from "../diff/support/content.ts";
import { front, through } from "../support/front.ts";
import { fresh } from "./support/place.ts";

const [asText, asNumber] = ['"2026-03-31"', "1774915200000"];

test("a day that the service writes as a number is a day all the same", async () => {
  const at = await fresh();
  for (const { tenant } of [at.source, at.target])
    seedMetadataProperty(tenant, "term", { name: "since", scalarType: "date" });
  seedTerm(at.source, "Revenue", { extraProperties: { since: "2026-03-31" } });
  const asNumbers = {
    answer: (body: string): string => body.replaceAll(asText, asNumber),
    request: (body: string): string => body.replaceAll(asNumber, asText),
  };
  const source = await front(at.world.emulator.baseUrl("dev"), asNumbers);
  const target = await front(at.world.emulator.baseUrl("prod"), asNumbers);
  const plan = { select: { kinds: ["terms"] } } as const;
  const changed = through(at.world, plan, { source: source.url, target: target.url });
  const apply = (): ReturnType<typeof applyPlan> =>
    applyPlan(at.world.migration(plan, changed), { confirm: async () => true });
  expect((await apply()).exitCode).toBe(exitCodes.done);
  expect(at.target.body(at.target.term("Revenue"))["extraProperties"]).toEqual({ since: "2026-03-31" });
  expect((await apply()).changes).toEqual([]);
});
