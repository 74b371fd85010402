import { join } from "node:path";
import { fileStore } from "../../../src/store/files/store.ts";
import { storeContract } from "../contract.ts";
import { makeTemporaryFolders, parties, tool } from "./support.ts";

const temporaryFolder = makeTemporaryFolders();

storeContract("files", () => {
  const folder = temporaryFolder();
  const [workDir, mappingsDir] = [join(folder, "plans"), join(folder, "mappings")];
  return { open: (plan) => fileStore({ plan, parties, tool, workDir, mappingsDir }) };
});
