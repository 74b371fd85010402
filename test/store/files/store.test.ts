import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileStore } from "../../../src/store/files/store.ts";
import { storeContract } from "../contract.ts";
import { entryRecord, makeTemporaryFolders, parties, storeError, tool } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();

storeContract("files", () => {
  const folder = temporaryFolder();
  const [workDir, mappingsDir] = [join(folder, "plans"), join(folder, "mappings")];
  return { open: (plan) => fileStore({ plan, parties, tool, workDir, mappingsDir }) };
});

it("does not advise to move a link away that leads to the mappings, and to nothing where they are not mounted", async () => {
  const folder = temporaryFolder();
  const mappingsDir = join(folder, "mappings");
  symlinkSync(join(folder, "not-mounted"), mappingsDir);
  const { state } = fileStore({ plan: "move", parties, tool, workDir: join(folder, "plans"), mappingsDir });
  expect(await storeError("unreadable", async () => state.prepare())).toMatchObject({
    path: mappingsDir,
    suggestion: expect.stringContaining("Do not take the link away"),
  });
});

it("puts nothing away under a name that a journal gives a plan, and that leads elsewhere", async () => {
  const folder = temporaryFolder();
  const [workDir, mappingsDir] = [join(folder, "work", "plans"), join(folder, "work", "mappings")];
  const { state } = fileStore({ plan: "move", parties, tool, workDir, mappingsDir });
  await state.prepare();
  const taken = await state.lock({ owner: "", host: "", pid: 1, run: "r1", since: "" });
  if (!taken.ok) throw new Error("nobody else has it");
  const { journal } = await state.openJournal(taken.lease, () => undefined);
  await journal.append(entryRecord(1));
  const plans = ["", ".hidden", "../../elsewhere", "..\\elsewhere"];
  for (const plan of plans) await state.archive(taken.lease, [{ plan, run: "r1" }]);
  expect([readdirSync(folder), readdirSync(workDir)]).toEqual([["work"], ["move"]]);
  await journal.close();
  await taken.lease.release();
});
