import { describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import { useStage } from "./support/stage.ts";

/** What a run starts, deletes, replaces or overwrites stands where nobody can read past it. */
const stage = useStage("demo");

describe("schedules that start", () => {
  test("stand in the headline of a diff and in every report", async () => {
    stage().plan();
    const { headline, consequences } = await stage().json("diff move");
    const starts = consequences?.find(({ key }) => key === "start");
    const said = `${starts?.count ?? 0} schedules start running at once`;
    expect(headline).toMatch(new RegExp(` At prod .*${said}`));
    for (const file of ["report.txt", "report.md", "report.html"])
      expect(stage().read("plans/move", file)).toContain(said);
  });

  test("stand directly above the question, and in the past tense after the apply", async () => {
    stage().plan({ select: { kinds: ["rules", "monitors"] } });
    const { stdout, stderr, asked } = await stage().ferry("apply move", { terminal: true, answers: ["yes"] });
    expect(asked).toHaveLength(1);
    const above = stderr.slice(stderr.indexOf("Next:") + 1).trimEnd();
    expect(above.split("\n").slice(-4).join("\n")).toMatch(/at prod \d+ schedules start running at once/);
    expect(stdout).toMatch(/at prod \d+ schedules started running/);
    expect(stdout).not.toMatch(/starts? running/);
    const report = stage().read("plans/move/report.json");
    expect(report).toContain("started running at the target");
    expect(report).not.toMatch(/starts? running/);
  });
});

test("what somebody changed at the target and the run overwrites is told with the object and counted", async () => {
  stage().plan({ select: { kinds: ["terms"] }, policy: { drift: "overwrite" } });
  await stage().ferry("apply move --yes");
  const [term] = [...stage().prod.terms.values()];
  if (term?.published === undefined) throw new Error("nothing was moved");
  stage().prod.terms.put({ ...term, published: { ...term.published, description: "Mine." } });
  const { headline, changes } = await stage().json("diff move");
  expect(headline).toContain(" At prod what people set in 1 object is overwritten");
  expect(changes.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))).toContain("overwrites");
});

test("deletes are a consequence under --allow-delete, and none while they are withheld", async () => {
  const { urn } = seedTerm(stage().dev, { name: "Short-lived" });
  stage().plan({ select: { kinds: ["terms"] } });
  await stage().ferry("apply move --yes");
  stage().dev.terms.delete(urn);
  expect((await stage().json("diff move")).headline).toContain("1 object is deleted under --allow-delete");
  const withheld = await stage().json("apply move --yes");
  expect(withheld.consequences).toBeUndefined();
  const done = await stage().json("apply move --yes --allow-delete");
  expect(done.headline).toContain("At prod 1 object was deleted");
});
