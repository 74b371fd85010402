import { registry } from "../../src/kinds/index.ts";
import { planJsonSchema } from "../../src/plan/json-schema.ts";

/** As much of a JSON Schema as a plan's has. */
interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
}

/** Every key of a plan in the words of the schema, as a table for plans/README.md. */
export function planKeys(): string {
  const schema = planJsonSchema(registry.sections(), registry.selectable()) as Node;
  const byKey = Map.groupBy(rowsOf(schema, ""), ([key = ""]) => key);
  const rows = [...byKey.values()].map((same) => `| ${together(same).map(escaped).join(" | ")} |`);
  return ["| key | what it says | answers |", "|---|---|---|", ...rows].join("\n");
}

function* rowsOf(node: Node, path: string): Generator<readonly string[]> {
  for (const [key, inner] of Object.entries(node.properties ?? {})) {
    // Both environments have the same keys: those of the target are the source's, and one more.
    if (path === "target" && key !== "confirm") continue;
    const at = path === "" ? key : `${path}.${key}`;
    yield [`\`${at}\``, inner.description ?? "", answersOf(inner)];
    for (const part of [inner, inner.items, ...(inner.anyOf ?? []), ...(inner.items?.anyOf ?? [])])
      if (part?.properties !== undefined) yield* rowsOf(part, at);
  }
}

/** An entry that has several forms has most keys in each of them. */
function together(same: readonly (readonly string[])[]): readonly string[] {
  const cell = (index: number): readonly string[] => [
    ...new Set(same.map((cells) => cells[index] ?? "").filter((text) => text !== "")),
  ];
  return [cell(0).join(", "), cell(1).join(" "), cell(2).join(", ")];
}

const mostAnswers = 6;

/** The first is what counts when nothing is said. */
function answersOf(node: Node): string {
  const fixed = (one: Node): readonly unknown[] => one.enum ?? (one.const === undefined ? [] : [one.const]);
  const values = [...fixed(node), ...(node.anyOf ?? []).flatMap(fixed)].map(String);
  const standard = node.default;
  // The kinds stand in a table of their own.
  if (values.length > mostAnswers) return "";
  if (values.length > 0 && typeof standard === "string")
    return [standard, ...values.filter((value) => value !== standard)].map(quoted).join(", ");
  if (values.length > 0) return values.map(quoted).join(", ");
  const isPlain = ["string", "number", "boolean"].includes(typeof standard);
  return isPlain ? quoted(String(standard)) : "";
}

function quoted(text: string): string {
  return `\`${text}\``;
}

function escaped(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
}
