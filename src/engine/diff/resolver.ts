import type { ModelTypes, MovedKind } from "../../kinds/kind.ts";
import type { Change } from "../../model/change.ts";
import type { Cause } from "../../model/diagnostic.ts";
import type { MappingEntry } from "../../model/mapping.ts";
import type { Mapped } from "../../model/mapping-table.ts";
import { once } from "../../model/once.ts";
import { TextPairs } from "../../model/packed/numbers.ts";
import { isTemporaryKey, sourceKeyOf, subEntityKeys } from "../../model/sub-entity.ts";
import type { BareResolution, Lookup, Resolution } from "../../model/translate.ts";
import { formatUrn, parseUrn, plainUuid, urnType, uuidOf } from "../../model/urn.ts";
import { mentionedUrn } from "../../model/walk.ts";
import { shellWord } from "../../model/shell-word.ts";
import type { Inside } from "../pair/pairing.ts";
import { twinUuids } from "../pair/twin-uuids.ts";
import { suggestionFor, type Unlisted } from "../pair/unlisted.ts";
import { ListedTypes } from "../read/listed-types.ts";
import { ownUrnsIn, ownUrnsOfTarget } from "../read/own-urns.ts";
import { marksOf, SourceIds } from "../read/source-marks.ts";
import type { DiffInput } from "./input.ts";
import { locatedOver } from "./located.ts";
import { missingAdvice } from "./missing-advice.ts";
import { Names } from "./names.ts";
import type { Node, Nodes } from "./node.ts";
import { ownPart } from "./own-part.ts";
import { modelTypes } from "../facets/model-types.ts";
import { standsAlone } from "../facets/standing.ts";

/** A diff with more of them is read by nobody name by name, and memory shall not grow with it. */
const mostParts = 50_000;

/** What leaves the twin in its place. */
const staying: ReadonlySet<Change["action"]> = new Set(["unchanged", "adopt", "update"]);

/** Answers what a reference to the source has become, from what the diff knows so far. */
export class Resolver {
  readonly #input: DiffInput;
  readonly #nodes: Nodes;
  readonly types: ModelTypes;
  /** The same of what a body of the source refers to: as what it is at the target. */
  readonly typesThere: ModelTypes;
  /** Shows what is referred to by name. */
  readonly names: Names;
  /** Parts that references were led to, by their URN at the target: there they have no name. */
  readonly #parts = new Map<string, string>();
  /** Of given things: the UUID of each to that of its twin. */
  readonly #twinUuid: (uuid: string) => string | undefined;
  readonly #sourceUuids = once(() => {
    const uuids = new TextPairs();
    for (const urn of this.#nodes.named.keys()) uuids.set(uuidOf(urn), urn);
    return uuids;
  });
  /** Parts that the mapping knows and the target's owners do not have: their keys there, and whose they are. */
  readonly #lacking = new Map<string, Node>();
  /** Keys at the source of parts that this run brings to owners that are there. */
  readonly #brought = new Set<string>();
  /** Owners of which it is known what this run brings to them; what else they lack stays away. */
  readonly #settled = new Set<Node>();
  readonly listed: ListedTypes;
  readonly #sourceIds: SourceIds;
  /** How URNs of the target begin. */
  readonly #there = once(() => {
    const { target, mapping, plan } = this.#input;
    return ownUrnsOfTarget(target, mapping, plan.target.realm);
  });

  constructor(input: DiffInput, nodes: Nodes) {
    this.#input = input;
    this.#nodes = nodes;
    this.#twinUuid = twinUuids(input.target.pairs);
    this.#sourceIds = new SourceIds({ ...input, ...marksOf(input.plan, input.source) });
    this.listed = new ListedTypes(input.target.snapshot);
    this.types = modelTypes(input);
    this.typesThere = {
      general: this.types.general,
      exact: (value) => {
        const where = this.urn(value);
        return this.types.exact(where.state === "target" ? where.urn : value);
      },
    };
    this.names = new Names(input, nodes, (target) => this.#parts.get(target));
  }

  /** The look-ups for one object; `keys` are its sub-entity keys that exist at the target, of those that are `remembered`. */
  lookup(keys: Readonly<Record<string, string>>, remembered = keys): Lookup {
    return {
      urn: (urn) => ownPart(urn, keys, remembered, this.#input, this.#nodes, this.#there) ?? this.urn(urn),
      uuid: (uuid) => this.#uuid(uuid),
      ownKey: (key) => (Object.hasOwn(keys, key) ? keys[key] : undefined),
      named: (uuid) => (this.#sourceIds.isThing(uuid) ? this.#called(uuid) : undefined),
      mention: (value) => this.#mention(value),
    };
  }

  /** What was found out of the parts of an object: which of them are known and not there. */
  noteLacking(node: Node, there: Readonly<Record<string, string>>): void {
    for (const [key, known] of Object.entries(node.keys))
      if (Object.hasOwn(there, key)) this.#lacking.delete(known);
      else this.#lacking.set(known, node);
  }

  /**
   * An owner is there and stays, as it is or with a change: whoever refers to a part that comes with that waits for it, and refers to
   * the new one. What somebody has taken out, or never had there, and is to stay away does not come.
   */
  noteDecided(owner: Node, { action, work }: Pick<Change, "action" | "work">): void {
    if (owner.kind.ownsParts !== true || !staying.has(action)) return;
    this.#settled.add(owner);
    for (const key of subEntityKeys(work?.patch ?? {}))
      if (isTemporaryKey(key)) this.#brought.add(sourceKeyOf(key));
  }

  /** Whose part it is, by its URN at the source, where that is there and neither has it nor gets it in this run. */
  ownerWithout(part: string): Node | undefined {
    const key = uuidOf(part);
    const owner = this.#nodes.named.get(this.#nodes.owners.get(key) ?? "");
    return owner !== undefined && this.#settled.has(owner) && !this.#brought.has(key) ? owner : undefined;
  }

  /** Whether anything is known of what it brings to those that are waited for. */
  isSettled(pending: ReadonlySet<string>): boolean {
    return pending.values().some((urn) => {
      const owner = this.#nodes.named.get(urn);
      return owner !== undefined && this.#settled.has(owner);
    });
  }

  get lacksAny(): boolean {
    return this.#lacking.size > 0;
  }

  /** Whose part it is, where the target's owner does not have it; `target` is what a reference leads to. */
  lackingOwner(target: string): Node | undefined {
    return this.#lacking.get(parseUrn(target)?.uuid ?? "");
  }

  /** Its URN at the source. */
  lackingPart(target: string): string | undefined {
    const parts = parseUrn(target);
    const owner = this.lackingOwner(target);
    const keys = Object.entries(owner?.keys ?? {});
    const [key] = keys.find(([, known]) => known === parts?.uuid) ?? [];
    if (parts === undefined || owner === undefined || key === undefined) return undefined;
    return formatUrn({ ...parts, ...ownUrnsIn([owner.urn], this.#input.plan.source.realm), uuid: key });
  }

  #mention(value: string): string | undefined {
    if (!this.#sourceIds.has(value)) return undefined;
    return `it stands inside a text, where nothing is rewritten, and is that of ${this.#called(value)}`;
  }

  /** What an id is that of: an object of the source, a part of one, or something that has no name here. */
  #called(id: string): string {
    const { name: source } = this.#input.plan.source;
    const uuid = plainUuid(uuidOf(mentionedUrn(id) ?? "") || id);
    const urn = mentionedUrn(id) ?? this.#sourceUuids().get(uuid);
    const name = urn === undefined ? undefined : this.names.label(urn);
    if (name !== undefined) return `"${name}" at ${source}`;
    const owner = this.#nodes.named.get(this.#nodes.owners.get(uuid) ?? "");
    return `${owner === undefined ? "something" : `a part of "${owner.name}"`} at ${source}`;
  }

  /**
   * The same as it was before objects were created anew, for those that were: under their former URNs, which are put
   * into `met` when they are asked for.
   */
  formerLookup(keys: Readonly<Record<string, string>>, met: Set<string>): Lookup {
    return {
      ...this.lookup(keys),
      urn: (urn) => {
        const former = this.#former(urn);
        if (former === undefined) return this.urn(urn);
        met.add(uuidOf(former));
        return { state: "target", urn: former };
      },
      uuid: (uuid) => {
        const owner = this.#sourceUuids().get(uuid);
        const former = owner === undefined ? undefined : this.#former(owner);
        if (former === undefined) return this.#uuid(uuid);
        met.add(uuidOf(former));
        return { state: "target", uuid: uuidOf(former) };
      },
    };
  }

  urn(urn: string): Resolution {
    const node = this.#nodes.named.get(urn);
    if (node !== undefined) return this.#object(node);
    const inside = this.#input.target.pairs.inside.get(urn);
    if (inside !== undefined) return this.#inside(inside);
    const twin = this.#input.target.pairs.twins.get(urn);
    if (twin !== undefined) return { state: "target", urn: twin };
    // Before the mapping: a person's pair may lead to what is gone.
    const unpaired = this.#input.target.pairs.unpaired.get(urn);
    if (unpaired !== undefined) {
      if (unpaired.mayDrop) return { state: "drop", reason: unpaired.reason };
      const names = unpaired.candidates
        .map((candidate) => `"${candidate.name}" (${candidate.urn})`)
        .join(", ");
      const reason = `${unpaired.kind} "${unpaired.name}": ${unpaired.reason}${names === "" ? "" : `; candidates: ${names}`}`;
      return { state: "unresolved", reason, suggestion: this.#forPlan(unpaired.suggestion) };
    }
    const mapped = this.#input.mapping.named(urn);
    if (mapped !== undefined) return this.#remembered(mapped);
    return this.#part(urn);
  }

  /** A given thing in a moved object: it has its twin in that one's twin, and is born with it where that is created. */
  #inside({ kind, name, holder, holderTwin, twin, unpaired }: Inside): Resolution {
    const node = this.#nodes.named.get(holder);
    const where: Resolution =
      node === undefined
        ? { state: "unresolved", reason: `nothing is known of ${holder}` }
        : this.#object(node);
    if (where.state !== "target") return where;
    // Somebody else's twin was looked into: what is in the right one is found out when it is needed.
    if (where.urn !== holderTwin) return { state: "pending", owner: holder };
    if (twin !== undefined) return { state: "target", urn: twin };
    const why = node === undefined ? "" : this.#whyNotBorn(node.kind, where.urn);
    return {
      state: "unresolved",
      reason: `${kind} "${name}": ${unpaired?.reason ?? "it is not there"}${why === "" ? "" : `; ${why}`}`,
      ...(unpaired === undefined ? {} : { suggestion: this.#forPlan(unpaired.suggestion) }),
    };
  }

  /** In the target's words: its connection is where a person looks. */
  #whyNotBorn(kind: MovedKind, urn: string): string {
    const { snapshot } = this.#input.target;
    if (!standsAlone(kind) || kind.births === undefined || !snapshot.has(kind.name, urn)) return "";
    return kind.births.why(snapshot.body(kind.name, urn), (named) => this.names.label(named) ?? named);
  }

  /** Where an object, or a part of one, stood before it was created anew; undefined for all others. */
  #former(urn: string): string | undefined {
    const { named, owners } = this.#nodes;
    const node = named.get(urn);
    if (node !== undefined) return formerTwin(node)?.target;
    const parts = parseUrn(urn);
    const owner = named.get(owners.get(parts?.uuid ?? "") ?? "");
    const key = owner === undefined ? undefined : formerTwin(owner)?.keys?.[parts?.uuid ?? ""];
    if (key === undefined || parts === undefined) return undefined;
    return formatUrn({ ...parts, ...this.#there(), uuid: key });
  }

  /** What keeps a reference from having a target, as far down as it is known: many objects may share it. */
  cause(urn: string): Cause | undefined {
    const { named, owners } = this.#nodes;
    const node = named.get(urn) ?? named.get(owners.get(uuidOf(urn)) ?? "");
    if (node === undefined) {
      const cause = this.#input.target.pairs.unpaired.get(urn)?.cause ?? this.#unlisted(urn)?.cause;
      return cause === undefined ? undefined : this.#causeForPlan(cause);
    }
    // Also of what has a twin already, such as what lies over an item that has lost its own.
    if (node.stop?.cause !== undefined) return this.#causeForPlan(node.stop.cause);
    const resolution = this.#object(node);
    if (resolution.state !== "unresolved") return undefined;
    const suggestion = resolution.suggestion ?? node.stop?.suggestion;
    const why = node.stop === undefined ? resolution.reason : `is ${node.stop.action}: ${node.stop.reason}`;
    const summary = `${node.kind.name} "${node.name}" ${why.replace(`it depends on ${node.kind.name} "${node.name}", which `, "")}`;
    return { key: node.urn, summary, ...(suggestion === undefined ? {} : { suggestion }) };
  }

  /** What kinds advise names no plan: they know of none. */
  #forPlan(advice: string): string {
    return advice.replaceAll("ferry mappings PLAN", `ferry mappings ${this.#input.plan.name}`);
  }

  #causeForPlan(cause: Cause): Cause {
    return cause.suggestion === undefined ? cause : { ...cause, suggestion: this.#forPlan(cause.suggestion) };
  }

  /** Not in the snapshot: a given thing that a person paired, or an object that is gone at the source. */
  #remembered({ kind: name, entry }: Mapped): Resolution {
    const { registry, target } = this.#input;
    const kind = registry.get(name);
    // One that nobody listed is where the mapping says it is.
    const isListed = standsAlone(kind) && this.listed.has(kind, entry.target);
    if (!isListed || target.snapshot.has(kind.name, entry.target))
      return { state: "target", urn: entry.target };
    return {
      state: "unresolved",
      reason: `it depends on ${kind.name} "${entry.name}", which is gone at the source and at the target`,
      suggestion: "Correct the reference at the source.",
    };
  }

  #object(node: Node): Resolution {
    if (node.replaced) return { state: "pending", owner: node.urn };
    if (node.over !== undefined && node.standing !== "stopped") return this.#over(node, node.over);
    if (
      node.target !== undefined &&
      node.standing !== "missing" &&
      node.standing !== "new" &&
      node.standing !== "awaited"
    ) {
      return { state: "target", urn: node.target };
    }
    if (node.standing === "stopped") {
      return {
        state: "unresolved",
        reason: `it depends on ${node.kind.name} "${node.name}", which is ${node.stop?.action ?? "blocked"}: ${node.stop?.reason ?? ""}`,
      };
    }
    if (node.standing === "missing" && this.#input.plan.policy.missingTarget === "report") {
      return {
        state: "unresolved",
        reason: `it depends on ${node.kind.name} "${node.name}", which was removed at the target`,
        suggestion: missingAdvice(node, this.#input),
      };
    }
    if (!node.selected) {
      const isGone = node.standing === "missing";
      return {
        state: "unresolved",
        reason: `it depends on ${node.kind.name} "${node.name}", which ${isGone ? "was removed at the target, and is not selected" : "is neither selected nor mapped"}`,
        suggestion: "Select it, or set select.dependencies to include.",
      };
    }
    return { state: "pending", owner: node.urn };
  }

  /** What lies over something moved, while identities are found out: with each that is, it has its place. */
  #over(node: Node, over: string): Resolution {
    const where = this.urn(over);
    if (where.state !== "target")
      return where.state === "pending" ? { state: "pending", owner: node.urn } : where;
    const urn = locatedOver(node, over, where.urn, this.#input);
    return urn === undefined
      ? { state: "unresolved", reason: `nothing is known of ${node.kind.name} "${node.name}" at the target` }
      : { state: "target", urn };
  }

  /** A sub-entity of another object, such as the input of a rule: same type, the target's tenant, the mapped key. */
  #part(urn: string): Resolution {
    const parts = parseUrn(urn);
    const uuid = parts?.uuid ?? "";
    const owner = this.#nodes.named.get(this.#nodes.owners.get(uuid) ?? "");
    // What the mapping knows of a twin that is gone is nothing of the one that takes its place.
    const isOther = owner?.entry !== undefined && owner.entry.target !== owner.target;
    const known = owner?.keys[uuid] ?? (isOther ? undefined : this.#input.mapping.key(uuid));
    const recreated = owner?.standing === "missing" || owner?.standing === "new" || owner?.replaced === true;
    const isToCome =
      owner !== undefined && this.#brought.has(uuid) && this.#lacking.get(known ?? "") === owner;
    if (isToCome) return { state: "pending", owner: owner.urn };
    if (known !== undefined && parts !== undefined && !recreated) {
      const target = formatUrn({ ...parts, ...this.#there(), uuid: known });
      if (owner !== undefined && this.#parts.size < mostParts) this.#parts.set(target, urn);
      return { state: "target", urn: target };
    }
    if (owner !== undefined) {
      const resolution = this.#object(owner);
      return resolution.state === "target" ? { state: "pending", owner: owner.urn } : resolution;
    }
    const unlisted = this.#unlisted(urn);
    if (unlisted !== undefined) {
      const suggestion = this.#forPlan(suggestionFor(unlisted, urn));
      return { state: "unresolved", reason: `nothing is known of ${urn}: ${unlisted.reason}`, suggestion };
    }
    const advice =
      this.#input.registry.givenOf(urnType(urn) ?? "")?.advice ??
      "Pair it by hand: `ferry mappings PLAN set <source urn> <target urn>`.";
    const suggestion = this.#forPlan(advice.replaceAll("<source urn>", () => shellWord(urn)));
    return { state: "unresolved", reason: `nothing is known of ${urn}`, suggestion };
  }

  /** The kind that it is of, or may be a part of, when nobody could list that. */
  #unlisted(urn: string): Unlisted | undefined {
    const { registry, target } = this.#input;
    const kind = registry.givenOf(urnType(urn) ?? "");
    const kinds =
      kind === undefined ? registry.given().filter(({ discovers }) => discovers === true) : [kind];
    return kinds.map(({ name }) => target.pairs.unlisted.get(name)).find((found) => found !== undefined);
  }

  #uuid(uuid: string): BareResolution | undefined {
    // The object first: one that is created anew is mapped to what is gone.
    const owner = this.#sourceUuids().get(uuid);
    const resolution = owner === undefined ? undefined : this.urn(owner);
    if (resolution?.state === "target") return { state: "target", uuid: uuidOf(resolution.urn) };
    if (resolution?.state === "pending") return resolution;
    const known = this.#input.mapping.uuid(uuid) ?? this.#twinUuid(uuid);
    return known === undefined ? undefined : { state: "target", uuid: known };
  }
}

/** The twin that another one takes the place of in this run, or took in an earlier one. */
function formerTwin({
  entry,
  standing,
  target,
  replaced,
}: Node): Pick<MappingEntry, "target" | "keys"> | undefined {
  if (entry === undefined) return undefined;
  const isAnew = standing === "missing" || replaced || target !== entry.target;
  return isAnew ? entry : entry.former;
}
