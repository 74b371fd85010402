import type { MovedKind } from "../../kinds/kind.ts";
import type { Registry } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import { TextPairs } from "../../model/packed/numbers.ts";
import { TextSet } from "../../model/packed/text-set.ts";
import { strip } from "../../model/shape.ts";
import { subEntityKeys } from "../../model/sub-entity.ts";
import { uuidOf } from "../../model/urn.ts";
import { referenced } from "../../model/walk.ts";
import type { ReadClient } from "../../service/index.ts";
import type { SnapshotReader } from "../../store/index.ts";
import type { Report } from "../progress.ts";
import { goesWith, isLocated, liesOver, standsAlone } from "../facets/standing.ts";
import { GivenReader } from "../read/given-reader.ts";
import { readListings } from "../read/listing.ts";
import { isFetched } from "../read/unlisted.ts";
import { together } from "../together.ts";
import type { NotSeen } from "./not-seen.ts";
import { notSeen, onlyByHand } from "./not-seen.ts";
import { lookAtUnlisted } from "./unlisted-users.ts";

/** Something at the target that refers to an object, or to a part of it. */
export interface User {
  readonly kind: string;
  readonly urn: string;
  readonly name: string;
  /** URN at the target of what it lies over: it goes with that. */
  readonly over?: string;
}

export interface Target {
  readonly kind: string;
  /** At the target. */
  readonly urn: string;
  /** Keys of the parts of it that go; absent where it goes itself, with all of them. */
  readonly parts?: readonly string[];
}

export interface Users {
  /** By URN of what is to be deleted; among them what is to be deleted itself, and what this run changes. */
  readonly of: (urn: string) => readonly User[];
  /** Why it is not known whether something refers to an object of this kind. */
  readonly unknown: (kind: string) => NotSeen | undefined;
  /** Whether a body refers to an object, or to a part of it. */
  readonly refers: (kind: MovedKind, body: JsonObject, urn: string) => boolean;
  /** Whether one of these has done so as the run has read it. */
  readonly did: (user: User, urn: string) => boolean;
  /** What was looked at, in the words of a plan. */
  readonly lookedAt: readonly string[];
}

export interface UsersOptions {
  readonly registry: Registry;
  /** What was read of the target anyway. */
  readonly snapshot: SnapshotReader;
  readonly client: ReadClient;
  readonly report: Report;
  /** Of a second look: all is listed once more, whatever was read before, and what no list shows is not read one by one. */
  readonly again?: GivenReader;
}

/**
 * Who at the target refers to what is to be deleted: people there work with what this plan does not select as well.
 * So every kind that can refer to it is listed, where this run has not read it already. What cannot be listed is not
 * known, and an error is never emptiness.
 */
export async function findUsers(gone: readonly Target[], options: UsersOptions): Promise<Users> {
  const search = new Search(gone, options.snapshot);
  const { registry, snapshot } = options;
  const deleted = new Set(gone.map(({ kind }) => kind));
  // What a kind finds by itself may be of a kind that is moved, too, and go as well.
  const goneAs = new Map(gone.map(({ kind, urn }) => [urn, kind]));
  const able = registry
    .moved()
    .filter((kind) => targetsOf([kind], deleted, registry).length > 0)
    .filter((kind) => !goesWith(kind, deleted));
  const read = new Set(options.again === undefined ? snapshot.kinds() : []);
  const failures: { readonly kinds: ReadonlySet<string>; readonly reason: NotSeen }[] = [];
  const attempt = async (
    what: string,
    kinds: readonly string[],
    work: () => Promise<void>,
  ): Promise<void> => {
    try {
      await work();
    } catch (error) {
      // Of another list nothing is said by a refusal; but where nothing else would get through either, the run ends.
      const reason = notSeen(error, (said) => `${what} could not be read (${said})`);
      failures.push({ kinds: new Set(kinds), reason });
    }
  };
  // Known before anything is looked at.
  await together(
    registry.moved().flatMap((kind) => {
      if (!deleted.has(kind.name) || !standsAlone(kind) || kind.goingAlong === undefined) return [];
      const along = kind.goingAlong;
      const urns = gone.flatMap((one) => (one.kind === kind.name ? [one.urn] : []));
      return attempt(along.as, [kind.name], async () => {
        for (const [part, owner] of await along.find(options.client, urns)) search.isPart(part, owner);
      });
    }),
  );
  for (const kind of registry.moved()) {
    if (!read.has(kind.name)) continue;
    for (const { urn, name, body } of snapshot.stream(kind.name)) search.look(kind, urn, name, body);
  }
  /** As what the run knows it in which it refers to them: an item has what is laid over it besides. */
  const movedAs = (urn: string, refersTo: readonly string[]): string | undefined =>
    registry
      .moved()
      .find(
        (kind) =>
          snapshot.has(kind.name, urn) &&
          refersTo.some((gone) => search.refers(kind, snapshot.body(kind.name, urn), gone)),
      )?.name;
  const unread = able.filter(({ name }) => !read.has(name));
  /** Kinds of which a list has shown any, where the run had not read it. */
  const listedKinds = new Set<string>();
  const feeds = new Set(unread.map(({ feed }) => feed));
  const others = registry
    .moved()
    .filter(({ name }) => deleted.has(name))
    .flatMap(({ name, othersReferring = [] }) => othersReferring.map((finder) => ({ name, finder })));
  await together([
    ...[...feeds].map(async (feed) => {
      const kinds = unread.filter((kind) => kind.feed === feed);
      const names = kinds.map(({ name }) => name);
      await attempt(names.join(" and "), targetsOf(kinds, deleted, registry), async () =>
        list(kinds, search, options, (kind) => listedKinds.add(kind)),
      );
    }),
    ...others.map(async ({ name, finder }) =>
      attempt(finder.what, [name], async () => {
        const urns = gone.flatMap(({ kind, urn }) => (kind === name ? [urn] : []));
        for (const { what, urn, name: called, refersTo, parts } of await finder.find(options.client, urns)) {
          for (const [part, owner] of parts ?? []) search.isPart(part, owner);
          const as = goneAs.get(urn) ?? movedAs(urn, refersTo);
          search.add({ kind: as ?? what, urn, name: called }, refersTo);
        }
      }),
    ),
  ]);
  for (const kind of options.again === undefined ? able.filter(isFetched) : []) {
    const isListed = read.has(kind.name)
      ? snapshot.manifest.kinds[kind.name]?.unlisted !== true
      : listedKinds.has(kind.name);
    if (isListed) continue;
    const targets = targetsOf([kind], deleted, registry);
    await attempt(kind.name, targets, async () => {
      const reason = await lookAtUnlisted({
        ...options,
        kind,
        isSeen: (urn) => read.has(kind.name) && snapshot.has(kind.name, urn),
        look: (urn, name, body) => {
          search.look(kind, urn, name, body);
        },
      });
      if (reason !== undefined) failures.push({ kinds: new Set(targets), reason: onlyByHand(reason) });
    });
  }
  return {
    of: search.of,
    refers: search.refers,
    did: ({ kind: name, urn }, target) => {
      const kind = registry.movedKind(name);
      return (
        kind !== undefined && snapshot.has(name, urn) && search.refers(kind, snapshot.body(name, urn), target)
      );
    },
    unknown: (kind) => failures.find(({ kinds }) => kinds.has(kind))?.reason,
    lookedAt: [...new Set([...able.map(({ name }) => name), ...others.map(({ finder }) => finder.what)])],
  };
}

/**
 * The kinds to be deleted of which these may be users. Others know some of them as a given thing, or by what goes along: a
 * monitor joins an SQL item as a catalog item, and a dashboard shows its primary monitor. What lies over such a thing without a URN of its own goes with it.
 */
function targetsOf(
  kinds: readonly MovedKind[],
  deleted: ReadonlySet<string>,
  registry: Registry,
): readonly string[] {
  const named = kinds
    .flatMap(({ name, refersTo }) => [name, ...refersTo])
    .filter((name) => deleted.has(name));
  const others = kinds.filter((kind) => standsAlone(kind) || isLocated(kind));
  const known = registry.moved().flatMap((gone) => {
    if (!deleted.has(gone.name) || !standsAlone(gone)) return [];
    const knownAs = [gone.births, gone.goingAlong].flatMap((other) => other?.as ?? []);
    return others.some(({ refersTo }) => knownAs.some((as) => refersTo.includes(as))) ? [gone.name] : [];
  });
  return [...named, ...known];
}

async function list(
  kinds: readonly MovedKind[],
  search: Search,
  { client, registry, report, again }: UsersOptions,
  shown: (kind: string) => void,
): Promise<void> {
  await readListings({
    client,
    kinds,
    given: again ?? new GivenReader(client, registry),
    side: "target",
    report,
    take: (kind, { urn, name, body }) => {
      shown(kind.name);
      search.look(kind, urn, name, body);
    },
  });
}

/** Looks at one body after the other and keeps none. */
class Search {
  /** By UUID of an object that is to be deleted, or of a part of it: the object. */
  readonly #owners = new TextPairs();
  readonly #gone: TextSet;
  /** By URN of what is to be deleted, where anything refers to it. */
  readonly #users = new Map<string, User[]>();

  constructor(gone: readonly Target[], snapshot: SnapshotReader) {
    this.#gone = new TextSet(gone.values().map(({ urn }) => urn));
    for (const { kind, urn, parts } of gone) {
      for (const part of parts ?? []) this.#owners.set(part, urn);
      if (parts !== undefined) continue;
      this.#owners.set(uuidOf(urn), urn);
      if (!snapshot.has(kind, urn)) continue;
      for (const key of subEntityKeys(snapshot.body(kind, urn))) this.#owners.set(key, urn);
    }
  }

  readonly of = (urn: string): readonly User[] => this.#users.get(urn) ?? [];

  readonly refers = (kind: MovedKind, body: JsonObject, urn: string): boolean =>
    this.#ownersIn(kind, body).has(urn);

  /** What refers to the part refers to the object. */
  isPart(part: string, urn: string): void {
    this.#owners.set(uuidOf(part), urn);
  }

  look(kind: MovedKind, urn: string, name: string, body: JsonObject): void {
    for (const owner of this.#ownersIn(kind, body)) {
      // One that has the URN of what it lies over goes with that.
      if (owner === urn) continue;
      const over = liesOver(kind) ? kind.over.urn(body) : undefined;
      this.#push(owner, { kind: kind.name, urn, name, ...(over === undefined ? {} : { over }) });
    }
  }

  /** Who was seen as what it is moved as is that, and not somebody else as well: a change may let go. What goes along is nobody. */
  add(user: User, urns: readonly string[]): void {
    for (const urn of new Set(urns)) {
      if (this.#owners.get(uuidOf(user.urn)) === urn) continue;
      if (!this.of(urn).some((known) => known.urn === user.urn)) this.#push(urn, user);
    }
  }

  #push(urn: string, user: User): void {
    const users = this.#users.get(urn);
    if (users !== undefined) users.push(user);
    else if (this.#gone.has(urn)) this.#users.set(urn, [user]);
  }

  #ownersIn(kind: MovedKind, body: JsonObject): ReadonlySet<string> {
    const found = new Set<string>();
    for (const part of [strip(body, kind.shape), kind.leansOn?.(body) ?? {}]) {
      for (const value of referenced(part, ["urn", "embedded", "gid", "uuid"])) {
        const owner = this.#owners.get(uuidOf(value)) ?? this.#owners.get(value);
        if (owner !== undefined) found.add(owner);
      }
    }
    return found;
  }
}
