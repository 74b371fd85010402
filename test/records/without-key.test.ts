import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import type { Result } from "../../src/model/result.ts";
import { author, authored, segment, stage } from "./masters-stage.ts";
import { rowsStage } from "./support.ts";

/** What is told of rows that a person has to see to. */
function byHand({ changes }: Result): readonly string[] {
  return changes
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === "row-by-hand")
    .map(({ summary }) => summary);
}

const why = "its key is empty, so whether the source has it cannot be told, and it is not removed";

test.each(["direct", "review"] as const)(
  "a row of the target without a key is told where rows are to go (%s), and stays",
  async (publish) => {
    const target = [{ code: "DE", name: "Germany" }, { name: "nobody" }, { code: "DE2", name: null }];
    const s = await rowsStage({ source: [{ code: "DE", name: "Germany" }], target, publish, remove: true });
    const diff = await s.diff();
    expect(byHand(diff)).toContainEqual(expect.stringMatching(new RegExp(`^the row urn:.*: ${why}$`)));
    expect(diff.changes[0]?.records).toMatchObject({ manual: publish === "review" ? 2 : 1 });
    const result = await s.apply({ allowDelete: true });
    expect(result.exitCode).toBe(exitCodes.partial);
    expect(byHand(result)).toContainEqual(expect.stringMatching(why));
    expect(s.target.publishedCount).toBe(publish === "review" ? 3 : 2);
  },
);

test("a master of the target without a key is told where masters are to go, and stays", async () => {
  const here = await stage([segment], true);
  author(here.dev, { cmo_code: "A", cmo_name: "a" });
  author(here.prod, { cmo_name: "nobody" });
  author(here.prod, { cmo_code: "B", cmo_name: "b" });
  const result = await here.apply({ allowDelete: true });
  expect(result.summary).toMatchObject({ create: 1, delete: 1, manual: 1 });
  expect(byHand(result)).toEqual([expect.stringMatching(new RegExp(`^the row \\d+: ${why}$`))]);
  expect(Object.keys(authored(here.prod)).toSorted()).toEqual(["", "A"]);
});

test("without records.remove nothing is said of them", async () => {
  const s = await rowsStage({ source: [], target: [{ name: "nobody" }] });
  expect(await s.diff()).toMatchObject({ summary: { manual: 0 } });
});
