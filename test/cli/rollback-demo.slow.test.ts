import { expect, test } from "vitest";
import { compareMeanings, meaningOf } from "../support/meaning.ts";
import { noRenames } from "../support/meaning/given.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage("demo");

test("the whole demo run, taken back: the target is as it was, but for the dashboards", async () => {
  stage().plan();
  const { prod } = stage();
  const meant = meaningOf(prod, noRenames);
  const { dashboards: _none, ...before } = prod.dump();
  expect(await stage().json("sync move --yes")).toMatchObject({
    exitCode: 4,
    summary: { failed: 0, inDoubt: 0 },
  });
  const { dashboards } = prod.counts();
  expect(dashboards).toBeGreaterThan(2);
  expect(compareMeanings(meant, meaningOf(prod, noRenames)).length).toBeGreaterThan(100);

  const { exitCode, changes, summary } = await stage().json("rollback move --yes --allow-delete");
  expect(exitCode).toBe(4);
  expect(summary).toMatchObject({ manual: dashboards, failed: 0, inDoubt: 0 });
  expect(changes.filter(({ action }) => action === "manual").every(({ kind }) => kind === "dashboards")).toBe(
    true,
  );
  expect(changes.filter(({ action }) => action !== "manual").every(({ outcome }) => outcome === "done")).toBe(
    true,
  );

  // By meaning: what is left over is the dashboards and nothing else.
  const left = compareMeanings(meant, meaningOf(prod, noRenames));
  expect(left.filter((line) => !/^dashboard .* is at the target only$/.test(line))).toEqual([]);
  expect(left).toHaveLength(dashboards);
  // And to the letter: nothing was deleted here that had been there, so that every URN is the old one.
  const { dashboards: _stay, ...after } = prod.dump();
  expect(after).toEqual(before);
  expect(await stage().json("status move")).toMatchObject({ exitCode: 0 });
});
