/** A list whose items are made when they are asked for. */
export interface LazyList extends Iterable<unknown> {
  readonly length: number;
}

/** Two spaces of indentation, a line feed at the end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The same, piece by piece: a list in a field of an object may be long, and is never in memory as one text. */
export function* jsonPieces(value: object): Generator<string> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (Array.isArray(value) || fields.length === 0) {
    yield formatJson(value);
    return;
  }
  let before = "{\n";
  for (const [name, field] of fields) {
    yield `${before}  ${JSON.stringify(name)}: `;
    before = ",\n";
    if (isList(field)) yield* itemsOf(field);
    else yield indented(field, "  ");
  }
  yield "\n}\n";
}

function isList(value: unknown): value is LazyList {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

function* itemsOf(list: LazyList): Generator<string> {
  if (list.length === 0) {
    yield "[]";
    return;
  }
  let before = "[\n    ";
  for (const item of list) {
    yield before + indented(item, "    ");
    before = ",\n    ";
  }
  yield "\n  ]";
}

/** Line feeds stand between values only: those in texts are escaped. */
function indented(value: unknown, by: string): string {
  return ((JSON.stringify(value, null, 2) as string | undefined) ?? "null").replaceAll("\n", `\n${by}`);
}
