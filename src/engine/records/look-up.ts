import type { OpenTable, Row, RowTask } from "../../kinds/kind.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { fromEntries, own } from "../../model/json.ts";
import { asKept } from "../../model/value-form.ts";
import { chunks } from "./pages.ts";
import { keyDigest } from "./prints.ts";

/** What says which row is meant: all that is written of it, or what it was. */
export interface Sought extends Readonly<Partial<Record<"before" | "values", JsonObject>>> {
  /** The digest of its key. */
  readonly key: string;
}

/**
 * What the target has of these rows, by the digests of their keys; at most `perLookUp` of them. A relation that a row has lost since
 * what it led to is gone counts as said still: nobody has changed the row.
 */
export async function lookedUp(
  open: Pick<OpenTable, "lookUp" | "deadEnds">,
  rows: readonly Sought[],
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const wanted = rows.map(({ key, before, values = {} }) => ({
    key,
    values: before === undefined ? values : { ...before, ...values },
  }));
  const found = await open.lookUp(wanted);
  const byKey = Map.groupBy(found, ({ key }) => (key === undefined ? "" : keyDigest(key)));
  return open.deadEnds === undefined ? byKey : withDeadEnds(byKey, wanted, open.deadEnds);
}

async function withDeadEnds(
  found: ReadonlyMap<string, readonly Row[]>,
  wanted: readonly { readonly key: string; readonly values: JsonObject }[],
  deadEnds: NonNullable<OpenTable["deadEnds"]>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const lost = new Map<Row, JsonObject>();
  for (const { key, values } of wanted)
    for (const row of found.get(key) ?? []) {
      const missing = Object.entries(values).filter(
        ([name, value]) => value !== null && own(row.values, name) === undefined,
      );
      if (missing.length > 0) lost.set(row, fromEntries(missing));
    }
  if (lost.size === 0) return found;
  const dead = await deadEnds([...new Set([...lost.values()].flatMap((values) => Object.keys(values)))]);
  if (dead.size === 0) return found;
  const whole = (row: Row): Row => {
    const missing = Object.entries(lost.get(row) ?? {}).filter(([name]) => dead.has(name));
    return missing.length === 0 ? row : { ...row, values: { ...row.values, ...fromEntries(missing) } };
  };
  return new Map([...found].map(([key, there]) => [key, there.map(whole)]));
}

/** Rows that a list is asked for together. */
const mostListed = 100;

/** Keys, of these rows of the target, that the source has. */
export async function keysAtSource(
  open: Pick<OpenTable, "atSource">,
  rows: readonly Row[],
): Promise<ReadonlySet<string>> {
  return keysListed(rows, async (some) => open.atSource(some));
}

/** Keys, of these rows of the target, that the plan looks at there; undefined where it looks at all. */
export async function keysReached(
  { reached }: Pick<OpenTable, "reached">,
  rows: readonly Row[],
): Promise<ReadonlySet<string> | undefined> {
  if (reached === undefined) return undefined;
  return keysListed(rows, reached);
}

async function keysListed(
  rows: readonly Row[],
  list: (some: readonly Row[]) => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const some of chunks(rows, mostListed)) for (const key of await list(some)) found.add(key);
  return found;
}

/** Whether what shows under a key goes by other addresses than the one that was made under it: it may be somebody else's. */
export function isElsewhere(there: readonly Row[], address: string): boolean {
  return address !== "" && there.length > 0 && there.every((row) => row.address !== address);
}

/** Whether what was to be changed or deleted was removed since it was looked at, and another one of its key was made. */
export function isMadeAnew(
  { action, address = "" }: Pick<RowTask, "action" | "address">,
  there: readonly Row[],
): boolean {
  return action !== "create" && isElsewhere(there, address);
}

/** Who leads at the target to what of these is to go, by its address there; undefined where nobody can, or nothing is to. */
async function ledHere(
  tasks: readonly RowTask[],
  there: ReadonlyMap<string, readonly Row[]>,
  open: Pick<OpenTable, "ledHere">,
): Promise<ReadonlyMap<string, string> | undefined> {
  const going = tasks.flatMap(({ action, key }) => (action === "delete" ? (there.get(key) ?? []) : []));
  return going.length === 0 ? undefined : open.ledHere?.(going);
}

/** What the target has of these, and who leads to what of them is to go. To ask that takes its time: what goes is looked at behind it. */
export async function lookedUpToGo(
  tasks: readonly RowTask[],
  open: Pick<OpenTable, "lookUp" | "deadEnds" | "ledHere">,
): Promise<{
  readonly there: ReadonlyMap<string, readonly Row[]>;
  readonly led: ReadonlyMap<string, string>;
}> {
  const there = await lookedUp(open, tasks);
  const led = await ledHere(tasks, there, open);
  return { there: led === undefined ? there : await lookedUp(open, tasks), led: led ?? new Map() };
}

/** Whether a row says these values, however they are written; what is null says nothing. */
export function says(there: JsonObject, values: JsonObject, { text }: Pick<OpenTable, "text">): boolean {
  return Object.keys(values).every((name) => {
    const [now, value] = [own(there, name) ?? null, values[name] ?? null];
    return now === value || text(name, now) === text(name, value);
  });
}

/** Whether a row says what was sent, as it was sent or in a form of the service's own. */
export function saysKept(
  there: JsonObject,
  task: { readonly values: JsonObject; readonly before?: JsonObject | undefined },
  open: Pick<OpenTable, "text">,
): boolean {
  return says(there, task.values, open) || says(there, asKept(task, there, open), open);
}

/** What these names were before; null where they said nothing. */
export function asItWas(values: JsonObject, before: JsonObject): JsonObject {
  return fromEntries(Object.keys(values).map((name): [string, Json] => [name, own(before, name) ?? null]));
}

/** These values and no others. */
export function saysJust(there: JsonObject, values: JsonObject, open: Pick<OpenTable, "text">): boolean {
  return says(there, values, open) && says(values, there, open);
}

/**
 * Whether what is to go is as it was, also in what is not moved of it: what somebody has added to a row goes with it. `values`: what it is
 * to say when it has gone.
 */
export function isAsBefore(
  there: Row,
  {
    before = {},
    values = {},
    unmoved,
  }: Readonly<Partial<Record<"before" | "values" | "unmoved", JsonObject | undefined>>>,
  open: Pick<OpenTable, "text">,
): boolean {
  const isIt = saysJust(there.values, before, open);
  if (!isIt && !saysJust(there.values, { ...before, ...values }, open)) return false;
  const now = unmoved === undefined ? undefined : there.unmoved?.();
  return unmoved === undefined || now === undefined || saysJust(now, unmoved, open);
}

/** Whether the row is as it was, but for what was written, as far as the source says anything: nobody else has been there. */
export function isUntouched({ values, before }: RowTask, there: JsonObject, open: OpenTable): boolean {
  // Which attributes the source has, a service may not tell.
  const isOurs = (name: string): boolean => open.namesAll !== true || open.isOurs(name);
  const ours = (all: JsonObject): JsonObject =>
    fromEntries(Object.entries(all).filter(([name]) => isOurs(name)));
  return saysJust(ours(there), ours({ ...(before ?? open.asMade), ...values }), open);
}

/** Whether each of these values is as it is to be, or as it was: nobody else has been there. */
export function isOfOurs(
  there: JsonObject,
  values: JsonObject,
  before: JsonObject,
  { text }: Pick<OpenTable, "text">,
): boolean {
  return Object.entries(values).every(([name, value]) => {
    const now = text(name, own(there, name) ?? null);
    return now === text(name, value) || now === text(name, own(before, name) ?? null);
  });
}

/**
 * Of what an earlier run has sent that which this plan reads: of the rest nobody can see whose word is there, and nothing is sent over it.
 */
export function asRead(values: JsonObject, { isRead }: Pick<OpenTable, "isRead">): JsonObject {
  if (isRead === undefined) return values;
  const names = Object.keys(values);
  return names.every((name) => isRead(name))
    ? values
    : fromEntries(Object.entries(values).filter(([name]) => isRead(name)));
}
