import type { Json, JsonObject } from "../../model/json.ts";
import { isArray, isObject, own, text } from "../../model/json.ts";
import type { SampleParity, SampleRow } from "../../model/parity.ts";
import type { RunPlace } from "../../service/index.ts";
import { both } from "./compare.ts";
import type { Side, Unread } from "./side.ts";
import { isUnread } from "./side.ts";

interface Asked {
  readonly side: Side;
  readonly run: RunPlace;
  /** What a rule instance is called, by its URN. */
  readonly called: (urn: string) => string | undefined;
}

/**
 * The first invalid records of both sides. Of a column that is PROTECTED or CLASSIFIED, or of which a side does not say
 * that it is neither, no value is kept: not of the other side either, which may only not know yet.
 */
export async function readSamples(
  source: Asked,
  target: Asked,
  most: number,
): Promise<SampleParity | Unread> {
  const [here, there] = await Promise.all([headersOf(source), headersOf(target)]);
  if (isUnread(here)) return here;
  if (isUnread(there)) return there;
  const names = [...new Set([...here, ...there].map(({ name }) => name))];
  const open = names.filter((name) =>
    [...here, ...there].every((header) => header.name !== name || header.isOpen),
  );
  const shown = new Set(open);
  const [from, to] = await Promise.all([rowsOf(source, here, open, most), rowsOf(target, there, open, most)]);
  if (isUnread(from)) return from;
  if (isUnread(to)) return to;
  return { columns: open, hidden: names.filter((name) => !shown.has(name)), rows: both(from, to) };
}

interface Header {
  readonly name: string;
  readonly isOpen: boolean;
}

async function headersOf({ side, run }: Asked): Promise<readonly Header[] | Unread> {
  const headers = await side.ask(() => side.client.quality.sampleHeaders(run));
  if (isUnread(headers)) return headers;
  return (headers ?? []).map((header) => ({
    name: text(header, "attributeName") ?? text(header, "attributeUrn") ?? "",
    isOpen: text(header, "protection") === "UNCLASSIFIED",
  }));
}

async function rowsOf(
  { side, run, called }: Asked,
  headers: readonly Header[],
  columns: readonly string[],
  most: number,
): Promise<readonly SampleRow[] | Unread> {
  // A page holds a hundred, and more than that is no sample.
  const rows = await side.ask(() => side.client.quality.samples(run, Math.min(most, 100)));
  if (isUnread(rows)) return rows;
  const places = columns.map((column) => headers.findIndex(({ name }) => name === column));
  return (rows ?? []).slice(0, most).map((row): SampleRow => {
    const values = own(row, "values");
    const cells: readonly Json[] = isArray(values) ? values : [];
    return {
      // A row that is shorter or longer than its headers is not to be trusted with any of them.
      values: places.map((place) => (cells.length === headers.length ? (cells[place] ?? null) : null)),
      invalid: invalidOf(row, called),
    };
  });
}

function invalidOf(row: JsonObject, called: Asked["called"]): readonly string[] {
  const list = own(row, "invalidRuleInstances");
  return (isArray(list) ? list.filter(isObject) : []).map((entry) => {
    const name = called(text(entry, "ruleInstanceUrn") ?? "") ?? "another rule instance";
    const explanation = text(entry, "explanation") ?? "";
    return explanation === "" ? name : `${name}: ${explanation}`;
  });
}
