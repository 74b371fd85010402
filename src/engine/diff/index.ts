import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isArray, isObject, own } from "../../model/json.ts";
import type { Key } from "../../model/key.ts";
import { uuidOf } from "../../model/urn.ts";
import { blockDependents } from "./block-dependents.ts";
import { breakCycles } from "./cycles.ts";
import { decide } from "./decide.ts";
import type { Draft } from "./draft.ts";
import type { HandOver } from "./hand-over.ts";
import { handOver } from "./hand-over.ts";
import { identify } from "./identify.ts";
import { indexSource } from "./index-source.ts";
import type { DiffInput } from "./input.ts";
import { instead } from "./instead.ts";
import type { Node, Nodes } from "./node.ts";
import { orphans } from "./orphans.ts";
import { Resolver } from "./resolver.ts";
import { onlyAdds } from "../facets/standing.ts";
import { removeStep } from "../facets/steps.ts";

export type { DiffInput } from "./input.ts";

export interface Diff {
  /** In the order of kinds, deletes last. */
  readonly changes: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
  /** Mapping entries whose objects are gone on both sides. */
  readonly forgotten: readonly Key[];
}

/** Beyond so many objects nobody reads what each new one will hold, and the diff would be larger than the snapshot. */
const mostDetailed = 5_000;

/** The dry run and the first half of apply alike: a pure function of its input. */
export function computeDiff(input: DiffInput): Diff {
  const nodes = indexSource(input);
  const resolver = new Resolver(input, nodes);
  const adopted = identify(input, nodes, resolver);
  const links = handOver(input, resolver);

  const selected = [...nodes.all.values()].filter((node) => node.selected);
  const context = { input, resolver, adopted, detailed: selected.length <= mostDetailed };
  const decided = selected.map((node) => decide(node, context));
  const { drafts, unbreakable } = breakCycles(decided, input, resolver);
  const changes = drafts.map((draft) => {
    const stuck = unbreakable.get(draft.change.id);
    const change = stuck === undefined ? draft.change : stuckInCycle(draft.change, stuck);
    return withPuller(holdForLinks(change, draft, input, links), nodes);
  });
  const gone = orphans(input);
  const replaced = decided.flatMap(({ change, node }) => (node.replaced ? removalOfOld(change, node) : []));
  const isDelete = ({ action }: Change): boolean => action === "delete";
  const deletes = [...gone.changes.filter(isDelete), ...replaced];
  const left = gone.changes.filter((change) => !isDelete(change));
  return {
    changes: blockDependents([...changes, ...left, ...deletes]),
    diagnostics: [
      ...unrecognised(input),
      ...unlisted(input),
      ...startingSchedules(changes),
      ...links.diagnostics,
    ],
    forgotten: gone.forgotten,
  };
}

/** The object that a new one takes the place of, where the service can delete it. */
function removalOfOld(change: Change, node: Node): readonly Change[] {
  if (removeStep(node.kind) === undefined || change.target === undefined) return [];
  return [
    {
      id: `${change.id}#old`,
      action: "delete",
      kind: change.kind,
      // It has no row in the mapping any more: the new object has taken it.
      source: change.target,
      target: change.target,
      reason: "a new object takes its place",
      fields: [],
      diagnostics: [],
      dependsOn: [],
      ...(change.work?.targetFingerprint === undefined
        ? {}
        : { work: { targetFingerprint: change.work.targetFingerprint } }),
    },
  ];
}

function stuckInCycle(change: Change, field: string): Change {
  const { work: _work, ...rest } = change;
  const reason = `it is part of a circle of references through ${field}, which cannot be left out at creation`;
  return { ...rest, action: "blocked", reason, dependsOn: [] };
}

const linksFirst = {
  key: "link-terms-first",
  summary: "a person must link rules to terms first",
  detail: "Which rule to which term is listed with what there is to say about the run.",
  suggestion:
    "Make the links in the web application of the target, set policy.termLinks to done in the plan, and run again.",
} as const;

/** A term is assigned only after its rules were linked: later links would not reach it. */
function holdForLinks(change: Change, draft: Draft, input: DiffInput, links: HandOver): Change {
  if (!onlyAdds(draft.node.kind) || change.action === "unchanged") return change;
  // What is created in this very run cannot have been linked, whatever the plan says.
  const said = input.plan.policy.termLinks === "done";
  const terms = own(input.source.body(draft.node.kind.name, draft.node.urn), "termUrns");
  const held = (isArray(terms) ? terms : []).flatMap((urn) =>
    typeof urn === "string" && (!said || links.unborn.has(urn)) ? (links.waiting.get(urn) ?? []) : [],
  );
  if (held.length === 0) return change;
  const pairs = held.map((link) => `"${link.ruleName}" to "${link.termName}"`).join(", ");
  const reason = `a person must link rules to terms first: ${pairs}`;
  const { suggestion } = linksFirst;
  return instead(change, "manual", reason, { code: "link-terms-first", suggestion, cause: linksFirst });
}

function withPuller(change: Change, nodes: Nodes): Change {
  const puller = change.pulledInBy === undefined ? undefined : nodes.all.get(change.pulledInBy.urn);
  if (puller === undefined) return change;
  return { ...change, pulledInBy: { kind: puller.kind.name, urn: puller.urn, name: puller.name } };
}

/** Said once for all, so that it is seen in every format and beside the question to apply. */
function startingSchedules(changes: readonly Change[]): readonly Diagnostic[] {
  const starting = changes.filter(({ diagnostics }) =>
    diagnostics.some(({ code }) => code === "schedule-starts"),
  );
  if (starting.length === 0) return [];
  const names = starting.slice(0, 5).map(({ source }) => `"${source?.name ?? ""}"`);
  const more = starting.length > names.length ? ` and ${starting.length - names.length} more` : "";
  return [
    {
      severity: "warning",
      code: "schedules-start",
      summary: `${starting.length} ${starting.length === 1 ? "monitor starts" : "monitors start"} running at the target at once, by schedule: ${names.join(", ")}${more}`,
      suggestion: "Set policy.schedules to disable if they should wait for a person.",
    },
  ];
}

/** Fields that no document names travel along; a person should know of them. */
function unrecognised(input: DiffInput): readonly Diagnostic[] {
  const notes = input.source.manifest.notes;
  const fields = isObject(notes) ? own(notes, "unrecognised") : undefined;
  if (!isObject(fields)) return [];
  return Object.entries(fields).map(([kind, names]) => ({
    severity: "info",
    code: "unrecognised-field",
    summary: `${kind} carry fields that the documents do not name: ${isArray(names) ? names.map(String).join(", ") : ""}`,
    detail: "They travel along as they are; ids in them are rewritten like everywhere else.",
  }));
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

/** Ids of the source that must not be found at the target: for verify. */
export function sourceIds(input: Pick<DiffInput, "source">): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const kind of input.source.kinds()) for (const urn of input.source.urns(kind)) ids.add(uuidOf(urn));
  ids.delete("");
  return ids;
}
