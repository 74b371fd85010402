import { display } from "../model/display.ts";

/** Words, and with ids what each reference leads to. */
interface Words {
  readonly words: string;
  readonly withIds: string;
  /** Ids that references lead to, in order. */
  readonly ids: string;
}

/** Of several versions of a text the words; where they do not refer to the same, with the ids of what they refer to. */
export function richTextsOf(values: readonly unknown[]): readonly (string | undefined)[] {
  const found = values.map(read);
  const areSame = new Set(found.flatMap((text) => (text === undefined ? [] : [text.ids]))).size < 2;
  return found.map((text) => (areSame ? text?.words : text?.withIds));
}

/**
 * Rich text travels as JSON in a string: a list of nodes with children (page 04). A reader wants its words; undefined
 * where it is something else.
 */
function read(value: unknown): Words | undefined {
  if (typeof value !== "string" || !/^\s*\[\s*\{/.test(value)) return undefined;
  let nodes: unknown;
  try {
    nodes = JSON.parse(value);
  } catch {
    return undefined;
  }
  if (!Array.isArray(nodes) || !nodes.every((node) => isNode(node) && "type" in node)) return undefined;
  const ids: string[] = [];
  const lines = (of: (id: string) => string): string => {
    const text = nodes.map((node) => wordsOf(node as Node, 0, of)).join("\n");
    const shown = text.split("\n").map((line) => display(line).trimEnd());
    return shown.join("\n").trimEnd();
  };
  const words = lines((id) => {
    ids.push(id);
    return "";
  });
  return { words, withIds: lines((id) => ` (${id})`), ids: JSON.stringify(ids) };
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deeper than anybody writes. */
const deepest = 50;

function wordsOf(node: Node, depth: number, shownId: (id: string) => string): string {
  if (depth > deepest) return "…";
  if (typeof node["text"] === "string") return node["text"];
  const { children, entityName, gid, url } = node;
  const inner = Array.isArray(children)
    ? children.map((child) => (isNode(child) ? wordsOf(child, depth + 1, shownId) : "")).join("")
    : "";
  const named = node["type"] === "entityReference" && typeof entityName === "string" ? `@${entityName}` : "";
  const id = typeof gid === "string" ? shownId(gid) : "";
  return `${named}${inner}${id}${typeof url === "string" ? ` (${url})` : ""}`;
}
