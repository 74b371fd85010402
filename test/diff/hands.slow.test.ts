import { describe, expect, it } from "vitest";
import type { Action } from "../../src/model/change.ts";
import type { Urn } from "../../src/model/urn.ts";
import { removeMappings, setMappings } from "../../src/operations/mappings.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { isWhole } from "../support/whole.ts";
import type { PlanChanges } from "../support/world.ts";
import { killedAt, rollback } from "../operations/rollback/support.ts";
import { seedTerm } from "./support/content.ts";
import { written } from "./support/log.ts";
import { apply, changeOf, diff, expectAtRest, type Stage, stage, twinOf } from "./support/run.ts";
import type { Subject } from "./support/subjects.ts";
import { subjects } from "./support/subjects.ts";

type Answer = Action | "rest";

/** What the next sync says when nobody, a colleague at the target, the source, or both went on afterwards. */
interface Afterwards {
  readonly none: Answer;
  readonly colleague: Answer;
  readonly source: Answer;
  readonly both: Answer;
}

interface Handed {
  readonly at: Stage;
  readonly subject: Subject;
  readonly plan: PlanChanges;
  readonly urn: Urn;
}

interface Way extends Afterwards {
  readonly how: string;
  /** The kinds that it is tried with. */
  readonly kinds: readonly string[];
  hand(handed: Handed): Promise<void>;
}

const marks = ["changed at the source", "changed at the target"] as const;
const kinds = ["terms", "rules", "monitors", "primary-monitors"];
const settled: Afterwards = { none: "rest", colleague: "drift", source: "update", both: "conflict" };
const behind: Afterwards = { none: "update", colleague: "conflict", source: "update", both: "conflict" };

async function moved({ at, subject, urn, plan }: Handed): Promise<void> {
  subject.edit(at.source, urn, "moved");
  await apply(at, plan);
}

function lose({ world }: Stage, effect: "drop-before-commit" | "drop-after-commit"): void {
  const { faults } = world.emulator;
  faults.add({ match: { tenant: "prod", method: "PATCH" }, effect: { type: effect } });
}

async function twinAt(at: Stage, { kind }: Subject, urn: Urn): Promise<Urn> {
  return kind === "primary-monitors" ? at.target.primary("CUSTOMER") : ((await twinOf(at, urn)) as Urn);
}

async function nameAgain({ at, plan, urn }: Handed): Promise<void> {
  const target = await twinOf(at, urn);
  await removeMappings(at.world.migration(plan), [urn]);
  await setMappings(at.world.migration(plan), [{ source: urn, target }], { check: true });
}

const ways: readonly Way[] = [
  {
    how: "a rollback of an update",
    kinds,
    ...behind,
    async hand(handed) {
      await moved(handed);
      expect((await rollback(handed.at, handed.plan)).exitCode).toBe(0);
    },
  },
  {
    how: "a rollback of an update, and the source as it was",
    kinds,
    ...settled,
    async hand(handed) {
      const { at, subject, urn, plan } = handed;
      subject.edit(at.source, urn, "before");
      await apply(at, plan);
      await moved(handed);
      expect((await rollback(at, plan)).exitCode).toBe(0);
      subject.edit(at.source, urn, "before");
    },
  },
  {
    // Drift it was, and drift it is again; with a source that moved it is a conflict.
    how: "a rollback of a run that overwrote drift",
    kinds,
    none: "drift",
    colleague: "drift",
    source: "conflict",
    both: "conflict",
    async hand({ at, subject, urn, plan }) {
      subject.edit(at.target, await twinAt(at, subject, urn), "other");
      await apply(at, { ...plan, policy: { drift: "overwrite" } });
      expect((await rollback(at, plan)).exitCode).toBe(0);
    },
  },
  {
    how: "a rollback that was killed, and goes on",
    kinds: ["terms", "rules"],
    ...behind,
    async hand(handed) {
      await moved(handed);
      const migration = killedAt("send:after");
      await expect(rollback(handed.at, handed.plan, { migration })).rejects.toThrow("killed");
      // What it sent is settled by the next one, which knows what the row was by the journal alone.
      await rollback(handed.at, handed.plan);
    },
  },
  {
    how: "a pair that was set again as it was",
    kinds: ["terms", "rules", "monitors"],
    ...settled,
    async hand({ at, plan, urn }) {
      const target = await twinOf(at, urn);
      await setMappings(at.world.migration(plan), [{ source: urn, target }]);
    },
  },
  {
    how: "a pair that was taken away and named again",
    kinds: ["terms", "rules"],
    none: "rest",
    colleague: "conflict",
    source: "update",
    both: "conflict",
    hand: nameAgain,
  },
  {
    // What the colleague adds there is a field of which the source says nothing: it is theirs.
    how: "a pair that was taken away and named again",
    kinds: ["monitors"],
    none: "rest",
    colleague: "rest",
    source: "update",
    both: "conflict",
    hand: nameAgain,
  },
  {
    how: "another policy",
    kinds,
    ...settled,
    async hand({ at, plan }) {
      await apply(at, { ...plan, policy: { targetOnly: "remove", schedules: "disable" } });
    },
  },
  {
    how: "a patch whose answer was lost, decided to be sent again",
    kinds: ["monitors", "primary-monitors"],
    ...behind,
    async hand({ at, subject, urn, plan }) {
      subject.edit(at.source, urn, "moved");
      lose(at, "drop-before-commit");
      await apply(at, plan);
      at.world.emulator.faults.clear();
      await resolveDoubts(at.world.migration(plan), {
        decisions: [{ decision: "retry", source: urn }],
      }).catch(
        () => {}, // Settled by itself already: then there is nothing to decide.
      );
    },
  },
  {
    how: "an object that was adopted by its name, and a rollback of that",
    kinds: ["terms", "rules", "monitors"],
    ...behind,
    async hand({ at, subject, plan, urn }) {
      const twin = (await twinOf(at, urn)) as Urn;
      await removeMappings(at.world.migration(plan), [urn]);
      subject.edit(at.target, twin, "other");
      subject.edit(at.source, urn, "moved");
      await apply(at, { ...plan, policy: { adopt: "by-name" } });
      expect(written(at.world)).toEqual(subject.update);
      expect((await rollback(at, plan)).exitCode).toBe(0);
    },
  },
];

/** Every kind, and by `npm test` one a way: they take turns. */
const cases = ways.flatMap((way, index) =>
  (isWhole ? way.kinds : way.kinds.slice(index % way.kinds.length).slice(0, 1)).flatMap((kind) =>
    (["none", "colleague", "source", "both"] as const).map((afterwards) => ({
      way,
      kind,
      afterwards,
      said: way[afterwards],
      how: way.how,
    })),
  ),
);

describe("a pair that changes hands", () => {
  it.each(cases)("by $how: $kind, afterwards $afterwards: $said", async ({ way, kind, afterwards, said }) => {
    const at = await stage();
    const subject = subjects.find((one) => one.kind === kind) as Subject;
    const plan: PlanChanges = { select: { kinds: subject.select } };
    subject.prepare(at.source, at.target);
    const urn = subject.seed(at.source, "Subject");
    await apply(at, plan);
    const twin = await twinAt(at, subject, urn);
    await way.hand({ at, subject, plan, urn });

    if (afterwards === "source" || afterwards === "both") subject.edit(at.source, urn, marks[0]);
    if (afterwards === "colleague" || afterwards === "both") subject.edit(at.target, twin, marks[1]);
    const before = structuredClone(at.target.body(twin));
    const change = changeOf(await diff(at, plan), urn);
    expect({ action: change?.action ?? "rest", reason: change?.reason }).toMatchObject({ action: said });
    const done = await apply(at, plan);
    if (said === "drift" || said === "conflict" || afterwards === "colleague") {
      expect(at.target.body(twin)).toEqual(before);
      expect(written(at.world)).toEqual([]);
      expect(done.exitCode).toBe(said === "rest" ? 0 : 4);
    } else {
      expect(done.exitCode).toBe(0);
      await expectAtRest(at, plan);
    }
  });
});

describe("a candidate with other content that was taken", () => {
  const bulk = "POST /api/catalog/v1/terms/bulk";
  const plan: PlanChanges = { select: { kinds: ["terms"] } };

  async function taken(): Promise<{ at: Stage; urn: Urn; target: Urn }> {
    const at = await stage();
    const urn = seedTerm(at.source, "One");
    at.world.emulator.faults.add({
      match: { route: bulk },
      when: { times: 1 },
      effect: { type: "drop-before-commit" },
    });
    let target: Urn | undefined;
    const off = at.world.emulator.on(({ entry }) => {
      if (entry.route !== bulk || target !== undefined) return;
      off();
      target = seedTerm(at.target, "One", { description: "another" });
      seedTerm(at.target, "One", { description: "and another" });
    });
    expect((await apply(at, plan)).exitCode).toBe(6);
    if (target === undefined) throw new Error("nothing was seeded");
    await resolveDoubts(at.world.migration(plan), {
      decisions: [{ decision: "take", source: urn, target }],
    });
    return { at, urn, target };
  }

  it("is brought to the source, and what it had is told", async () => {
    const { at, urn } = await taken();
    const change = changeOf(await apply(at, plan), urn);
    expect(change?.action).toBe("update");
    expect(change?.diagnostics).toMatchObject([{ code: "taken-over", severity: "warning" }]);
    await expectAtRest(at, plan);
  });

  it("and changed by a colleague since is a conflict, and stays", async () => {
    const { at, urn, target } = await taken();
    const subject = subjects[0] as Subject;
    subject.edit(at.target, target, marks[1]);
    expect(changeOf(await apply(at, plan), urn)?.action).toBe("conflict");
    expect(at.target.body(target)).toMatchObject({ description: marks[1] });
    const wins = { ...plan, policy: { conflict: "source-wins" } as const };
    expect(changeOf(await apply(at, wins), urn)?.action).toBe("update");
    await expectAtRest(at, wins);
  });
});
