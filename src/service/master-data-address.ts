import type { Path, Query } from "./address.ts";
import { at, Unsendable } from "./address.ts";
import { ServiceError } from "./error.ts";

/** An entity of the instance layer (document 3, "What the service does"). */
export interface InstanceEntity {
  readonly layer: "instance";
  readonly entity: string;
}

/** An entity of a master view. */
export interface MasterEntity {
  readonly layer: "master";
  readonly view: string;
  readonly entity: string;
}

export type RecordEntity = InstanceEntity | MasterEntity;

/** What an instance record is known by on every server; its id is another one on each. */
export interface InstanceKey {
  readonly origin: string;
  readonly sourceId: string;
}

/** An id in decimal digits, as text: it may be larger than JavaScript can count. */
export type RecordAddress = { readonly id: string } | InstanceKey;

/** Cannot be configured (document 3, "What the service does"). */
export function entityPath(of: RecordEntity): Path {
  return plain(
    of.layer === "instance"
      ? at`/api/rest/instance/${of.entity}`
      : at`/api/rest/master/${of.view}/${of.entity}`,
    of.layer === "instance" ? [of.entity] : [of.view, of.entity],
  );
}

export function recordPath(of: RecordEntity, address: RecordAddress): Path {
  if ("id" in address) {
    const id = address.id;
    const wrong = /^-?\d+$/u.test(id) ? undefined : `"${id.toWellFormed()}" is no id of a record`;
    return below(entityPath(of), at`/${id}`, wrong);
  }
  return keyPath(of, address, isOtherAddress(address) ? otherAddress(address) : undefined);
}

/** Of what a record is known by, whether anything could ever be asked for under that; `wrong` is what else is wrong. */
export function keyPath(of: RecordEntity, { origin, sourceId }: InstanceKey, wrong?: string): Path {
  return plain(below(entityPath(of), at`/${origin}/${sourceId}`, wrong), [origin, sourceId]);
}

/** What stands behind the id of a record in addresses that ask for something else of it (document 3, "Endpoints"). */
const behindIds: ReadonlySet<string> = new Set([
  "activate",
  "deactivate",
  "remove-activity",
  "override",
  "history",
]);

/** With this source id the address of a record would be one of these, of a record whose id is the origin. */
export function isOtherAddress({ sourceId }: InstanceKey): boolean {
  return behindIds.has(sourceId);
}

function otherAddress({ sourceId }: InstanceKey): string {
  return `an address that ends with the source id "${sourceId}" is another one`;
}

/** A path below another one. */
export function below(base: Path, more: Path, wrong?: string): Path {
  const problem = base.problem ?? more.problem ?? wrong;
  const path = { path: base.path + more.path, route: base.route + more.route };
  return problem === undefined ? path : { ...path, problem };
}

/** The comma separates lists: what holds one cannot be in a request (document 3, "Endpoints"). */
function plain(path: Path, values: readonly string[]): Path {
  const odd = values.find((value) => value.includes(","));
  if (odd === undefined || path.problem !== undefined) return path;
  return { ...path, problem: commaIn(odd) };
}

/** Where the names stand that an override, or its removal, is about. */
export function attributePath(base: Path, attribute: string): Path {
  return plain(below(base, at`/${attribute}`), [attribute]);
}

export function commaIn(value: string): string {
  return `"${value.toWellFormed()}" holds a comma, which separates values there`;
}

/** Why values cannot be looked for as they are; undefined when they can. */
export function unsearchable(name: string, values: readonly string[]): string | undefined {
  if (values.length === 0) return `no value is given for ${name}: everything would be found`;
  const odd = values.find((value) => value.includes(","));
  return odd === undefined ? undefined : commaIn(odd);
}

/** Names of parameters of a list; a column of such a name cannot be filtered by. */
const parameters = new Set(["columns", "offset", "page", "count", "sort", "preload"]);

/**
 * Parameters `<column>=<value>,<value>`. `matching` may hold `*` for anything; `equal` must not, since it would match
 * more than it says. Throws Unsendable.
 */
export function filters(
  matching: Readonly<Record<string, readonly string[]>>,
  equal: Readonly<Record<string, readonly string[]>>,
): Query {
  // Names of columns come from a server too: `__proto__` assigned to would lose the filter, and find everything.
  const query = new Map<string, readonly string[]>();
  for (const [isExact, wanted] of [
    [false, matching],
    [true, equal],
  ] as const) {
    for (const [column, values] of Object.entries(wanted)) {
      const wild = isExact ? values.find((value) => value.includes("*")) : undefined;
      const why =
        unsearchable(column, values) ??
        (wild === undefined ? undefined : `"${wild}" holds a *, which stands for anything there`) ??
        (values.includes("") ? `an empty value of ${column} cannot be looked for in a list` : undefined) ??
        (parameters.has(column) ? `a column cannot be called ${column} there` : undefined) ??
        (query.has(column) ? `${column} is asked for twice` : undefined);
      if (why !== undefined) throw new Unsendable(why);
      query.set(column, values);
    }
  }
  return Object.fromEntries(query);
}

/** Refused here: nothing was sent. */
export function notSent(environment: string, method: string, { path }: Path, why: string): ServiceError {
  return new ServiceError(`${method} ${path} at "${environment}": not sent: ${why}`, {
    kind: "refused",
    arrived: "no",
    method,
    path,
  });
}
