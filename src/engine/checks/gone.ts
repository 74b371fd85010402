import type { GivenKind, MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { own } from "../../model/json.ts";
import type { MappingTable } from "../../model/mapping-table.ts";
import { urnType } from "../../model/urn.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";
import { isAddressable } from "../apply/address.ts";
import { bounded, looksAtOnce } from "../bounded.ts";
import type { Diff } from "../diff/index.ts";
import { instead } from "../diff/instead.ts";
import { GivenReader } from "../read/given-reader.ts";
import { readListings } from "../read/listing.ts";
import type { Report } from "../progress.ts";
import { EngineError } from "../progress.ts";
import type { TargetState } from "../read/target.ts";
import { together } from "../together.ts";
import { mayBeSilent, standsAlone } from "../facets/standing.ts";
import { withHeld } from "./held.ts";

type Side = "source" | "target";

export interface ConfirmOptions {
  readonly source: SnapshotReader;
  readonly target: TargetState;
  readonly mapping: MappingTable;
  readonly registry: Registry;
  /** Asked only where something would follow from absence. */
  readonly clients: Readonly<Record<Side, () => ReadClient>>;
  /** The kinds as that side has them: what only the other one's metadata model names is refused there. */
  readonly kinds: Readonly<Record<Side, () => Promise<Registry>>>;
  readonly names: Readonly<Record<Side, string>>;
  readonly report: Report;
}

/**
 * A complete listing may lack an object that is there: lists are not isolated from concurrent changes (document 2,
 * "Batch create"). So what would be deleted, created a second time or forgotten for being absent is asked for by
 * itself first. When it is there and a second listing shows it, the first is worth nothing, and the run ends before it
 * does anything; when no list shows it, the object is left to a person.
 */
export async function confirmGone(diff: Diff, options: ConfirmOptions): Promise<Diff> {
  const absence = new Absence(options);
  const { mapping, registry } = options;
  // For most there is nothing to look for, and nothing is begun.
  const doubted = diff.changes
    .entries()
    .flatMap(([at, change]) => {
      const sought = soughtFor(change, mapping);
      return sought === undefined ? [] : [{ at, change, ...sought }];
    })
    .toArray();
  const put = new Map<number, Change>();
  const [, forgotten] = await together([
    bounded(doubted, looksAtOnce, async ({ at, change, side, urn }) => {
      const isSure = await absence.isSure(change.kind, side, urn, change);
      if (!isSure) put.set(at, unlisted(change, options, side));
    }),
    bounded(diff.forgotten, looksAtOnce, async (key) => {
      const urn = mapping.get(key.kind, key.id)?.target;
      const isSure =
        urn === undefined ||
        (isListedSilent(registry, key.kind)
          ? await absence.isThingGone(key.id, diff.forgotten)
          : await absence.isSure(key.kind, "target", urn, undefined));
      return isSure ? [key] : [];
    }),
  ]);
  return { ...withHeld(diff, put), forgotten: forgotten.flat() };
}

/** What its list does not show is not there to say anything, and that is another thing than to say nothing. */
function isListedSilent(registry: Registry, name: string): boolean {
  const kind = registry.movedKind(name);
  return kind !== undefined && mayBeSilent(kind);
}

/** What must not be there for the change to be right. */
function soughtFor(
  change: Change,
  mapping: MappingTable,
): { readonly side: Side; readonly urn: string } | undefined {
  const source = change.source?.urn ?? "";
  // An orphan; the old object of a replacement has no source of its own.
  if (change.action === "delete" && source !== change.target?.urn) return { side: "source", urn: source };
  const twin = mapping.targetOf(change.kind, source);
  // Made again, or found again under another URN.
  const isMade = change.action === "create" && change.work?.unfinished === undefined;
  const isFound = change.action === "adopt" && change.target?.urn !== twin;
  return (isMade || isFound) && twin !== undefined ? { side: "target", urn: twin } : undefined;
}

function unlisted(change: Change, { names }: ConfirmOptions, side: Side): Change {
  return instead(change, "manual", `it is there at ${names[side]}, but no list shows it`, {
    code: "unlisted",
    suggestion: "Look at it in the web application, and do by hand what is to be done.",
  });
}

class Absence {
  readonly #options: ConfirmOptions;
  readonly #again = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #things = new Map<string, Promise<ReadonlySet<string>>>();
  #sources: ReadonlyMap<string, string> | undefined;

  constructor(options: ConfirmOptions) {
    this.#options = options;
  }

  /**
   * Whether the object is gone; `change` is what would follow. Throws EngineError `incomplete` when a list shows it
   * after all.
   */
  async isSure(kindName: string, side: Side, urn: string, change: Change | undefined): Promise<boolean> {
    const { clients, names, mapping } = this.#options;
    const kind = (await this.#options.kinds[side]()).movedKind(kindName);
    // What has a URN of its own and lies over something comes and goes with that.
    if (!standsAlone(kind)) return true;
    const whole = change === undefined ? {} : this.#address(kind, side, change);
    const isNamed = isAddressable(kind, whole);
    if (kind.one !== undefined && isNamed && (await kind.one(clients[side](), urn, whole)) === undefined)
      return true;
    const isListed = (await this.#listAgain(kind, side)).has(urn);
    if (!isListed) return kind.one === undefined || !isNamed;
    const name = change?.source?.name ?? mapping.claimedBy(urn)?.entry.name ?? "";
    throw new EngineError(
      "incomplete",
      `the list of ${kind.name} at ${names[side]} did not show "${name}" (${urn}), which is there: the list moved while it was read, and what it lacks must not be taken for gone`,
      // What an interrupted run had left may have been brought to its end before.
      "Nothing new was written. Run it again.",
    );
  }

  /**
   * Whether what something lay over is gone at the source: a list that does not show a column says nothing of what was
   * written over it, and to forget that is to take a colleague's word there for what was always there.
   */
  async isThingGone(urn: string, forgotten: Diff["forgotten"]): Promise<boolean> {
    const { clients, kinds } = this.#options;
    const registry = await kinds.source();
    const given = registry.givenOf(urnType(urn) ?? "");
    if (given !== undefined && (await this.#givenThere(given, forgotten)).has(urn)) return false;
    for (const kind of registry.movedAs(urnType(urn) ?? "")) {
      if (kind.one === undefined || !isAddressable(kind, {})) continue;
      if ((await kind.one(clients.source(), urn, {})) !== undefined) return false;
    }
    return true;
  }

  /** Those of the forgotten ones' things that are there, all asked for at once. */
  #givenThere(kind: GivenKind, forgotten: Diff["forgotten"]): Promise<ReadonlySet<string>> {
    const { clients } = this.#options;
    const read = async (): Promise<ReadonlySet<string>> => {
      const ids = forgotten.map(({ id }) => id).filter((id) => kind.urnTypes.includes(urnType(id) ?? ""));
      const found = await kind.read(clients.source(), new Set(ids), () => new Set());
      // Of what nobody may list nothing follows.
      return new Set("notKnown" in found ? ids : found.map(({ urn }) => urn));
    };
    const reading = this.#things.get(kind.name) ?? read();
    this.#things.set(kind.name, reading);
    return reading;
  }

  /** The fields that paths need, in the words of the side that is asked: from the twin's body on the other side. */
  #address(kind: MovedKind, side: Side, change: Change): JsonObject {
    const { source, target } = this.#options;
    const [other, twin] =
      side === "target" ? [source, change.source?.urn] : [target.snapshot, change.target?.urn];
    if (twin === undefined || !other.has(kind.name, twin)) return {};
    const body = other.body(kind.name, twin);
    return Object.fromEntries(
      (kind.addressedBy ?? []).flatMap((field): [string, Json][] => {
        const value = own(body, field);
        const across = typeof value === "string" ? this.#across(side, value) : undefined;
        return across === undefined ? [] : [[field, across]];
      }),
    );
  }

  #across(to: Side, urn: string): string | undefined {
    const { mapping, target } = this.#options;
    if (to === "target") return mapping.twin(urn) ?? target.pairs.twins.get(urn);
    this.#sources ??= new Map([...target.pairs.twins].map(([from, twin]) => [twin, from]));
    return mapping.claimedBy(urn)?.source ?? this.#sources.get(urn);
  }

  /** Where one object cannot be asked for by itself: two listings that both lack it say the same. */
  async #listAgain(kind: MovedKind, side: Side): Promise<ReadonlySet<string>> {
    const key = `${side} ${kind.name}`;
    const known = this.#again.get(key);
    if (known !== undefined) return known;
    const { clients, kinds, report } = this.#options;
    const read = async (): Promise<ReadonlySet<string>> => {
      const urns = new Set<string>();
      const client = clients[side]();
      const given = new GivenReader(client, await kinds[side]());
      await readListings({
        client,
        kinds: [kind],
        given,
        side,
        report,
        take: (_kind, { urn }) => void urns.add(urn),
      });
      return urns;
    };
    const reading = read();
    this.#again.set(key, reading);
    return reading;
  }
}
