import { describe, expect, it } from "vitest";
import { arrange } from "./support/arrange.ts";
import { cases, expectPolicyOverHttp, noWay } from "./support/policy-wire.ts";
import { apply, diff, entryOf, expectChange, stage } from "./support/run.ts";
import { subjectOf } from "./support/wire.ts";

/** One kind for each saying; the others are in policies.slow.test.ts, and what the diff says of all in matrix.test.ts. */
const one = cases.filter(
  (row, index) =>
    cases.findIndex((other) => other.reason === row.reason && other.policy === row.policy) === index,
);

describe("a policy", () => {
  it.each(one)("$said, $kind, source $source, target $target: $action", expectPolicyOverHttp);

  it("replace: allow leaves the old dashboard where it is, and says so", async () => {
    const at = await stage();
    const subject = subjectOf("dashboards");
    const { urn, twin } = await arrange(
      at,
      subject,
      { source: "changed", target: "same" },
      { select: { kinds: subject.select } },
    );
    const done = await apply(at, { select: { kinds: subject.select }, policy: { replace: "allow" } });
    const change = expectChange(done, urn, "replace", noWay);
    expect(change.diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
      ["warning", "old-one-stays"],
    ]);
    expect(at.target.tenant.dashboards.get(twin ?? "")?.published?.["description"]).toBe("Shows Subject");
    const now = (await entryOf(at, urn))?.target ?? "";
    expect(at.target.body(now)).toMatchObject({ name: "Subject", description: "changed at the source" });
  });

  it.each([{ drift: "overwrite" }, { conflict: "source-wins" }] as const)(
    "a replacement leaves behind what somebody changed at the target, and says so: %o",
    async (policy) => {
      const at = await stage();
      const subject = subjectOf("dashboards");
      const select = { kinds: subject.select };
      const source = "drift" in policy ? "same" : "changed";
      const { urn } = await arrange(at, subject, { source, target: "changed" }, { select });
      const found = await diff(at, { select, policy: { ...policy, replace: "allow" } });
      const change = expectChange(found, urn, "replace", noWay);
      expect(change.diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
        ["warning", "old-one-stays"],
        ["warning", "overwrites"],
      ]);
      expect(found.headline).toContain("what people set in 1 object is overwritten");
    },
  );
});
