/** What a schema says of a value that it refuses: as much of it as a person can use. */
interface Issue {
  readonly code?: string | undefined;
  readonly expected?: unknown;
  readonly input?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: boolean | undefined;
  readonly format?: unknown;
  readonly values?: readonly unknown[] | undefined;
}

const nouns: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

/**
 * What is wrong with a value, in words that need no knowledge of schemas, to be given to every check of what people or
 * earlier versions wrote. The value itself is never told: it may be a secret that lost its place. Undefined where the
 * schema's own words are the best.
 */
export function wrongValue(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "it is missing";
      return `expected ${nouns[String(issue.expected)] ?? "something else"}, found ${foundIn(issue.input)}`;
    case "too_small":
      return issue.origin === "number" || issue.origin === "int"
        ? `it must be ${issue.inclusive === false ? "more than" : "at least"} ${String(issue.minimum)}`
        : "it is empty";
    case "too_big":
      return `it must be at most ${String(issue.maximum)}`;
    case "invalid_format":
      return issue.format === "uuid" ? "it is no UUID" : "it is not written as it should be";
    case "invalid_value":
      return `it is none of ${(issue.values ?? []).map(String).join(", ")}`;
    case "invalid_union":
      return "it is nothing that may stand here";
    case "invalid_key":
      return "its name is none that may stand here";
    default:
      return undefined;
  }
}

function foundIn(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number") return Number.isFinite(value) ? "a number" : "a number beyond all numbers";
  return (
    { string: "a text", boolean: "true or false", object: "a map" }[typeof value as string] ??
    "something else"
  );
}
