import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Plan } from "../model/plan.ts";
import { PlanError } from "../plan/plan-error.ts";
import type { LoadedPlan } from "../plan/load.ts";
import { readText } from "../plan/read-text.ts";
import type { Disk, DiskLock } from "../store/index.ts";
import { makeFolders, nodeDisk, StoreError, writeAtomic } from "../store/index.ts";
import { UsageError } from "./usage-error.ts";

/** Of the text of a plan, and of what it says, another text. */
export type PlanEdit = (text: string, plan: Plan) => string;

/**
 * What is put into a plan is read first as any command would read it: a plan that was good never ends as one that is refused.
 * It is put into what stands there now, which need not be what the command began with: a person was asked meanwhile, or services.
 *
 * One edit at a time: of two that read the same text the second would write the first one away. The lock is in the folder of the
 * plan's work (`work`), and not that of the target: what is known may be said while a run is at work there. An editor takes no lock:
 * where the text is another one by the time that it is to be replaced, the edit is made anew, in that one.
 */
export async function rewritePlan(
  { path, check }: Pick<LoadedPlan, "path" | "check">,
  edit: PlanEdit,
  {
    work,
    disk = nodeDisk,
    patienceMs = 10_000,
  }: { readonly work: string; readonly disk?: Pick<Disk, "lock">; readonly patienceMs?: number },
): Promise<void> {
  makeFolders(work);
  const lock = await locked(join(work, "plan.lock"), path, { disk, patienceMs });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const before = current(path);
      const text = edited(path, before, check, edit);
      let isOld = false;
      try {
        await writeAtomic(path, text, {
          reached: (point) => {
            if (point !== "before-rename") return;
            isOld = current(path) !== before;
            if (isOld) throw new Error("it was changed meanwhile");
          },
        });
        return;
      } catch (error) {
        if (!isOld) throw error;
        if (attempt >= mostAttempts)
          throw new UsageError(
            `${path} is changed by something else all the time, and was left as that wrote it`,
            "Run the same command again once nobody edits it.",
          );
      }
    }
  } finally {
    lock.release();
  }
}

const mostAttempts = 10;
/** Another edit takes milliseconds. */
const stepMs = 20;

async function locked(
  file: string,
  path: string,
  { disk, patienceMs }: { readonly disk: Pick<Disk, "lock">; readonly patienceMs: number },
): Promise<DiskLock> {
  // By the clock, since each try waits a little as well.
  for (const until = performance.now() + patienceMs; ;) {
    const lock = taken(file, path, disk);
    if (lock !== undefined) return lock;
    if (performance.now() >= until)
      throw new UsageError(
        `another ferry is editing ${path}, and does not come to its end; nothing was written`,
        "Run the same command again once that has ended.",
      );
    await sleep(stepMs);
  }
}

function taken(file: string, path: string, disk: Pick<Disk, "lock">): DiskLock | undefined {
  try {
    return disk.lock(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      "lock-unusable",
      file,
      `${path} was not changed: ${file} cannot be locked: ${why}`,
      "Check that the file and its folder can be written and are on a local disk, or name another folder with --work-dir.",
      error,
    );
  }
}

function current(path: string): string {
  const now = readText(path);
  if ("why" in now) throw new UsageError(`${path} ${now.why}`);
  return now.text;
}

function edited(path: string, before: string, check: LoadedPlan["check"], edit: PlanEdit): string {
  const text = edit(before, check(before).plan);
  try {
    check(text);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    throw new UsageError(
      `${path} would not be a plan any more with what was to be written, and was left as it is: ${error.problems[0]?.summary ?? ""}`,
      "Write it there by hand.",
    );
  }
  return text;
}
