import { text } from "node:stream/consumers";
import type { BareTask } from "./child-bare.ts";
import { sendBare } from "./child-bare.ts";
import type { DiffTask } from "./child-diff.ts";
import { timeDiff } from "./child-diff.ts";
import type { RunTask } from "./child-run.ts";
import { runOnce } from "./child-run.ts";

/** A process that does one thing and prints what it measured: a task as JSON in, a report as JSON out. */
const task = JSON.parse(await text(process.stdin)) as RunTask | BareTask | DiffTask;
process.stdout.write(JSON.stringify(await work()));

async function work(): Promise<object> {
  switch (task.type) {
    case "run":
      return runOnce(task);
    case "bare":
      return sendBare(task);
    case "diff":
      return timeDiff(task);
  }
}
