import { expect, onTestFinished, test } from "vitest";
import type { LogEntry } from "../../src/emulator/index.ts";
import { run } from "../operations/support.ts";
import { world } from "../support/world.ts";

/** A page holds 100 (document 1, "Limits"). */
const pages = (count: number): number => Math.ceil(count / 100);
const plan = { select: { kinds: ["attribute-metadata"] } };

test("a thousand columns cost their pages, and a look and a patch where there is something to say; without changes only the pages", async () => {
  const large = await world("large:5000", { kept: "memory" });
  onTestFinished(async () => large.close());
  const source = large.emulator.tenant("dev");
  const columns = source.attributes.size;
  expect(columns).toBe(1000);
  const described = [...source.attributes.values()].filter(({ description }) => description !== undefined);
  const of = (route: RegExp, tenant?: string): readonly LogEntry[] =>
    large.emulator.log.entries.filter(
      (entry) =>
        (tenant === undefined || entry.tenant === tenant) && route.test(`${entry.method} ${entry.route}`),
    );
  expect(await run(large, plan)).toMatchObject({ exitCode: 0, summary: { update: described.length } });
  expect(of(/^PATCH .*\/attributes\/:urn$/)).toHaveLength(described.length);
  // A last look at what is about to be written over; nobody looks at the others.
  expect(of(/^GET .*\/attributes\/:urn$/, "dev")).toEqual([]);
  expect(of(/^GET .*\/attributes\/:urn$/, "prod")).toHaveLength(described.length);
  // Once for what they say, and by that they are paired.
  for (const tenant of ["dev", "prod"])
    expect(of(/^GET .*\/attributes$/, tenant)).toHaveLength(pages(columns));
  large.emulator.log.clear();
  expect(await run(large, plan)).toMatchObject({ exitCode: 0, changes: [] });
  expect(of(/^PATCH/)).toEqual([]);
  expect(of(/\/:urn$/)).toEqual([]);
  const reads = large.emulator.log.entries.filter(({ path }) => !path.includes("/token"));
  expect(of(/^GET .*\/attributes$/)).toHaveLength(2 * pages(columns));
  expect(reads.length).toBeLessThanOrEqual(2 * pages(columns) + 15);
});
