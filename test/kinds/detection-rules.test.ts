import { seedDetectionRule } from "../../src/emulator/seed.ts";
import { detectionRules } from "../../src/kinds/detection-rules.ts";
import { contract } from "./contract.ts";
import { termDetectedBy } from "./support/users.ts";
import { expect, test } from "vitest";
import { setMappings } from "../../src/operations/mappings.ts";
import { changeOf, fresh } from "./support/place.ts";

contract({
  kind: detectionRules,
  select: ["terms"],
  seed: ({ tenant }, name) => seedDetectionRule(tenant, { name }).urn,
  user: termDetectedBy,
});

test.each([400, 404])(
  "an environment whose model lacks the type (%i) leaves them to explicit mappings",
  async (code) => {
    const plan = { select: { kinds: ["terms"] } };
    const at = await fresh();
    const { urn: source } = seedDetectionRule(at.source.tenant, { name: "Thing" });
    const { urn: target } = seedDetectionRule(at.target.tenant, { name: "Thing" });
    const user = termDetectedBy(at.source, source);
    at.world.emulator.faults.add({
      match: { path: "/api/catalog/v1/entities" },
      effect: { type: "status", code },
    });
    const first = changeOf(await at.apply(plan), user);
    expect(first.action).toBe("blocked");
    expect(first.diagnostics[0]?.suggestion).toContain(`\`ferry mappings test set ${source} <target urn>\``);
    await setMappings(at.world.migration(), [{ source, target }]);
    expect(changeOf(await at.apply(plan), user)).toMatchObject({ action: "create", outcome: "done" });
  },
);
