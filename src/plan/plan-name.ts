import { basename, extname } from "node:path";
import { display } from "../model/display.ts";
import type { PlanProblem } from "./plan-error.ts";

/** A plan is called as its file is, without the ending. */
export function planName(path: string): string {
  return basename(path, extname(path));
}

/** Letters and digits of any script, with - _ and . inside: a folder has this name, and people type it. */
const slug = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}._-]*[\p{L}\p{N}\p{M}_-])?$/u;

/** What is wrong with the name that a file gives its plan: `..` would lead out of the folder that it names. */
export function planNameProblem(path: string): PlanProblem | undefined {
  const name = planName(path);
  if (slug.test(name)) return undefined;
  return {
    path: "",
    summary: `"${display(name)}" is no name for a plan: it is called as its file is, and so is a folder of its own`,
    suggestion: "Call the file by letters, digits, - and _ (and dots between them), such as plans/prod.yaml.",
  };
}
