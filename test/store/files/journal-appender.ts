/**
 * A process that appends to the journal named by its first argument with as many workers as the second says,
 * until it is stopped or fails. It prints the number of every record that was acknowledged, a line each.
 */
import { writeSync } from "node:fs";
import { openJournal } from "../../../src/store/files/index.ts";
import { parties, tool } from "./parties.ts";

const [path = "", workers = "1"] = process.argv.slice(2);
const { journal, records } = await openJournal(path, { tool, parties });
let next = records.length;

async function work(): Promise<void> {
  for (;;) {
    const number = next++;
    await journal.append({
      type: "baseline",
      run: "r",
      kind: String(number),
      uuids: Array<string>(number % 50).fill("x"),
    });
    writeSync(1, `${number}\n`);
  }
}

const outcomes = await Promise.allSettled(Array.from({ length: Number(workers) }, () => work()));
for (const outcome of outcomes) {
  if (outcome.status === "rejected") writeSync(2, `${String(outcome.reason)}\n`);
}
process.exitCode = 9;
