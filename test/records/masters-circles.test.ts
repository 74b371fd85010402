import { expect, onTestFinished, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { applyPlan } from "../../src/operations/apply.ts";
import { world } from "../support/world.ts";
import { authored, orgModel, segment } from "./masters-stage.ts";

const refusals = ({ diagnostics }: Result): readonly string[] =>
  diagnostics.flatMap(({ code, summary }) => (code === "row-refused" ? [summary] : []));

test.each(["boss", "reports"])(
  "of two masters in a circle is told what can be done, and that is so: by %s",
  async (role) => {
    const made = await world("empty", { kept: "memory", masterData: { model: orgModel } });
    onTestFinished(() => made.close());
    const entity = { ...segment, view: "v", entity: "org", relationships: [role] };
    const plan = made.plan({
      select: { kinds: ["master-data"] },
      records: { referenceData: [], masterData: [entity], remove: false },
      limits: { badRows: 1 },
    });
    const run = async (): Promise<Result> =>
      applyPlan(made.migration({}, { plan }), { confirm: async () => true, verify: true });
    const [dev, prod] = [made.emulator.masterData("dev"), made.emulator.masterData("prod")];
    const author = (data: typeof dev, code: string) =>
      books.authorMaster(data, {
        entity: "org",
        attributes: { cmo_code: code, cmo_name: code },
        by: "steward",
      });
    const [a, b] = [author(dev, "A"), author(dev, "B")];
    books.relateMasters(dev, a, "reports", b);
    books.relateMasters(dev, b, "reports", a);

    const first = await run();
    expect(first.exitCode).toBe(exitCodes.partial);
    expect(refusals(first)).toHaveLength(2);
    for (const told of refusals(first)) {
      expect(told).not.toContain("in the plan");
      expect(told).toContain("make one of them in the web application of the target, and run again");
    }
    author(prod, "A");
    expect(refusals(await run())).toEqual([]);
    expect(Object.keys(authored(prod, "org")).sort()).toEqual(["A", "B"]);
  },
);
