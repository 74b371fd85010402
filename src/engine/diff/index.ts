import type { Change } from "../../model/change.ts";
import { idOfOld } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { notThere, notThereDiagnostics } from "../pair/not-there.ts";
import { isObject, own } from "../../model/json.ts";
import type { Key } from "../../model/key.ts";
import { keyText } from "../../model/key.ts";
import { become, ChangeList, numberOf } from "../../model/packed/change-list.ts";
import { Changes } from "../../model/packed/changes.ts";
import { quotedWord } from "../../model/shell-word.ts";
import { blockDependents } from "./block-dependents.ts";
import type { OpenDraft } from "./cycles.ts";
import { breakCycles, staysOpen } from "./cycles.ts";
import { decide } from "./decide.ts";
import { identify } from "./identify.ts";
import { indexSource } from "./index-source.ts";
import type { DiffInput } from "./input.ts";
import { kindChecks } from "./kind-checks.ts";
import { deletionOfOld, displaced } from "./displaced.ts";
import { misplaced } from "./misplaced.ts";
import type { Node, Nodes } from "./node.ts";
import { orphans } from "./orphans.ts";
import { secondsOfTheirName } from "./second-of-its-name.ts";
import { placeOverGiven, placeOverMoved } from "./place-overlays.ts";
import { type Renewed, renewedParts } from "./renewed.ts";
import { Resolver } from "./resolver.ts";
import { unrecognised } from "./unrecognised.ts";
import { removeStep } from "../facets/steps.ts";
import { turnAfter, Turns } from "../turns.ts";

export type { DiffInput } from "./input.ts";

export interface Diff {
  /** In the order of kinds, deletes last. */
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
  /** Mapping entries whose objects are gone on both sides. */
  readonly forgotten: readonly Key[];
  /** Those of places in which their objects lie no more, and another one does: whatever is gone or not. */
  readonly misplaced: readonly Key[];
  /** Parts at the target that the mapping has under another key than they are found under, or not at all. */
  readonly renewed: Renewed;
}

/** Beyond so many creates nobody reads what each will hold, and the diff would be larger than the snapshot. */
const mostDetailed = 5_000;

/** Which creates are told with what they will hold: so many, the first ones; or those with these ids. */
export type Detailed = number | ReadonlySet<string>;

/** The dry run and the first half of apply alike: a pure function of its input. */
export async function computeDiff(input: DiffInput, detailed: Detailed = mostDetailed): Promise<Diff> {
  const turns = new Turns();
  const nodes = indexSource(input);
  const turn = (): Promise<void> | undefined => turnAfter(nodes.all.length);
  await turn();
  const resolver = new Resolver(input, nodes);
  const overMoved = placeOverGiven(input, nodes);
  const adopted = identify(input, nodes, resolver);
  await turn();
  placeOverMoved(overMoved, input, resolver);

  const changes = new Changes(input.scratch);
  const selected = nodes.all.filter((node) => node.selected);
  const context = {
    input,
    resolver,
    adopted,
    changes,
    asItShouldBe: new Map(),
    isDetailed: chosen(detailed),
  };
  const open: OpenDraft[] = [];
  const deciding = new ChangeList<Change>();
  for (const [place, node] of selected.entries()) {
    await turns.next();
    const draft = decide(node, context);
    resolver.noteDecided(node, draft.change);
    if (staysOpen(draft)) open.push({ ...draft, place });
    deciding.push(draft.change);
  }
  await turn();
  const decided = deciding.all();
  const replaced = selected.flatMap((node, place) => {
    const change = node.replaced ? decided[place] : undefined;
    return change === undefined ? [] : removalOfOld(change, node);
  });
  const unbreakable = breakCycles(deciding, open, context, (urn) => {
    const named = nodes.named.get(urn);
    return named?.selected === true ? named.key : keyText("unknown", urn);
  });
  await turn();
  const all = become(decided, (change) => {
    const stuck = unbreakable.get(change.id);
    return withPuller(stuck === undefined ? change : stuckInCycle(change, stuck), nodes);
  });
  await turn();
  const checked = kindChecks(all, input, nodes, resolver);
  await turn();
  const gone = orphans(input, resolver);
  const isDelete = ({ action }: Change): boolean => action === "delete";
  await turn();
  const list = new ChangeList<Change>();
  for (const change of checked.changes) list.push(change);
  for (const change of gone.changes) if (!isDelete(change)) list.push(change);
  for (const change of gone.changes) if (isDelete(change)) list.push(change);
  for (const change of replaced) list.push(change);
  for (const change of displaced(input, nodes, new Set(replaced.map(({ id }) => id)))) list.push(change);
  await turn();
  const happening = blockDependents(list.all());
  await turn();
  const seconds = secondsOfTheirName(happening, input, nodes, resolver);
  await turn();
  const final = become(seconds, (change) => (change.action === "unchanged" ? change : changes.keep(change)));
  await turn();
  const renewed = renewedParts(nodes);
  nodes.done();
  const elsewhere = misplaced(final, input);
  return {
    changes: final,
    diagnostics: [
      ...unrecognised(input),
      ...unlisted(input),
      ...notThereDiagnostics(
        notThere(input.plan.pairing, input.target.pairs, input.registry),
        input.plan.target.name,
      ),
      ...inBrief(checked.changes, input.plan.name),
      // No report lists what is as it should be.
      ...final.flatMap(({ action, diagnostics }) => (action === "unchanged" ? diagnostics : [])),
      ...checked.diagnostics,
      ...elsewhere.diagnostics,
    ],
    forgotten: gone.forgotten,
    misplaced: elsewhere.keys,
    renewed,
  };
}

/** Asked once for each create. */
function chosen(detailed: Detailed): (id: string) => boolean {
  if (typeof detailed !== "number") return (id) => detailed.has(id);
  let left = detailed;
  return () => {
    left -= 1;
    return left >= 0;
  };
}

/** The object that a new one takes the place of, where the service can delete it: it stays where that one is not made. */
function removalOfOld({ id, kind, target, work }: Change, node: Node): readonly Change[] {
  if (removeStep(node.kind) === undefined || target === undefined) return [];
  const old = deletionOfOld({ id: idOfOld(id), kind, old: target, print: work?.targetFingerprint });
  return [{ ...old, dependsOn: [id] }];
}

function stuckInCycle(change: Change, field: string): Change {
  const { work: _work, ...rest } = change;
  const reason = `it is part of a circle of references through ${field}, which cannot be left out at creation`;
  return { ...rest, action: "blocked", reason, dependsOn: [] };
}

function withPuller(change: Change, nodes: Nodes): Change {
  const puller = change.pulledInBy === undefined ? undefined : nodes.find(change.pulledInBy.urn);
  if (puller === undefined) return change;
  return { ...change, pulledInBy: { kind: puller.kind.name, urn: puller.urn, name: puller.name } };
}

/** Whoever approves must know what he has not been shown, and where it is. */
function inBrief(changes: readonly Change[], plan: string): readonly Diagnostic[] {
  const isInBrief = ({ action, inBrief: is }: Change): boolean => action === "create" && is === true;
  const first = changes.find(isInBrief);
  if (first === undefined) return [];
  const brief = numberOf(changes, isInBrief);
  const creates = numberOf(changes, ({ action }) => action === "create");
  const example = `${first.kind}:${first.source?.name ?? "NAME"}`;
  return [
    {
      severity: "warning",
      code: "creates-in-brief",
      summary: `${brief.toLocaleString("en")} of ${creates.toLocaleString("en")} creates are listed without what they will hold; all other changes have their fields`,
      detail:
        "What they hold stands in the snapshot of the source, a line an object, in a file for each kind.",
      suggestion: `Look at some of them with their fields, such as: ferry diff ${plan} --include ${quotedWord(example)}`,
    },
  ];
}

/** What no list shows costs a request each, with every run. */
function unlisted(input: DiffInput): readonly Diagnostic[] {
  const notes = input.source.manifest.notes;
  const counts = isObject(notes) ? own(notes, "unlisted") : undefined;
  if (!isObject(counts)) return [];
  return Object.entries(counts).map(([kind, count]) => ({
    severity: "info",
    code: "unlisted",
    summary: `the lists of the source show no ${kind}: ${JSON.stringify(count)} were read one by one, for this selection`,
    detail: "A snapshot made so holds only those: make a new one for another selection.",
  }));
}
