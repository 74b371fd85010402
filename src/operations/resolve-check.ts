import { EngineError } from "../engine/progress.ts";
import type { Key } from "../model/key.ts";
import { keyText, parseKey } from "../model/key.ts";
import type { Abandoned, AbandonedList } from "../store/index.ts";
import type { MappingTable } from "../model/mapping-table.ts";
import { shellWord } from "../model/shell-word.ts";
import { needsPerson } from "./doubts.ts";
import type { Migration } from "./migration.ts";
import type { OpenQuestion } from "./resolve-questions.ts";

/** A person's word on one operation in doubt. Its source is a URN, or `kind:URN` where several things lie over one. */
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
  doubts: readonly Key[],
  abandoned: AbandonedList,
): void {
  const unknown = decisions.find(
    ({ decision, source }) =>
      !isAmong(source, doubts) && !(decision === "retry" && meantOf(source, abandoned).length > 0),
  );
  if (unknown === undefined) return;
  throw new EngineError(
    "selection",
    `nothing is in doubt for ${unknown.source}`,
    meantOf(unknown.source, abandoned).length > 0
      ? `It was abandoned. To have it moved again: ferry resolve ${migration.plan.name} --retry ${shellWord(unknown.source)}`
      : `See what is: ferry resolve ${migration.plan.name}`,
  );
}

/** What the service is still at is not sent again: it would be there twice. `again`: the command that goes on with what was interrupted. */
export function refuseAccepted(
  decided: readonly { readonly question: OpenQuestion; readonly decision: Decision }[],
  again: string,
): void {
  const found = decided.find(
    ({ decision, question: { doubt } }) =>
      decision.decision === "retry" && doubt.handle !== undefined && !needsPerson(doubt),
  );
  if (found === undefined) return;
  const { kind, item, handle = "" } = found.question.doubt;
  throw new EngineError(
    "in-doubt",
    `${kind} "${item.name}" (${item.source}) is not sent again: the service has accepted it (${handle}) and may finish it at any time; nothing was recorded`,
    `Ask what became of it: ${again}`,
  );
}

/**
 * What is to be sent again and is there: what was not offered, or what the next apply takes for it by itself. Only where the target
 * shows more than that a person's word is the last.
 */
export function refuseIfMade(
  questions: readonly OpenQuestion[],
  offered: readonly OpenQuestion[],
  again: string,
): void {
  for (const [index, { candidates, doubt, settlesItself }] of questions.entries()) {
    const seen = new Set(offered[index]?.candidates.map(({ urn }) => urn));
    const found = candidates.find(({ urn, same }) => same && (settlesItself || !seen.has(urn)));
    if (found === undefined) continue;
    const there = seen.has(found.urn)
      ? "is there, with the same content, and nobody's twin"
      : "has turned up meanwhile, with the same content";
    throw new EngineError(
      "in-doubt",
      `${doubt.kind} "${doubt.item.name}" (${doubt.item.source}) is not sent again: ${found.urn} ${there}; nothing was recorded`,
      `Run: ${again}`,
    );
  }
}

/** Whether a person's word is about this object. */
export function isMeant(word: string, { kind, id }: Key): boolean {
  const meant = parseKey(word);
  return meant.id === id && (meant.kind ?? kind) === kind;
}

export function isAmong(word: string, keys: readonly Key[]): boolean {
  return keys.some((key) => isMeant(word, key));
}

/** What was abandoned and is meant by a word. */
export function meantOf(word: string, abandoned: AbandonedList): readonly Abandoned[] {
  return abandoned.of(parseKey(word).id).filter(({ kind, source }) => isMeant(word, { kind, id: source }));
}

/** A word that is about several things says nothing of either. */
export function refuseAmbiguous(
  migration: Migration,
  decisions: readonly Decision[],
  doubts: readonly Key[],
): void {
  for (const { source } of decisions) {
    const kinds = [...new Set(doubts.filter((key) => isMeant(source, key)).map(({ kind }) => kind))];
    if (kinds.length < 2) continue;
    throw new EngineError(
      "selection",
      `${source} is in doubt as several things: ${kinds.join(", ")}; nothing was recorded`,
      `Say which one, for example: ferry resolve ${migration.plan.name} --retry ${shellWord(keyText(kinds[0] ?? "", source))}`,
    );
  }
}

/** Two decisions on one object, or one object for two: refused before anything is recorded. */
export function refuseContradictions(
  decided: readonly { readonly question: OpenQuestion; readonly decision: Decision }[],
  mapping: MappingTable,
  again: string,
): void {
  const sources = new Set<string>();
  const takenBy = new Map<string, string>();
  for (const { question, decision } of decided) {
    const { kind, item } = question.doubt;
    const { source } = item;
    if (sources.has(keyText(kind, source))) {
      throw new EngineError("selection", `there are two decisions on ${source}; nothing was recorded`);
    }
    sources.add(keyText(kind, source));
    if (decision.decision !== "take") continue;
    const { target } = decision;
    const other = takenBy.get(target) ?? mapping.takenBy(kind, target);
    if (other !== undefined && other !== source) {
      throw new EngineError(
        "selection",
        `${target} cannot be the twin of ${source}: it is that of ${other}; nothing was recorded`,
        otherCandidates(question, new Set([...takenBy.keys(), target]), again),
      );
    }
    if (!question.candidates.some(({ urn }) => urn === target)) {
      throw new EngineError(
        "selection",
        `${target} is not among the candidates for ${source}; nothing was recorded`,
        otherCandidates(question, new Set(takenBy.keys()), again),
      );
    }
    takenBy.set(target, source);
  }
}

function otherCandidates(question: OpenQuestion, taken: ReadonlySet<string>, again: string): string {
  const free = question.candidates.filter(({ urn }) => !taken.has(urn)).map(({ urn }) => urn);
  return free.length === 0 ? `Candidates: none. Run: ${again}` : `Candidates: ${free.join(", ")}.`;
}
