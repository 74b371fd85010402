import { test } from "vitest";
import type { Urn } from "../../src/model/urn.ts";
import { setMappings } from "../../src/operations/mappings.ts";
import {
  removeOne,
  removeSqlItem,
  seedComment,
  seedIssue,
  seedPort,
  seedProduct,
  seedSqlItem,
} from "../kinds/support/catalog.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedFolder, seedMonitor, seedRule, seedTerm } from "./support/content.ts";
import { apply, diff, expectChange, stage, type Stage, twinOf } from "./support/run.ts";
import type { Side } from "./support/side.ts";
import { removeFolder, removeMonitor, removeRule, removeTerm } from "./support/web.ts";

/** A pair of which both sides are gone is in nobody's way: what is new at the source under its name is made, or finds its twin. */

interface Way {
  readonly kind: string;
  readonly select: NonNullable<PlanChanges["select"]>;
  /** What it stands in, at the source. */
  readonly around?: (side: Side) => void;
  readonly seed: (side: Side) => Urn;
  readonly remove: (side: Side, urn: Urn) => void;
}

const entities = (...entityTypes: readonly string[]): Way["select"] => ({
  kinds: ["entities"],
  entityTypes: [...entityTypes],
});

const ways: readonly Way[] = [
  { kind: "terms", select: { kinds: ["terms"] }, seed: (side) => seedTerm(side, "X"), remove: removeTerm },
  { kind: "rules", select: { kinds: ["rules"] }, seed: (side) => seedRule(side, "X"), remove: removeRule },
  {
    kind: "monitors",
    select: { kinds: ["rules", "monitors"] },
    around: (side) => void seedRule(side, "R"),
    seed: (side) => seedMonitor(side, side.rule("R"), "X"),
    remove: removeMonitor,
  },
  {
    kind: "folders",
    select: { kinds: ["folders"] },
    around: (side) => void seedFolder(side, "F"),
    seed: (side) => seedFolder(side, "X", side.folder("F")),
    remove: removeFolder,
  },
  {
    kind: "sql-items",
    select: { kinds: ["folders", "sql-items"] },
    around: (side) => void seedFolder(side, "F"),
    seed: (side) => seedSqlItem(side, "X", side.folder("F")),
    remove: removeSqlItem,
  },
  {
    kind: "entities",
    select: entities("dataProduct", "outputPort"),
    around: (side) => void seedProduct(side, "P"),
    seed: (side) => seedPort(side, side.entity("dataProduct", "P"), "X"),
    remove: removeOne,
  },
  {
    // Without a name it is known by all that it says.
    kind: "entities",
    select: entities("qualityIssue", "issueComment"),
    around: (side) => void seedIssue(side, "I"),
    seed: (side) => seedComment(side, side.entity("qualityIssue", "I"), "X"),
    remove: removeOne,
  },
];

async function pairOf(
  { kind, seed }: Way,
  at: Stage,
  plan: PlanChanges,
  how: string,
): Promise<{ readonly old: Urn; readonly twin: Urn }> {
  const old = seed(at.source);
  if (how === "set") {
    const twin = seed(at.target);
    await setMappings(at.world.migration(plan), [{ kind, source: old, target: twin }]);
    return { old, twin };
  }
  await apply(at, plan);
  return { old, twin: (await twinOf(at, old)) as Urn };
}

test.each(
  ways.flatMap((way) =>
    ["made", "set"].flatMap((how) =>
      (["identical", "by-name"] as const).map((adopt) => [way.kind, how, adopt, way] as const),
    ),
  ),
)("%s, of a pair that was %s (adopt: %s)", async (_kind, how, adopt, way) => {
  const plan: PlanChanges = { select: way.select, policy: { adopt } };
  for (const isThere of [false, true]) {
    const at = await stage();
    way.around?.(at.source);
    await apply(at, plan);
    const { old, twin } = await pairOf(way, at, plan, how);
    way.remove(at.source, old);
    way.remove(at.target, twin);
    const fresh = way.seed(at.source);
    if (isThere) way.seed(at.target);
    const result = await diff(at, plan);
    if (isThere) expectChange(result, fresh, "adopt", "the same natural key and the same content");
    else expectChange(result, fresh, "create", "nothing at the target stands for it");
  }
});
