import { beforeEach, expect, test } from "vitest";
import { furnish } from "./support/little.ts";
import { useStage } from "./support/stage.ts";

/** Who narrows a comparison with a slip of the finger is not told that all is well. */
const stage = useStage();

beforeEach(async () => {
  furnish(stage().dev);
  stage().plan({ select: { kinds: ["terms", "rules", "monitors"] } });
  expect(await stage().json("sync move --yes")).toMatchObject({ exitCode: 0 });
});

test.each(["--include", "--exclude"])("a pattern in %s that fits no monitor is refused", async (flag) => {
  const { exitCode, diagnostics } = await stage().json(["parity", "move", flag, "Custmers"]);
  expect(exitCode).toBe(64);
  expect(diagnostics[0]?.summary).toContain("nothing at the source matches");
  expect(diagnostics[0]?.suggestion).toContain('did you mean "Customers"?');
});

test("one that fits a term is about monitors all the same", async () => {
  expect(await stage().json("parity move --include Order")).toMatchObject({ exitCode: 64 });
  expect((await stage().ferry("parity move --include Cust*")).stdout).toContain('monitors "Customers"');
});
