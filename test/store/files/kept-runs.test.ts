import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepRun, keptReport } from "../../../src/store/files/kept-runs.ts";
import type { KeptRun } from "../../../src/store/kept-run.ts";
import { type Disk, nodeDisk } from "../../../src/store/index.ts";
import { keptRun } from "../kept-run.ts";
import { makeTemporaryFolders } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();
const run: KeptRun = keptRun("one", "2026-11-22T09:00:00.000Z");

function place(disk: Disk) {
  const work = temporaryFolder();
  const runs = join(work, "runs");
  return { folders: { disk, runs, work }, latest: join(work, "report.json") };
}

test("a run keeps its own report, also where another command puts its own in the place of the latest in that very moment", async () => {
  const other = (): void => {
    writeFileSync(`${at.latest}.other`, "of another");
    renameSync(`${at.latest}.other`, at.latest);
  };
  // It takes no lock: a diff beside an apply.
  const disk: Disk = {
    ...nodeDisk,
    async link(existing, path) {
      other();
      await nodeDisk.link(existing, path);
    },
    async rename(from, to) {
      await nodeDisk.rename(from, to);
      if (to === at.latest) other();
    },
  };
  const at = place(disk);
  await keepRun(at.folders, run, { "report.json": "its own" }, true);
  expect(await keptReport(at.folders, run.run, "report.json")).toBe("its own");
  expect(readFileSync(at.latest, "utf8")).toBe("of another");
});

test.each(["where there are second names", "where there are none"])(
  "the latest report is the run's, and both stay what they are when the next one comes, %s",
  async (where) => {
    const link: Disk["link"] = async () => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM", syscall: "link" });
    };
    const at = place(where.endsWith("none") ? { ...nodeDisk, link } : nodeDisk);
    const elsewhere = join(at.folders.work, "elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(join(elsewhere, "real.json"), at.latest);
    await keepRun(at.folders, run, { "report.json": "first" }, true);
    await keepRun(at.folders, { ...run, run: "two" }, { "report.json": "second" }, true);
    expect(await keptReport(at.folders, "one", "report.json")).toBe("first");
    expect(await keptReport(at.folders, "two", "report.json")).toBe("second");
    expect(readFileSync(join(elsewhere, "real.json"), "utf8")).toBe("second");
  },
);
