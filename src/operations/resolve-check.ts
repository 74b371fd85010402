import { EngineError } from "../engine/progress.ts";
import type { AbandonedList } from "../store/index.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import type { Migration } from "./migration.ts";
import type { OpenQuestion } from "./resolve-questions.ts";

/** A person's word on one operation in doubt. */
export type Decision =
  /** It happened: this is the object. */
  | { readonly decision: "take"; readonly source: string; readonly target: string }
  /** It did not happen: send it again. Also for what was abandoned. */
  | { readonly decision: "retry"; readonly source: string }
  /** Leave it: it stays out of every run until the person says otherwise. */
  | { readonly decision: "abandon"; readonly source: string };

/** Decisions on what nobody asked. An abandoned object has no open question any more, but may be taken up again. */
export function refuseUnknown(
  migration: Migration,
  decisions: readonly Decision[],
  inDoubt: ReadonlySet<string>,
  abandoned: AbandonedList,
): void {
  const unknown = decisions.find(
    ({ decision, source }) =>
      !inDoubt.has(source) && !(decision === "retry" && abandoned.of(source).length > 0),
  );
  if (unknown === undefined) return;
  throw new EngineError(
    "selection",
    `nothing is in doubt for ${unknown.source}`,
    abandoned.of(unknown.source).length > 0
      ? `It was abandoned. To have it moved again: ferry resolve ${migration.plan.name} --retry ${unknown.source}`
      : `See what is: ferry resolve ${migration.plan.name}`,
  );
}

/** Two decisions on one object, or one object for two: refused before anything is recorded. */
export function refuseContradictions(
  migration: Migration,
  decided: readonly { readonly question: OpenQuestion; readonly decision: Decision }[],
  mapping: MappingTable,
): void {
  const sources = new Set<string>();
  const takenBy = new Map<string, string>();
  for (const { question, decision } of decided) {
    const { source } = decision;
    if (sources.has(source)) {
      throw new EngineError("selection", `there are two decisions on ${source}; nothing was recorded`);
    }
    sources.add(source);
    if (decision.decision !== "take") continue;
    const { target } = decision;
    const { kind } = question.doubt;
    const other = takenBy.get(target) ?? mapping.claim(kind, target);
    if (other !== undefined && other !== source) {
      throw new EngineError(
        "selection",
        `${target} cannot be the twin of ${source}: it is that of ${other}; nothing was recorded`,
        otherCandidates(question, new Set([...takenBy.keys(), target]), migration),
      );
    }
    if (!question.candidates.some(({ urn }) => urn === target)) {
      throw new EngineError(
        "selection",
        `${target} is not among the candidates for ${source}; nothing was recorded`,
        otherCandidates(question, new Set(takenBy.keys()), migration),
      );
    }
    takenBy.set(target, source);
  }
}

function otherCandidates(question: OpenQuestion, taken: ReadonlySet<string>, migration: Migration): string {
  const free = question.candidates.filter(({ urn }) => !taken.has(urn)).map(({ urn }) => urn);
  return free.length === 0
    ? `Candidates: none. Run: ferry apply ${migration.plan.name}`
    : `Candidates: ${free.join(", ")}.`;
}
