import { describe, expect, it } from "vitest";
import type { EnginePoint } from "../../src/engine/apply/recorder.ts";
import type { StorePoint } from "../../src/store/hooks.ts";
import { seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { apply, expectChange, stage } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { editTerm } from "../diff/support/web.ts";
import { applyWith, killedAt, terms } from "./support.ts";

/** What somebody else does when the first leftover is settled: after the last look at the target that it takes. */
function onceSettled(act: () => void): { reached(point: EnginePoint | StorePoint): void } {
  let isDone = false;
  return {
    reached(point) {
      if (isDone || point !== "outcome:after") return;
      isDone = true;
      act();
    },
  };
}

describe("after a leftover was settled as not done the target is read again", () => {
  it("so that what somebody else made meanwhile is not made twice", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await killedAt(at, terms, "intent:after");
    const hooks = onceSettled(() => seedTerm(at.target, "One"));
    const done = await applyWith(at, terms, { hooks });
    expectChange(done, urn, "adopt", "the same natural key and the same content");
    expect(done.exitCode).toBe(0);
    expect(written(at.world)).toEqual([]);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });

  it("so that what somebody else changed meanwhile is not written over", async () => {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    await apply(at, terms);
    editTerm(at.source, urn, { description: "Ours" });
    await killedAt(at, terms, "intent:after");
    const hooks = onceSettled(() => editTerm(at.target, at.target.term("One"), { description: "Theirs" }));
    const done = await applyWith(at, terms, { hooks });
    expectChange(done, urn, "conflict", "it changed on both sides");
    expect(written(at.world)).toEqual([]);
    expect(at.target.body(at.target.term("One"))["description"]).toBe("Theirs");
  });
});
