import type { OpenTable, Row } from "../../kinds/kind.ts";
import type { Policy } from "../../model/plan.ts";
import { own } from "../../model/json.ts";
import { partWritten } from "../../model/row-print.ts";
import type { RowLine } from "./line.ts";
import type { Reading, Resting, ValueChange } from "./prints.ts";
import { changesOf, inOrder, isAlike, printOf, restPrint } from "./prints.ts";

/** Two prints of a row as of the last apply. */
export interface Known {
  readonly source: string;
  readonly target: string;
}

/**
 * What is to be done with one row of the source: a pure function of both sides, of what is known of it and of the policy.
 * Where nothing is known the source's word counts: the plan's key says which row is which.
 */
export function decide(
  source: Row & { readonly key: string },
  atTarget: readonly Row[],
  known: Known | undefined,
  policy: Pick<Policy, "drift" | "conflict" | "missingTarget">,
  reading: Resting & Pick<OpenTable, "isActivityMoved" | "namesAll">,
): Omit<RowLine, "key"> {
  const { name } = source;
  const [target, ...more] = atTarget;
  const was = known === undefined ? {} : { was: [known.source, known.target] as const };
  if (more.length > 0)
    return { action: "blocked", name, reason: `its key occurs ${atTarget.length} times at the target` };
  const ours = printOf(source.values, reading);
  // What was taken back or removed is there, and does not count: it is made again in its place.
  const isMadeAgain = known === undefined && reading.isActivityMoved !== true && source.isGone !== true;
  const isGone = target?.isGone === true && isMadeAgain;
  if (target === undefined || isGone) {
    if (source.leftOut !== undefined) return { action: "manual", name, reason: source.leftOut, ...was };
    // What stands there is written over: people may have put it there, and then switched it off. What the source does not say goes.
    const sent = inOrder(source.values).map((field) => ({
      name: field,
      from: target === undefined ? undefined : own(target.values, field),
      to: own(source.values, field),
    }));
    const cleared = target === undefined ? [] : changesOf(source, target, reading);
    const fields = [...sent, ...cleared.filter(({ to }) => to === undefined)];
    if (known !== undefined && policy.missingTarget === "report")
      return { action: "drift", name, reason: "somebody has removed it at the target" };
    const address = target?.address === undefined ? {} : { address: target.address };
    return { action: "create", name, ...address, fields, print: [ours, ours], ...was };
  }
  const theirs = isAlike(source.values, target.values) ? ours : printOf(target.values, reading);
  // Whose prints are alike says the same: most rows of a second run.
  const said = ours === theirs ? [] : changesOf(source, target, reading);
  const fields = said.length === 0 ? clearedIn(source, target, ours, known, reading) : said;
  const common = {
    name,
    ...(target.address === undefined ? {} : { address: target.address }),
    print: [ours, theirs] as const,
    ...was,
  };
  if (fields.length === 0) return { action: "unchanged", ...common };
  const changed = { ...common, fields, before: target.values };
  if (known === undefined) return { action: "update", ...changed };
  const isOtherwise = (): boolean =>
    !(target.aside ?? []).some((values) => known.target === printOf(values, reading)) &&
    !isAsPutBack(target, known, reading) &&
    !isButRelated(source, target, known, reading);
  const isTheirs = said.length > 0 && known.target !== theirs && !isAsBrought(target, known, reading);
  const [moved, drifted] = [known.source !== ours, isTheirs && isOtherwise()];
  // The target has what it was given, and shows it otherwise.
  if (!moved && !drifted) return { action: "unchanged", ...common };
  // As it was left, however it reads by now: what goes is nobody's word.
  if (!drifted) return { action: "update", ...changed, print: [ours, known.target] };
  if (!moved) {
    if (policy.drift === "overwrite") return { action: "update", ...changed };
    return { action: "drift", ...changed, reason: "somebody has changed it at the target" };
  }
  if (policy.conflict === "source-wins") return { action: "update", ...changed };
  return { action: "conflict", ...changed, reason: "it has changed on both sides" };
}

/**
 * Whether the target is as it was brought to the source then, which had attributes that it has no more: what it says nothing of by
 * now makes no change of the target. Which they were nobody has kept: any of those that only the target has by now.
 */
function isAsBrought(target: Row, known: Known, { text, isOurs, namesAll }: Reading & NamesAll): boolean {
  if (namesAll !== true) return false;
  const lost = Object.keys(target.values).filter((name) => !isOurs(name));
  for (const names of choicesOf(lost)) {
    const then: Reading = { text, isOurs: (name) => isOurs(name) || names.has(name) };
    if (printOf(target.values, then) === known.target) return true;
  }
  return false;
}

/** Whether it is as a rollback left it that could put a part of it back. */
function isAsPutBack({ values, aside = [] }: Row, known: Known, reading: Resting): boolean {
  return (
    known.source === partWritten && [values, ...aside].some((as) => known.target === restPrint(as, reading))
  );
}

/**
 * Whether it is as it was but for relations that the source has as well: a run may have made them from their other end, of which this row
 * knows nothing, and whoever else has made them has changed nothing else.
 */
function isButRelated(
  source: Row,
  { values, aside = [] }: Row,
  known: Known,
  { text, isOurs, isLater, stays }: Resting,
): boolean {
  const given = Object.keys(values).filter(
    (name) => isLater?.(name) === true && stays?.(name) === true && own(source.values, name) !== undefined,
  );
  for (const names of choicesOf(given)) {
    const without: Reading = { text, isOurs: (name) => isOurs(name) && !names.has(name) };
    if ([values, ...aside].some((as) => known.target === printOf(as, without))) return true;
  }
  return false;
}

/** Of so many attributes each choice is tried, a print each; of more than these one of them, or all. */
const mostTried = 8;

function* choicesOf(names: readonly string[]): Generator<ReadonlySet<string>, void, undefined> {
  if (names.length === 0) return;
  yield new Set(names);
  if (names.length > mostTried) {
    for (const name of names) yield new Set([name]);
    return;
  }
  for (let choice = 1; choice < 2 ** names.length - 1; choice += 1)
    yield new Set(names.filter((_name, at) => Math.floor(choice / 2 ** at) % 2 === 1));
}

type NamesAll = Pick<OpenTable, "namesAll">;

/**
 * Of a service that does not tell the attributes of a table: what this row had, and no row of the source has any more, or none that was
 * read until now. The source has changed since, and the target is to the letter as it was brought to it then: what only the target has was ours.
 */
function clearedIn(
  source: Row,
  target: Row,
  ours: string,
  known: Known | undefined,
  { text, isOurs, namesAll }: Reading & NamesAll,
): readonly ValueChange[] {
  if (known === undefined || known.source === ours || namesAll === true) return [];
  const names = Object.keys(target.values);
  if (names.every((name) => isOurs(name))) return [];
  const whole: Reading = { text, isOurs: () => true };
  return printOf(target.values, whole) === known.target ? changesOf(source, target, whole) : [];
}
