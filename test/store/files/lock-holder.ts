/** A process that takes the lock named by its argument, says so, and keeps it until it is stopped. */
import { acquireLock } from "../../../src/store/files/index.ts";

const [path = ""] = process.argv.slice(2);
const result = acquireLock(path, {
  owner: "somebody",
  host: "elsewhere",
  pid: process.pid,
  run: "run-of-the-child",
  since: "2026-11-21T08:00:00.000Z",
});
process.stdout.write(result.ok ? "held\n" : "busy\n");
if (result.ok) setInterval(() => undefined, 1000);
