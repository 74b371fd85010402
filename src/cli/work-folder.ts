import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { display } from "../model/display.ts";
import { makeFolders } from "../store/index.ts";
import { UsageError } from "./usage-error.ts";

/** Beside the work of a plan: the plan's file, as it is reached from there. */
const fileName = "plan.json";

/**
 * The folder of a plan is called as its file is, and files in two folders may share that: each would read the other's
 * last export and diff, and take back its runs. The first one that comes has the folder, until its file is gone.
 */
export function claimWork(work: string, plan: string, cwd: string): void {
  const path = join(work, fileName);
  const owner = ownerOf(path, work);
  if (owner !== undefined && !isSame(owner, plan)) {
    const [mine, theirs, folder] = [plan, owner, work].map((one) => display(relative(cwd, one) || one));
    throw new UsageError(
      `${folder} holds the work of another plan of that name, ${theirs}: ${mine} would go on with its diffs and take back its runs; nothing was done`,
      `Give one of the two files another name, or this one a folder of its own with --work-dir. If ${theirs} is not used any more, remove it.`,
    );
  }
  const text = `${JSON.stringify({ format: 1, plan: relative(work, plan).split(sep).join("/") })}\n`;
  try {
    if (existsSync(path) && readFileSync(path, "utf8") === text) return;
    const isOurs = isEmpty(work);
    makeFolders(work);
    writeFileSync(path, text);
    // What stands at the source is nobody's to commit with the plan. What somebody keeps beside it, the plan itself it may be, is.
    if (isOurs) writeFileSync(join(work, ".gitignore"), "*\n");
  } catch {
    // Whoever writes there tells that nobody can.
  }
}

/** Nobody has put anything there yet. */
function isEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/** The plan that has the folder; undefined where that is gone, or nobody can tell. */
function ownerOf(path: string, work: string): string | undefined {
  try {
    const { plan } = JSON.parse(readFileSync(path, "utf8")) as { readonly plan?: unknown };
    const owner = typeof plan === "string" ? resolve(work, plan) : undefined;
    return owner !== undefined && existsSync(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** One file, or a copy that says the same. */
function isSame(one: string, other: string): boolean {
  if (realpathSync(one) === realpathSync(other)) return true;
  return readFileSync(one).equals(readFileSync(other));
}
