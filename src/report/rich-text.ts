import { display } from "../model/display.ts";

/**
 * Rich text travels as JSON in a string: a list of nodes with children (page 04). A reader wants its words; undefined
 * where it is something else.
 */
export function richTextOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\s*\[\s*\{/.test(value)) return undefined;
  let nodes: unknown;
  try {
    nodes = JSON.parse(value);
  } catch {
    return undefined;
  }
  if (!Array.isArray(nodes) || !nodes.every((node) => isNode(node) && "type" in node)) return undefined;
  const text = nodes.map((node) => wordsOf(node as Node, 0)).join("\n");
  return text
    .split("\n")
    .map((line) => display(line).trimEnd())
    .join("\n")
    .trimEnd();
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Deeper than anybody writes. */
const deepest = 50;

function wordsOf(node: Node, depth: number): string {
  if (depth > deepest) return "…";
  if (typeof node["text"] === "string") return node["text"];
  const { children, entityName, url } = node;
  const inner = Array.isArray(children)
    ? children.map((child) => (isNode(child) ? wordsOf(child, depth + 1) : "")).join("")
    : "";
  const named = node["type"] === "entityReference" && typeof entityName === "string" ? `@${entityName}` : "";
  return `${named}${inner}${typeof url === "string" ? ` (${url})` : ""}`;
}
