import { describe, expect, it } from "vitest";
import { AllOfKind, asItShouldBe } from "../../src/engine/diff/as-it-should-be.ts";
import { instead } from "../../src/engine/diff/instead.ts";
import type { Change } from "../../src/model/change.ts";
import { MappingTable } from "../../src/model/mapping-table.ts";

const source = "urn:x:dev:catalog:term:00000000-0000-4000-8000-00000000000a";
const target = "urn:x:prod:catalog:term:00000000-0000-4000-8000-00000000000b";

function made(isListed = true, name = (): string => "there"): Change {
  const mapping = new MappingTable();
  mapping.set("terms", source, { name: "here", target, origin: "created", run: "r" });
  const snapshot = {
    has: (kind: string, urn: string) => isListed && kind === "terms" && urn === target,
    name,
  };
  const sides = { mapping, target: { snapshot } };
  const all = new AllOfKind("terms", sides as unknown as ConstructorParameters<typeof AllOfKind>[1]);
  return asItShouldBe({ urn: source }, all);
}

const whole: Change = {
  id: `terms:${source}`,
  action: "unchanged",
  kind: "terms",
  source: { urn: source, name: "here" },
  target: { urn: target, name: "there" },
  reason: "both sides are as they should be",
  fields: [],
  diagnostics: [],
  dependsOn: [],
};

describe("the change of what is as it should be", () => {
  it("says what an object of its own would say, to whoever asks and as JSON", () => {
    const change = made();
    expect({ ...change }).toEqual(whole);
    expect(change).toEqual(whole);
    expect(JSON.parse(JSON.stringify([change]))).toEqual([whole]);
    for (const [field, value] of Object.entries(whole)) expect(change[field as keyof Change]).toEqual(value);
    expect([change.work, change.records, change.pulledInBy, change.acknowledged]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is called as its row calls it, and so is its twin where no list shows it", () => {
    expect(made(false).target).toEqual({ urn: target, name: "here" });
  });

  it("reads what its twin is called, which stands in a file, only for whoever asks for that", () => {
    let reads = 0;
    const { target: twin } = made(true, () => {
      reads += 1;
      return "there";
    });
    expect([twin?.urn, reads]).toEqual([target, 0]);
    expect([twin?.name, reads]).toEqual(["there", 1]);
  });

  it("loses nothing when another change is made of it", () => {
    const { action, reason, diagnostics, ...rest } = instead(made(), "manual", "somebody else", {
      code: "blocked",
    });
    expect([action, reason, diagnostics.length]).toEqual(["manual", "somebody else", 1]);
    expect({ ...whole, ...rest }).toEqual(whole);
    expect(Object.keys(rest).sort()).toEqual(["dependsOn", "fields", "id", "kind", "source", "target"]);
  });
});
