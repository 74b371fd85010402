import { ListedTypes } from "../engine/read/listed-types.ts";
import type { TargetState } from "../engine/read/target.ts";
import { withoutBorn } from "../engine/undo/born.ts";
import { checkPlanned } from "../engine/undo/check.ts";
import { withoutDead } from "../engine/undo/dead-references.ts";
import { asSeen } from "../engine/undo/deeds.ts";
import { withFields } from "../engine/undo/fields.ts";
import { KeptPlans } from "../engine/undo/kept-plans.ts";
import { withoutPartsReferred } from "../engine/undo/parts-referred.ts";
import type { Planned } from "../engine/undo/plan.ts";
import { planDeeds, withheld } from "../engine/undo/plan.ts";
import { withoutReferred } from "../engine/undo/referred.ts";
import { Returning } from "../engine/undo/rewrite.ts";
import { withRoom } from "../engine/undo/room.ts";
import type { ReadClient } from "../service/index.ts";
import type { AbandonedList } from "../store/index.ts";
import type { Migration } from "./migration.ts";
import type { Undone } from "./rollback-deeds.ts";
import { runsBeside, sourcesOf } from "./rollback-deeds.ts";
import { readStanding } from "./standing.ts";
import type { State } from "./state.ts";

/** How a run is taken back, and against what. */
export interface Looked {
  readonly standing: TargetState;
  readonly returning: Returning;
  readonly planned: readonly Planned[];
}

/** Reads what stands, and plans. */
export async function look(
  migration: Migration,
  undone: Undone,
  state: State,
  options: {
    readonly client: ReadClient;
    readonly finished: boolean;
    readonly allowDelete: boolean;
    readonly abandoned: AbandonedList;
    /** The rollback itself, where it has settled something by now. */
    readonly run?: string;
  },
): Promise<Looked> {
  const { client, finished, allowDelete, abandoned } = options;
  const { deeds: all } = undone;
  const kinds = new Set(all.map(({ kind }) => kind));
  const standing = await readStanding(migration, kinds, client, sourcesOf(state, all), all);
  const deeds = asSeen(all, (kind, urn) => standing.snapshot.has(kind, urn));
  const [{ mapping }, { plan, report }] = [state, migration];
  const returning = new Returning(deeds, mapping);
  const registry = await migration.kinds("target");
  const beside = await runsBeside(migration, undone, state, options.run);
  const { keep } = new KeptPlans(() => migration.store.work.openScratch());
  const context = {
    registry,
    plan,
    standing,
    mapping,
    listed: new ListedTypes(standing.snapshot),
    applied: await migration.store.state.openApplied(),
    returning,
    finished,
    abandoned,
    ...beside,
    keep,
  };
  const left = await withoutBorn(planDeeds(deeds, context), registry, client);
  const led = await withoutDead(left, context, client);
  const checked = await checkPlanned(led, context, client);
  const allowed = checked.map((item) => withheld(item, allowDelete));
  const unreferred = await withoutReferred(allowed, context, { client, report });
  const parted = await withoutPartsReferred(unreferred, context, { client, report });
  // What goes as a whole is told field by field: of many objects that is read back where it is shown.
  const planned = withRoom(parted, deeds, context).map((item): Planned => keep(withFields(item, context)));
  return { standing, returning, planned };
}
