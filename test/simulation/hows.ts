import { plainKinds } from "./kinds/index.ts";
import type { How } from "./story.ts";

const edits: readonly How[] = ["text", "text", "more", "less", "rename"];
const lives: readonly How[] = ["swap", "remove", "remove", "recreate", "create", "use"];
const drafts: readonly How[] = ["draft", "draft", "draft-delete", "publish", "discard"];
/** What a colleague can do to one of a kind. */
export const hows: Readonly<Record<string, readonly How[]>> = {
  terms: [...edits, ...lives],
  rules: [...edits, ...lives, ...drafts],
  monitors: [...edits, ...lives, ...drafts],
  "primary-monitors": ["text", "more", "less", "draft", "publish", "discard"],
  dashboards: [...edits, "remove", "recreate", "create", "use", "draft", "publish", "discard"],
  attributes: ["use", "use", "unuse"],
  administration: [
    "forbid",
    "forbid",
    "permit",
    "permit",
    "model",
    "model",
    "model",
    "model",
    "restore",
    "restore",
  ],
  ...Object.fromEntries(plainKinds.map((kind) => [kind.name, kind.hows])),
};
