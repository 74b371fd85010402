import { asText, isObject, type JsonObject } from "../../src/emulator/json.ts";
import { sqlItemType } from "../../src/emulator/catalog/sql-items.ts";
import { pathOf } from "./kinds/folders.ts";
import { plainKind, urnOf } from "./kinds/index.ts";
import type { BookKind, Books, Entry } from "./books.ts";
import { changed, type Leaves, leavesOf, noLeaves, overlaid, textOf } from "./leaves.ts";

/** What is known of one object of the target, from the emulator's books. */
export interface Account {
  readonly urn: string;
  readonly kind: BookKind;
  /** `people`: it was there before the story began. */
  readonly madeBy: "tool" | "colleague" | "people";
  readonly madeAt: number;
  /** By which it would be found again, as it was when it was made. */
  readonly label: string;
  /** The same without what may be called otherwise by now, as the folder that it lies in, or the item that it checks. */
  readonly name: string;
  /**
   * What the tool last wrote or rightly took for its own; undefined while it never has. Where the object differs from
   * it, a colleague has been.
   */
  known: Leaves | undefined;
  /** What it left there, where a colleague has made it what the source says since: the tool may know the one or the other. */
  orKnown: Leaves | undefined;
  /** All that it said, each time that the tool had written to it. */
  readonly states: Set<string>;
  /** All that it said before the tool wrote to it last, and what was known of it then. */
  former: { readonly said: string; readonly known: Leaves | undefined; readonly at: number } | undefined;
  /** What the tool left as it was, though the source has it not. */
  kept: Leaves;
  /** When a colleague last changed this value. */
  readonly touchedAt: Map<string, number>;
  /** A colleague has changed this very object, and not only something that it refers to. */
  isTouched: boolean;
  /** What was published before each change of a colleague. */
  readonly touches: { readonly at: number; readonly before: JsonObject | undefined }[];
  /** When a colleague last touched the open draft; undefined when there is none of theirs. */
  draftTouchedAt: number | undefined;
  /** When a colleague first touched the open draft. */
  draftOpenedAt: number | undefined;
  /** What colleagues have changed in the open draft, and what it says there since. */
  readonly drafted: Map<string, string | undefined>;
  gone: "by the tool" | "by a colleague" | undefined;
}

/** Nobody deletes it by itself: it goes with its SQL item, and whether that may go is judged there (README). */
export function goesAlong({ kind }: Account): boolean {
  return kind === "attributes" || kind === "primary-monitors";
}

/** By which an object is found again: kind, and what people tell such things apart by. */
export function labelOf(
  books: Books,
  side: "source" | "target",
  kind: BookKind,
  body: JsonObject,
  id = "",
): string {
  const tenant = side === "source" ? books.source : books.target;
  const name = asText(body["name"]);
  if (kind === "terms") return `term ${asText(body["type"])}/${name}`;
  if (kind === "rules") return `rule ${name}`;
  if (kind === "dashboards") return `dashboard ${name}`;
  if (kind === "attributes") return `attribute`;
  const plain = plainKind(kind);
  if (plain !== undefined) return plain.label(tenant, body, urnOf(id));
  const found = tenant.items.get(asText(body["catalogItemUrn"]));
  // Two SQL items in two folders have one name.
  const item =
    found === undefined
      ? "?"
      : found.type === sqlItemType
        ? `${pathOf(tenant, { ...tenant.folders.get(found.parentUrn) })}/${found.name}`
        : found.name;
  return kind === "monitors" ? `monitor ${item}/${name}` : `primary monitor of ${item}`;
}

export function nameOf(kind: BookKind, body: JsonObject, label: string): string {
  const plain = plainKind(kind);
  // The item that it checks may be renamed.
  if (kind === "monitors") return `monitor ${asText(body["name"])}`;
  if (plain === undefined || plain.isOver) return label;
  const { properties } = body;
  return `${kind} ${asText(isObject(properties) ? properties["name"] : body["name"])}`;
}

/** The accounts of the target, kept from one change to the next. */
export class Accounts {
  readonly byUrn = new Map<string, Account>();
  /** Source objects that ever went by a label. */
  readonly sourcesOf = new Map<string, Set<string>>();
  readonly #books: Books;

  constructor(books: Books) {
    this.#books = books;
    for (const { kind, urn, body } of books.published("target")) this.#begin(kind, urn, body, "people", 0);
    for (const { urn } of books.target.attributes.values()) this.#begin("attributes", urn, {}, "people", 0);
    for (const { kind, urn, body } of books.published("source")) this.#name(kind, urn, body);
  }

  account(urn: string): Account | undefined {
    return this.byUrn.get(urn);
  }

  /** Of what says nothing, and was found to be paired with what says nothing either. */
  silent(kind: BookKind, urn: string): Account {
    return this.byUrn.get(urn) ?? this.#begin(kind, urn, {}, "people", this.#books.tick);
  }

  /** Whether it names something that the tool has deleted: to take such a reference out says nothing. */
  namesGone(text: string): boolean {
    const urns = text.match(/urn:data:prod:[a-z-]+:[a-z-]+:[0-9a-f-]{36}/g) ?? [];
    return urns.some((urn) => this.byUrn.get(urn)?.gone === "by the tool");
  }

  /** Judge an entry before it is written down here. */
  write(entry: Entry): void {
    const { side, kind, urn, actor, before, after, tick } = entry;
    if (side === "source") {
      if (after?.published !== undefined) this.#name(kind, urn, after.published);
      return;
    }
    const body = after?.published ?? after?.draft ?? {};
    const account = this.byUrn.get(urn) ?? this.#begin(kind, urn, body, actor, tick);
    const [then, now] = [leavesOf(before?.published), leavesOf(after?.published)];
    if (after !== undefined) account.gone = undefined;
    else account.gone = actor === "tool" ? "by the tool" : "by a colleague";
    if (actor === "tool") {
      // What it writes to for the first time it has taken over as it was; but a list it only adds to or takes from.
      const isList = kind === "attributes" || kind === "dashboards" || plainKind(kind)?.isList === true;
      const known = account.known ?? (isList || account.madeBy === "tool" ? noLeaves : then);
      // What is born with an item says what the service gives it: that is nobody's word.
      const isBorn = kind === "primary-monitors" && before === undefined;
      if (!isBorn && changed(then, now).length > 0) {
        account.former = { said: textOf(then), known: account.known, at: tick };
        account.known = overlaid(known, then, now);
        account.orKnown = undefined;
        account.states.add(textOf(now));
      }
    } else {
      if (entry.isAside !== true) account.isTouched = true;
      account.touches.push({ at: tick, before: before?.published });
      for (const path of changed(then, now)) account.touchedAt.set(path, tick);
    }
    // One that says what is published is what an empty patch opens: it says nothing of theirs, unless it deletes.
    const isEmpty =
      actor === "colleague" &&
      after?.draftType === "CHANGE" &&
      changed(leavesOf(after.published), leavesOf(after.draft)).length === 0;
    if (after?.draft === undefined || isEmpty) {
      account.draftTouchedAt = undefined;
      account.draftOpenedAt = undefined;
      account.drafted.clear();
    } else if (actor === "colleague" && after.draft !== before?.draft) {
      account.draftTouchedAt = tick;
      account.draftOpenedAt ??= tick;
      const drafted = leavesOf(after.draft);
      for (const path of changed(leavesOf(before?.draft ?? before?.published), drafted))
        account.drafted.set(path, drafted.get(path));
    }
  }

  #begin(kind: BookKind, urn: string, body: JsonObject, madeBy: Account["madeBy"], madeAt: number): Account {
    const label = labelOf(this.#books, "target", kind, body, urn);
    const account: Account = {
      urn,
      kind,
      madeBy,
      madeAt,
      label,
      name: nameOf(kind, body, label),
      known: undefined,
      orKnown: undefined,
      former: undefined,
      kept: noLeaves,
      states: new Set(),
      touchedAt: new Map(),
      isTouched: false,
      touches: [],
      draftTouchedAt: undefined,
      draftOpenedAt: undefined,
      drafted: new Map(),
      gone: undefined,
    };
    this.byUrn.set(urn, account);
    return account;
  }

  #name(kind: BookKind, urn: string, body: JsonObject): void {
    if (kind === "attributes") return;
    const label = labelOf(this.#books, "source", kind, body, urn);
    for (const known of [label, nameOf(kind, body, label)])
      this.sourcesOf.set(known, new Set([...(this.sourcesOf.get(known) ?? []), urn]));
  }
}
