import type { Candidate, Doubt } from "../engine/settle/subtraction.ts";
import { effectOf } from "../model/journal.ts";
import { asSecond } from "../engine/settle/second.ts";
import { subtract } from "../engine/settle/subtraction.ts";
import type { EntityKind } from "../kinds/kind.ts";
import { printOf } from "../model/canonical.ts";
import { needsPerson } from "./doubts.ts";
import type { Migration } from "./migration.ts";
import { settlerFor } from "./run.ts";
import type { State } from "./state.ts";
import { standsAlone } from "../engine/facets/standing.ts";

export interface OpenQuestion {
  readonly doubt: Doubt;
  /** New at the target and mapped to nothing, whatever makes a person be asked; those with the same content first. */
  readonly candidates: readonly (Candidate & { readonly same: boolean })[];
  /** The next apply settles it without a person: found for certain, or absent and sent again after a quiet period. */
  readonly settlesItself: boolean;
}

/** What is in doubt, with what may have become of it: one look at the target. */
export async function questionsOf(
  migration: Migration,
  { mapping, replayed }: State,
  doubts: readonly Doubt[] = replayed.doubts,
): Promise<readonly OpenQuestion[]> {
  const settler = await settlerFor(migration, migration.targetReads(), mapping, (run, kind) =>
    replayed.baselines.get(run)?.get(kind),
  );
  const groups = new Map<string, { readonly kind: EntityKind; readonly run: string; doubts: Doubt[] }>();
  const questions = new Map<Doubt, OpenQuestion>();
  for (const doubt of doubts) {
    const kind = (await migration.kinds("target")).movedKind(doubt.kind);
    if (!standsAlone(kind) || effectOf(doubt) !== "creates") {
      const settlesItself = !needsPerson(doubt);
      questions.set(doubt, { doubt, candidates: [], settlesItself });
      continue;
    }
    const key = `${doubt.run} ${kind.name}`;
    const group = groups.get(key) ?? { kind, run: doubt.run, doubts: [] };
    group.doubts.push(doubt);
    groups.set(key, group);
  }
  for (const { kind, run, doubts: group } of groups.values()) {
    const all = await settler.candidates(kind, run, group);
    const asked = new Map(subtract(kind, group, all).ask.map((ask) => [ask.doubt, ask.candidates]));
    for (const doubt of group) {
      const candidates = candidatesFor(doubt, kind, all, asked.get(doubt) ?? []);
      const second = asSecond(doubt, candidates.find(({ same }) => same)?.urn, mapping);
      const settlesItself = !asked.has(doubt) && second === undefined;
      const told = second === undefined ? doubt : { ...doubt, reason: second };
      questions.set(doubt, { doubt: told, candidates, settlesItself });
    }
  }
  return doubts.flatMap((doubt) => questions.get(doubt) ?? []);
}

function candidatesFor(
  doubt: Doubt,
  kind: EntityKind,
  all: readonly Candidate[],
  asked: readonly Candidate[],
): OpenQuestion["candidates"] {
  return all
    .map((candidate) => ({
      ...candidate,
      same: printOf(candidate.body, kind.shape) === doubt.item.fingerprint,
    }))
    .filter(
      ({ same, name, urn }) => same || name === doubt.item.name || asked.some((other) => other.urn === urn),
    )
    .sort((left, right) => Number(right.same) - Number(left.same));
}
