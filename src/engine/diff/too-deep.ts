import type { JsonObject } from "../../model/json.ts";
import { tooDeepIn } from "../read/depth.ts";
import type { DiffInput } from "./input.ts";
import type { Node, Stop } from "./node.ts";
import { stop } from "./node.ts";

/** What cannot be compared is neither sent nor overwritten; everything else goes on without it. */
export function tooDeep(side: "source" | "target", meta: JsonObject | undefined): Stop | undefined {
  const where = tooDeepIn(meta);
  if (where === undefined) return undefined;
  const what = side === "source" ? "it is" : "its twin at the target is";
  return {
    action: "blocked",
    code: "too-deep",
    reason: `${what} ${where}, and cannot be compared`,
    suggestion: `Make it flatter at the ${side}, or leave it out with select.exclude and move it by hand.`,
  };
}

/** Its twin cannot be compared. Asked right before that is: then it is read from disk once. */
export function stopAtTwin(node: Node, { target: { snapshot } }: DiffInput): boolean {
  const { kind, target } = node;
  if (target === undefined || !snapshot.has(kind.name, target)) return false;
  const deep = tooDeep("target", snapshot.meta(kind.name, target));
  const why = deep ?? kind.hidden?.(snapshot.body(kind.name, target));
  if (why !== undefined) stop(node, { ...why, action: why.action ?? "blocked" });
  return why !== undefined;
}
