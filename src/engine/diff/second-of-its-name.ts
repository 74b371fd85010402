import type { EntityKind } from "../../kinds/kind.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { isObject } from "../../model/json.ts";
import { keyText } from "../../model/key.ts";
import { mergePatch } from "../../model/merge-patch.ts";
import { once } from "../../model/once.ts";
import { become, ChangeList, packed } from "../../model/packed/change-list.ts";
import { shellWord } from "../../model/shell-word.ts";
import { naturalKeyText } from "../facets/natural-key.ts";
import { standsAlone } from "../facets/standing.ts";
import { blockDependents } from "./block-dependents.ts";
import type { DiffInput } from "./input.ts";
import { instead } from "./instead.ts";
import type { Node, Nodes } from "./node.ts";
import type { Resolver } from "./resolver.ts";
import { settingOf } from "./setting.ts";
import { translateKey } from "./same-name.ts";

const code = "second-of-its-name";

/** A change by which an object of the target gets a natural key that it had not. */
interface Arrival {
  readonly change: Change;
  readonly node: Node;
  readonly name: string;
  readonly key: () => string | undefined;
}

/** Whose twin an object of the target is, and what becomes of that pair. */
interface Claim {
  readonly source: string;
  /** What is done about the pair whose object is gone at the source; undefined where it is there. */
  readonly gone?: "deleted" | "left";
}

/**
 * The ladder of identity looks at what is new and at what nobody has claimed. What is renamed, or made anew beside the
 * twin of what is gone, meets others of its name as well: names are not unique in the service, so it may go on, but never
 * unsaid. It is said where two of a name stand at the target and not at the source: whoever gives its name away in the
 * same run is in nobody's way.
 */
export function secondsOfTheirName(
  changes: readonly Change[],
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): readonly Change[] {
  const told = new Map<string, Change>();
  const byKind = new Map<string, ChangeList<Change>>();
  for (const change of changes) {
    const own = byKind.get(change.kind) ?? new ChangeList();
    byKind.set(change.kind, own);
    own.push(change);
  }
  for (const kind of input.registry.moved()) {
    if (!standsAlone(kind) || !input.target.snapshot.kinds().includes(kind.name)) continue;
    const own = byKind.get(kind.name)?.all() ?? [];
    const renamed = own.flatMap((change) => renamings(kind, change, input, nodes));
    const created = packed(own.values().filter(({ action }) => action === "create"));
    if (renamed.length === 0 && created.length === 0) continue;
    const leaving = new Set(renamed.map(({ change }) => change.target?.urn));
    const there = standing(kind, renamed, created.length > 0, input);
    if (there.keys.size === 0) continue;
    const adopted = once(() => adoptions(own));
    const orphans = once(() => new Map(own.map((change) => [change.id, change.action])));
    const claimOf = (urn: string): Claim | undefined => {
      const source = input.mapping.claim(kind.name, urn) ?? adopted().get(urn);
      if (source === undefined) return undefined;
      if (input.source.has(kind.name, source)) return { source };
      return { source, gone: orphans().get(keyText(kind.name, source)) === "delete" ? "deleted" : "left" };
    };
    const creations = created.flatMap((change) =>
      creation(kind, change, there.names, input, nodes, resolver),
    );
    for (const { change, node, key } of [...renamed, ...creations]) {
      const text = key();
      const others = text === undefined ? [] : (there.keys.get(text) ?? []);
      for (const urn of others) {
        if (urn === change.target?.urn || leaving.has(urn)) continue;
        const claim = claimOf(urn);
        // What nobody has claimed has been looked at for whatever is new: it is no twin, or the plan asks for a second one.
        if (claim === undefined && change.action === "create") continue;
        const isSecondAtSource =
          claim !== undefined &&
          claim.gone === undefined &&
          translateKey(kind, input.source.body(kind.name, claim.source), resolver) === text;
        if (!isSecondAtSource)
          told.set(change.id, beside(told.get(change.id) ?? change, node, urn, claim, input));
      }
    }
  }
  if (told.size === 0) return changes;
  return besideWhatStays(become(changes, (change) => told.get(change.id) ?? change));
}

function renamings(kind: EntityKind, change: Change, input: DiffInput, nodes: Nodes): readonly Arrival[] {
  const isWritten = change.action === "update" || change.action === "adopt";
  const patch = isWritten ? change.work?.patch : undefined;
  const node = patch === undefined ? undefined : nodes.find(change.id);
  const urn = change.target?.urn ?? "";
  if (patch === undefined || node === undefined || !isOfKey(kind, patch)) return [];
  if (!input.target.snapshot.has(kind.name, urn)) return [];
  const before = input.target.snapshot.body(kind.name, urn);
  const after = mergePatch(before, patch);
  if (!isObject(after)) return [];
  const key = naturalKeyText(kind, after);
  if (key === naturalKeyText(kind, before)) return [];
  return [{ change, node, name: node.name, key: () => key }];
}

/** Most patches say nothing of what the natural key is made of, and need no look at the object. */
function isOfKey(kind: EntityKind, patch: JsonObject): boolean {
  return naturalKeyText(kind, patch) !== naturalKeyText(kind, {});
}

function creation(
  kind: EntityKind,
  change: Change,
  names: ReadonlySet<string>,
  input: DiffInput,
  nodes: Nodes,
  resolver: Resolver,
): readonly Arrival[] {
  const name = change.source?.name ?? "";
  const node = names.has(name) ? nodes.find(change.id) : undefined;
  if (node === undefined) return [];
  const key = (): string | undefined => translateKey(kind, input.source.body(kind.name, node.urn), resolver);
  return [{ change, node, name, key }];
}

/**
 * Objects of the target that something may come to stand beside, by natural key: those of a name that another one gets,
 * and twins that are called otherwise than the source calls them, or whose object is gone there.
 */
function standing(
  kind: EntityKind,
  renamed: readonly Arrival[],
  areCreated: boolean,
  { source, target: { snapshot }, mapping }: DiffInput,
): { readonly keys: ReadonlyMap<string, readonly string[]>; readonly names: ReadonlySet<string> } {
  const keys = new Map<string, string[]>();
  const names = new Set<string>();
  const given = new Set(renamed.map(({ name }) => name));
  const isStray = (urn: string, name: string): boolean => {
    const claim = mapping.claim(kind.name, urn);
    if (claim === undefined) return false;
    return !source.has(kind.name, claim) || source.name(kind.name, claim) !== name;
  };
  for (const urn of snapshot.urns(kind.name)) {
    const name = snapshot.name(kind.name, urn);
    if (!given.has(name) && !(areCreated && isStray(urn, name))) continue;
    const key = naturalKeyText(kind, snapshot.body(kind.name, urn));
    const list = keys.get(key);
    if (list === undefined) keys.set(key, [urn]);
    else list.push(urn);
    names.add(name);
  }
  return { keys, names };
}

/** Twins that this very run takes, by URN at the target: no row tells of them yet. */
function adoptions(changes: readonly Change[]): ReadonlyMap<string, string> {
  const twins = new Map<string, string>();
  for (const { action, source, target } of changes)
    if (action === "adopt" && source !== undefined && target !== undefined) twins.set(target.urn, source.urn);
  return twins;
}

function beside(change: Change, node: Node, urn: string, claim: Claim | undefined, input: DiffInput): Change {
  const { name: plan, policy } = input.plan;
  const called = `${node.kind.name} "${input.target.snapshot.name(node.kind.name, urn)}" (${urn})`;
  if (claim === undefined) {
    const set = settingOf(node, urn, input);
    return warned(
      change,
      node,
      `the target has another one of the same name, which nobody has paired and which stays beside it: ${called}`,
      `If it is the same thing: ${set}. If not, rename one of them.`,
    );
  }
  if (claim.gone === undefined) {
    const owner = `${node.kind.name} "${input.source.name(node.kind.name, claim.source)}" (${claim.source})`;
    return warned(
      change,
      node,
      `the target has another one of the same name, which stays beside it: ${called}, the twin of ${owner}, which has another name at the source`,
      `Give one of them another name, or pair it otherwise: ferry mappings ${plan} remove ${shellWord(claim.source)}, and then ${settingOf(node, urn, input)}`,
    );
  }
  const keep = `ferry mappings ${plan} remove ${shellWord(claim.source)}, and then ${settingOf(node, urn, input)}`;
  const gone = `the target has one of the same name, the twin of one that is gone at the source (${claim.source}): ${called}`;
  if (change.action !== "create")
    return warned(
      change,
      node,
      `${gone}; ${claim.gone === "deleted" ? "both stand there unless that one is deleted" : "it stays beside it"}`,
      `To keep that one: ${keep}. If not, delete it under --allow-delete or by hand, or rename one of them.`,
    );
  const why = {
    id: keyText(node.kind.name, claim.source),
    reason: `${gone}; it stays there, and a second one is not made beside it`,
    suggestion: `To keep it, with all that refers to it: ${keep}. If not, remove it by hand or rename one of them, or set policy.adopt to never to create a second one.`,
  };
  const ends =
    claim.gone === "deleted"
      ? "that one is deleted under --allow-delete alone, and where nothing refers to it"
      : "that one stays";
  return {
    ...warned(
      change,
      node,
      `${gone}; a second one is made beside it, and ${ends}`,
      `To keep that one, with all that refers to it: ${keep}`,
    ),
    reason: `it takes the place of ${urn}, the twin of one of the same name that is gone at the source`,
    work: { ...change.work, ...(policy.adopt === "never" ? {} : { beside: why }) },
  };
}

/**
 * What was to take the place of one that stays is not made beside it, and nothing that waits for it is done. Asked again
 * whenever more is known of which deletes are done.
 */
export function besideWhatStays(changes: readonly Change[]): readonly Change[] {
  const made = changes.filter(({ action, work }) => action === "create" && work?.beside !== undefined);
  if (made.length === 0) return changes;
  const going = new Set(changes.filter(({ action }) => action === "delete").map(({ id }) => id));
  const stays = new Map(
    made.flatMap(({ id, work: { beside: why } = {} }) =>
      why === undefined || going.has(why.id) ? [] : [[id, why] as const],
    ),
  );
  if (stays.size === 0) return changes;
  const notMade = (change: Change): Change => {
    const why = stays.get(change.id);
    if (why === undefined) return change;
    // That it is made is no longer true.
    const diagnostics = change.diagnostics.filter((found) => found.code !== code);
    const { reason, suggestion } = why;
    return instead({ ...change, diagnostics }, "blocked", reason, { code, suggestion });
  };
  return blockDependents(become(changes, notMade));
}

function warned(change: Change, { kind, urn, name }: Node, summary: string, suggestion: string): Change {
  const coordinate = { kind: kind.name, urn, name };
  const found: Diagnostic = { severity: "warning", code, coordinate, summary, suggestion };
  return { ...change, diagnostics: [...change.diagnostics, found] };
}
