import { describe, expect, test } from "vitest";
import { setMappings } from "../../../src/operations/mappings.ts";
import type { GivenKind } from "../../../src/kinds/kind.ts";
import type { AppliedChange } from "../../../src/model/change.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { uuidOf } from "../../../src/model/urn.ts";
import type { Result } from "../../../src/model/result.ts";
import type { Side } from "../../diff/support/side.ts";
import type { PlanChanges } from "../../support/world.ts";
import { changeOf, fresh, type Place } from "./place.ts";

/** What the suite must know of a kind whose objects exist on both sides and are paired. */
export interface GivenSubject {
  readonly kind: GivenKind;
  readonly select: readonly string[];
  /** Puts one of this name at a side; the same name on both sides makes twins. */
  readonly seed: (side: Side, name: string) => Urn;
  /** An object at the source that refers to it and is moved; its URN. */
  user(from: Side, given: Urn, to: Side): Urn;
}

export function givenKind(subject: GivenSubject): void {
  const { kind, seed } = subject;
  const plan: PlanChanges = { select: { kinds: subject.select } };

  describe(`the kind ${kind.name}`, () => {
    test("is paired by its natural key, and references follow", async () => {
      const at = await fresh();
      const source = seed(at.source, "Thing");
      const [twin, other] = [seed(at.target, "Thing"), seed(at.target, "Other thing")];
      const user = subject.user(at.source, source, at.target);
      const result = await at.apply(plan);
      expect(outcome(result, user)).toEqual({ action: "create", outcome: "done" });
      const body = await twinBody(at, user);
      expect(body).toContain(twin);
      expect(body).not.toContain(other);
      expect(body).not.toContain(uuidOf(source));
      expect((await at.diff(plan)).changes).toEqual([]);
    });

    test("an explicit mapping wins over the natural key", async () => {
      const at = await fresh();
      const source = seed(at.source, "Thing");
      const [natural, chosen] = [seed(at.target, "Thing"), seed(at.target, "Other thing")];
      const user = subject.user(at.source, source, at.target);
      await setMappings(at.world.migration(), [{ source, target: chosen }]);
      const result = await at.apply(plan);
      expect(outcome(result, user)).toEqual({ action: "create", outcome: "done" });
      const body = await twinBody(at, user);
      expect(body).toContain(chosen);
      expect(body).not.toContain(natural);
    });

    test("without a twin what refers to it is blocked, with what was looked for and what would help", async () => {
      const at = await fresh();
      const source = seed(at.source, "Thing");
      seed(at.target, "Other thing");
      const user = subject.user(at.source, source, at.target);
      const change = changeOf(await at.apply(plan), user);
      expect(change.action).toBe("blocked");
      const diagnostic = change.diagnostics.find(({ summary, detail }) =>
        `${summary} ${detail ?? ""}`.includes(kind.name),
      );
      expect(diagnostic).toMatchObject({
        severity: "error",
        coordinate: { urn: user },
      });
      expect(diagnostic?.summary).toMatch(/looked for .*"Thing"/);
      const { suggestion = "" } = diagnostic ?? {};
      // A line to paste, or a command to run: nothing is left to be filled in but what nobody can know.
      expect(suggestion).toMatch(kind.pairedUnder === undefined ? /pairing\.paths|set urn:/ : /pairing\./);
      if (kind.pairedUnder !== undefined)
        expect(suggestion).toContain(`under pairing.${kind.pairedUnder}, add`);
      expect(suggestion).not.toMatch(/PLAN|<source urn>/);
      expect(diagnostic?.cause?.suggestion).toBe(suggestion);
      expect(diagnostic?.pointer).toMatch(/^\/./);
      expectNotSent(at, change);
    });

    test("several that fit block it, and are named", async () => {
      const at = await fresh();
      const source = seed(at.source, "Thing");
      const twins = [seed(at.target, "Thing"), seed(at.target, "Thing")];
      const user = subject.user(at.source, source, at.target);
      const change = changeOf(await at.apply(plan), user);
      expect(change.action).toBe("blocked");
      const text = JSON.stringify(change.diagnostics);
      expect(text).toContain("2 things at the target fit it");
      for (const twin of twins) expect(text).toContain(twin);
      expect(text).toContain(`ferry mappings test set ${source} <target urn>`);
      expectNotSent(at, change);
    });

    test("several at the source that fit the same one are all blocked", async () => {
      const at = await fresh();
      const sources = [seed(at.source, "Thing"), seed(at.source, "Thing")];
      const twin = seed(at.target, "Thing");
      const users = sources.map((source) => subject.user(at.source, source, at.target));
      const result = await at.apply(plan);
      for (const user of users) {
        const change = changeOf(result, user);
        expect(change.action).toBe("blocked");
        expect(JSON.stringify(change.diagnostics)).toContain("several things at the source fit the same one");
        expect(JSON.stringify(change.diagnostics)).toContain(twin);
        expectNotSent(at, change);
      }
    });
  });
}

/** What it refers to may have been moved; it has not. */
function expectNotSent(at: Place, { source }: AppliedChange): void {
  const sent = JSON.stringify(at.writes());
  expect(sent).not.toContain(source?.urn);
  expect(sent).not.toContain(JSON.stringify(source?.name));
}

function outcome(result: Result, source: string): unknown {
  const { action, outcome } = changeOf(result, source);
  return { action, outcome };
}

async function twinBody(at: Place, source: string): Promise<string> {
  return JSON.stringify(at.target.body(await at.twinOf(source)));
}
