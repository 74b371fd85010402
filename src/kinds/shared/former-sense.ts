import type { Json } from "../../model/json.ts";
import { isArray } from "../../model/json.ts";
import { listIn } from "../../model/json-text.ts";
import type { FormerReading } from "../kind.ts";
import { activeName, related } from "./instance-rows.ts";
import { inactiveName } from "./master-rows.ts";
import type { MovedColumns } from "./moved-columns.ts";

/** How many words of a sense say which rows they are, and how many of these say by what a key is made. */
interface Words {
  readonly names: number;
  readonly keyed: number;
}

/**
 * What a plan moved of records when their prints were kept, told by the sense of these: names, columns, overrides, activity, and of
 * instances relationships. Where it moves all of that still, and more by now, what the records say today tells whether they
 * are as they were; where it moves less, what is left out is not read any more. An origin is a part of the key, by its name at the target:
 * whichever of them the plan names by now, a record of that key is the one that was brought there.
 */
export function formerReading(
  sense: readonly [former: string, now: string],
  { names, keyed }: Words,
  columnsOf: (columns: readonly string[]) => MovedColumns,
): FormerReading | undefined {
  const [before, after] = sense.map((one) => saidIn(one, names));
  if (before === undefined || after === undefined) return undefined;
  const isStill = (one: readonly Json[], other: readonly Json[]): boolean =>
    one.every((word) => other.includes(word));
  if (!isSameKey(before, after, keyed) || !same(before.overrides, after.overrides)) return undefined;
  if (before.activity === true && after.activity !== true) return undefined;
  if (!isStill(before.columns, after.columns) || !isStill(before.roles, after.roles)) return undefined;
  return readingOf(before, columnsOf);
}

/** What a plan with another sense moves of records that go by the same keys; undefined where they do not, or nobody can tell. */
export function readingBeside(
  sense: readonly [other: string, now: string],
  { names, keyed }: Words,
  columnsOf: (columns: readonly string[]) => MovedColumns,
): FormerReading | undefined {
  const [other, now] = sense.map((one) => saidIn(one, names));
  if (other === undefined || now === undefined) return undefined;
  if (!isSameKey(other, now, keyed)) return undefined;
  return readingOf(other, columnsOf);
}

function isSameKey(one: Said, other: Said, keyed: number): boolean {
  return same(one.names.slice(0, keyed), other.names.slice(0, keyed));
}

function same(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function readingOf(
  { columns, activity, roles }: Said,
  columnsOf: (columns: readonly string[]) => MovedColumns,
): FormerReading {
  const moved = columnsOf(columns.map(String));
  return {
    isOurs(name) {
      if (name === activeName || name === inactiveName) return activity === true;
      const [role] = related(name) ?? [];
      if (role !== undefined) return roles.includes(role);
      return name.startsWith("(") || moved.has(name);
    },
  };
}

interface Said {
  readonly names: readonly Json[];
  readonly columns: readonly Json[];
  readonly overrides: Json | undefined;
  readonly activity: Json | undefined;
  readonly roles: readonly Json[];
}

/** Undefined where it is none of ours: it comes from a file. */
function saidIn(sense: string, names: number): Said | undefined {
  const all = listIn(sense);
  if (all === undefined) return undefined;
  const [columns, overrides, activity, roles] = all.slice(names);
  return {
    names: all.slice(0, names),
    columns: listOf(columns),
    overrides,
    activity,
    roles: listOf(roles),
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}
