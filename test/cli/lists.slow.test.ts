import { beforeEach, describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** What people read: a line for each thing, what is alike together, and nothing that was not done called done. */
const stage = useStage();

beforeEach(() => {
  furnish(stage().dev);
  stage().plan();
});

test("suggestions are a line a pair with both names, those that are equal together", async () => {
  seedTerm(stage().prod, { name: "Customer", description: "Another text." });
  seedTerm(stage().prod, { name: "Order", description: "What is bought." });
  const { stdout } = await stage().ferry("mappings move suggest");
  expect(stdout).toMatch(/the same on both sides:\s+- terms \(1\): "Order"$/m);
  expect(stdout).toMatch(/the same name:\s+- terms "Customer": \d+ % equal, differs in \/description$/m);
  expect(stdout).not.toContain("urn:data");
  const { details } = await stage().json("mappings move suggest");
  expect(details).toMatchObject({ suggestions: [{ targetName: "Order" }, { targetName: "Customer" }] });
});

test("what was done is named when it is little", async () => {
  const { stdout } = await stage().ferry("sync move --yes");
  expect(stdout).toMatch(/create {2}terms "Customer", "Order", rules "Email is filled"/);
});

describe("deletes", () => {
  beforeEach(async () => {
    const { urn } = seedTerm(stage().dev, { name: "Short-lived" });
    await stage().ferry("sync move --yes");
    stage().dev.terms.delete(urn);
  });

  test("are offered with their flag by a diff, and are no changes without it", async () => {
    const { headline, next, changes } = await stage().json("diff move");
    expect(next).toEqual(["ferry apply move --allow-delete"]);
    expect(headline).toBe(
      "Nothing to do without --allow-delete. At prod 1 object is deleted under --allow-delete.",
    );
    // And what would be gone is shown.
    expect(changes[0]?.fields.map(({ path, from }) => [path, from])).toContainEqual(["/name", "Short-lived"]);
  });

  test("that were withheld are not among what was made", async () => {
    seedTerm(stage().dev, { name: "One more" });
    expect((await stage().json("diff move")).next).toEqual([
      "ferry apply move",
      "ferry apply move --allow-delete",
    ]);
    const { stdout } = await stage().ferry("apply move --yes");
    expect(stdout).toContain("1 change made.");
    expect(stdout).toMatch(/Done \(1\)\s+create {2}terms "One more"/);
    expect(stdout).toContain("DELETES WITHHELD");
    expect(stdout).toContain("ferry apply move --allow-delete");
  });
});
