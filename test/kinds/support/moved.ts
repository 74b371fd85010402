import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MovedKind } from "../../../src/kinds/kind.ts";
import type { MappingEntry } from "../../../src/model/mapping.ts";
import type { Result } from "../../../src/model/result.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { uuidOf } from "../../../src/model/urn.ts";
import type { Side } from "../../diff/support/side.ts";
import { rollbackRun } from "../../../src/operations/rollback.ts";
import { catalogMeaningOf, compareMeanings, type Meaning, meaningOf } from "../../support/meaning.ts";
import { noRenames } from "../../support/meaning/given.ts";
import { isWhole } from "../../support/whole.ts";
import type { PlanChanges } from "../../support/world.ts";
import type { Place } from "./place.ts";
import { fresh, place } from "./place.ts";
import { keysOf, objectsIn, sentBodies } from "./requests.ts";

/** What the suite must know of a kind whose objects are moved. */
export interface MovedSubject {
  readonly kind: MovedKind;
  readonly plan: PlanChanges;
  /** Route of each write, by step. */
  readonly routes: Readonly<Record<string, string>>;
  /** Puts objects at the source, more than one request may carry; their URNs. */
  seed(from: Side, to: Side): readonly Urn[];
  /** Makes the target refuse what was seeded as this object. */
  spoil(at: Place, urn: Urn): void | Promise<void>;
  /** Changes an object at the source. */
  edit?(from: Side, urn: Urn): void;
  /** Removes an object at the source. */
  drop?(from: Side, urn: Urn): void;
  /** The service offers no way to take back what the first run brought: a rollback names each. */
  readonly stays?: true;
}

/** Of each mode the kind by which `npm test` sees what is the engine's more than the kind's. */
const standsForItsMode: ReadonlySet<string> = new Set(["rules", "attribute-metadata", "term-assignments"]);

/** Runs in order: each test goes on from where the one before left both sides. */
export function movedKind(subject: MovedSubject): void {
  describe(`the kind ${subject.kind.name}`, () => {
    const { kind, routes, plan } = subject;
    const isInShort = isWhole || standsForItsMode.has(kind.name);
    let at: Place;
    let urns: readonly Urn[];
    let sourceText: string;

    beforeAll(async () => {
      at = await place();
      urns = subject.seed(at.source, at.target);
      sourceText = JSON.stringify(at.source.tenant.dump());
    });
    afterAll(async () => at.world.close());

    const mine = (result: Result): Result["changes"] =>
      result.changes.filter((change) => change.kind === kind.name);

    /** Promise 7, and the fingerprints of the mapping are those of what the target lists now. */
    async function expectAtRest(): Promise<void> {
      expect((await at.diff(plan)).changes).toEqual([]);
      const files = at.mappingFiles();
      const again = await at.apply(plan);
      expect(at.writes()).toEqual([]);
      expect(again).toMatchObject({ exitCode: 0, changes: [] });
      expect(at.mappingFiles()).toEqual(files);
    }

    async function expectPrintsAsSent(entries: readonly MappingEntry[]): Promise<void> {
      const listed = await at.listedPrints(kind, plan);
      for (const { name, target, targetFingerprint } of entries) {
        expect({ name, print: targetFingerprint }).toEqual({ name, print: listed.get(target) });
      }
    }

    /** No request carries more objects than its step declares, and those of `step` are as few as that allows. */
    function expectBatches(step: string, objects: number): void {
      const known = new Map(
        Object.entries(routes).map(([name, route]) => [route, at.step(kind, name).atMost]),
      );
      for (const entry of at.writes()) {
        const atMost = known.get(entry.route);
        if (atMost !== undefined) expect(objectsIn(entry), entry.route).toBeLessThanOrEqual(atMost);
      }
      const sent = at.writes().filter((entry) => entry.route === routes[step]);
      expect(sent).toHaveLength(Math.ceil(objects / at.step(kind, step).atMost));
      expect(sent.reduce((sum, entry) => sum + objectsIn(entry), 0)).toBe(objects);
    }

    test("the diff names every object and writes nothing", async () => {
      expect(urns.length).toBeGreaterThan(1);
      const changes = mine(await at.diff(plan));
      expect(new Set(changes.map((change) => change.source?.urn))).toEqual(new Set(urns));
      const action = kind.mode === "entity" ? "create" : "update";
      expect(new Set(changes.map((change) => change.action))).toEqual(new Set([action]));
    });

    test("apply moves them all, in as few requests as its steps allow", async () => {
      const result = await at.apply(plan);
      expect(result.exitCode).toBe(0);
      const moved = mine(result);
      expect(moved).toHaveLength(urns.length);
      expect(new Set(moved.map((change) => change.outcome))).toEqual(new Set(["done"]));
      const step = kind.mode === "entity" ? kind.create[0].name : kind.update[0].name;
      expectBatches(step, urns.length);
    });

    test("names every new sub-entity new_ and the key it has at the source", () => {
      const sourceKeys = keysOf(urns.map((urn) => at.listedBody(at.source, kind, urn)));
      const sent = sentBodies(at.writes(), routes["create"] ?? routes["patch"] ?? routes["assign"] ?? "");
      const keys = keysOf(sent);
      expect([...keys].filter((key) => !key.startsWith("new_"))).toEqual([]);
      expect([...keys].sort()).toEqual([...sourceKeys].map((key) => `new_${key}`).sort());
    });

    test("leaves no id of the source at the target, and nothing unpublished", () => {
      const text = JSON.stringify(at.target.tenant.dump());
      expect(text).not.toContain(":dev:");
      expect(text).not.toContain("new_");
      const there = new Set(text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi));
      const ours = new Set(sourceText.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi));
      expect([...there].filter((id) => ours.has(id))).toEqual([]);
      expect(at.target.tenant.counts().drafts).toBe(0);
    });

    test("the target lists what was sent: the fingerprints of the mapping are those of a fresh listing", async () => {
      const entries = await at.entries(kind);
      expect([...entries.keys()].sort()).toEqual([...urns].sort());
      await expectPrintsAsSent([...entries.values()]);
    });

    test("at rest: the diff is empty and a second apply writes nothing", expectAtRest);

    test.runIf(subject.edit !== undefined)(
      "an update changes what was changed and nothing else",
      async () => {
        const changed = urns.slice(0, 2);
        for (const urn of changed) subject.edit?.(at.source, urn);
        const result = await at.apply(plan);
        expect(mine(result)).toHaveLength(changed.length);
        for (const change of mine(result))
          expect(change).toMatchObject({ action: "update", outcome: "done" });
        for (const step of kind.update ?? []) expectBatches(step.name, changed.length);
        const entries = await at.entries(kind);
        await expectPrintsAsSent(
          [...entries].filter(([urn]) => changed.includes(urn as Urn)).map(([, entry]) => entry),
        );
        await expectAtRest();
      },
    );

    test.runIf(subject.drop !== undefined && isInShort)(
      "a delete takes away what is gone at the source, and only when it may",
      async () => {
        const gone = urns.slice(0, 2);
        const twins = (await at.entries(kind)).get(gone[0] ?? "")?.target ?? "";
        for (const urn of gone) subject.drop?.(at.source, urn);
        const withheld = await at.apply(plan);
        expect(mine(withheld).map((change) => change.outcome)).toEqual(["withheld", "withheld"]);
        expect(at.writes()).toEqual([]);
        const result = await at.apply(plan, { allowDelete: true });
        expect(mine(result)).toHaveLength(gone.length);
        expectBatches("delete", gone.length);
        expect(JSON.stringify(at.target.tenant.dump())).not.toContain(uuidOf(twins));
        await expectAtRest();
      },
    );

    test.runIf(isInShort)("a refused item fails alone and is named, and the others arrive", async () => {
      const other = await place();
      try {
        const all = subject.seed(other.source, other.target);
        const bad = all[Math.floor(all.length / 2)] ?? all[0];
        if (bad === undefined) throw new Error("nothing was seeded");
        await subject.spoil(other, bad);
        const first = await other.apply(plan);
        expect(first.exitCode).toBe(4);
        const failed = mine(first).filter((change) => change.outcome !== "done");
        expect(failed.map((change) => change.source?.urn)).toEqual([bad]);
        const [change] = failed;
        expect(change?.outcome).toBe("failed");
        expect(change?.diagnostics.at(-1)).toMatchObject({
          severity: "error",
          code: "failed",
          coordinate: { kind: kind.name, urn: bad, name: change?.source?.name },
        });
        expect(mine(first)).toHaveLength(all.length);
        expect([...(await other.entries(kind)).keys()].sort()).toEqual(
          all.filter((urn) => urn !== bad).sort(),
        );
        const second = await other.apply(plan);
        expect(mine(second).map(({ source, outcome }) => [source?.urn, outcome])).toEqual([[bad, "failed"]]);
        expect(other.writes().reduce((sum, entry) => sum + objectsIn(entry), 0)).toBeLessThanOrEqual(1);
      } finally {
        await other.world.close();
      }
    });

    describe.runIf(isWhole)("a rollback", () => {
      const undo = async ({ world }: Place): Promise<Result> =>
        rollbackRun(world.migration(plan), { confirm: async () => true, allowDelete: true });
      const moved = async (): Promise<{ readonly on: Place; readonly all: readonly Urn[] }> => {
        const on = await fresh();
        const all = subject.seed(on.source, on.target);
        return { on, all };
      };

      const expectNamed = (result: Result, urns: readonly Urn[]): void => {
        expect(result.exitCode).toBe(4);
        const left = new Map(mine(result).map(({ source, action }) => [source?.urn, action]));
        expect(left).toEqual(new Map(urns.map((urn) => [urn, "manual"])));
      };

      test("takes back what the first run brought, or names it", async () => {
        const { on, all } = await moved();
        const before = standing(on);
        expect((await on.apply(plan)).exitCode).toBe(0);
        const result = await undo(on);
        if (subject.stays === true) {
          expectNamed(result, all);
          return;
        }
        expect(result.exitCode).toBe(0);
        expect(differing(before, standing(on))).toEqual([]);
        expect(mine(await on.diff(plan))).toHaveLength(all.length);
      });

      test.runIf(subject.edit !== undefined)("takes back what a run changed", async () => {
        const { on, all } = await moved();
        await on.apply(plan);
        const before = standing(on);
        for (const urn of all.slice(0, 2)) subject.edit?.(on.source, urn);
        await on.apply(plan);
        expect(differing(before, standing(on))).not.toEqual([]);
        const result = await undo(on);
        // What is added to a relation nobody can take away.
        if (kind.mode === "link") {
          expectNamed(result, all.slice(0, 2));
          return;
        }
        expect(result.exitCode).toBe(0);
        expect(differing(before, standing(on))).toEqual([]);
      });

      test.runIf(subject.drop !== undefined)("brings back what a run deleted", async () => {
        const { on, all } = await moved();
        await on.apply(plan);
        const before = standing(on);
        for (const urn of all.slice(0, 2)) subject.drop?.(on.source, urn);
        await on.apply(plan, { allowDelete: true });
        expect(differing(before, standing(on))).not.toEqual([]);
        expect((await undo(on)).exitCode).toBe(0);
        expect(differing(before, standing(on))).toEqual([]);
      });
    });
  });
}

/** What the target means, by code that knows nothing of the tool. */
function standing({ target }: Place): readonly Meaning[] {
  return [meaningOf(target.tenant, noRenames), catalogMeaningOf(target.tenant, noRenames, [])];
}

function differing(before: readonly Meaning[], after: readonly Meaning[]): readonly string[] {
  const lines = before.flatMap((meaning, index) => {
    const now = after[index];
    return now === undefined ? [] : compareMeanings(meaning, now);
  });
  return lines.filter((line) => !line.startsWith("ambiguous"));
}
