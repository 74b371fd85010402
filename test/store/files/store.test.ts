import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileStore } from "../../../src/store/files/store.ts";
import { storeContract } from "../contract.ts";
import { makeTemporaryFolders, parties, storeError, tool } from "./support.ts";

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
