import { join } from "node:path";
import { writeAtomic } from "./atomic-file.ts";
import type { Disk } from "./disk.ts";

/** Below the folder of all mappings: these belong to one machine, what lies beside them is to be committed. */
const ownOfTheMachine = `# Of this machine alone; what else is here is to be committed.
/.locks/
/*/lock
/*/lock.holder
/*/journal.ndjson
/*/applied.ndjson
*.tmp
`;

/** Whoever adds the folder to a repository adds no journal and no lock with it. A file that is there is somebody's, and stays. */
export async function keepFromGit(disk: Disk, mappingsDir: string): Promise<void> {
  const path = join(mappingsDir, ".gitignore");
  if (disk.existsSync(path)) return;
  // A folder that is somebody else's may be closed to us: nothing but git depends on it.
  await writeAtomic(path, ownOfTheMachine, { disk }).catch(() => {});
}
