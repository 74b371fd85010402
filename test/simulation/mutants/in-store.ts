import type { Mutant } from "./mutant.ts";

const files = "src/store/files";

/** In what is kept on disk. */
export const inStore: readonly Mutant[] = [
  {
    name: "journal-not-synced",
    what: "a record of the journal counts as durable without a sync",
    file: `${files}/journal-writer.ts`,
    from: "    await this.#handle.datasync();\n",
    to: "",
  },
  {
    name: "rename-before-sync",
    what: "a file gets its name before its content is synced",
    file: `${files}/atomic-file.ts`,
    from: "      await file.sync();\n",
    to: "",
  },
  {
    name: "folder-not-synced",
    what: "a rename counts as durable without a sync of the folder",
    file: `${files}/atomic-file.ts`,
    from: "  await disk.syncFolder(dirname(target));\n",
    to: "",
  },
  {
    name: "lock-does-nothing",
    what: "a lock that somebody has is taken all the same",
    file: `${files}/lock.ts`,
    from: "    return disk.lock(path);",
    to: "    return disk.lock(path) ?? { release: () => undefined };",
  },
  {
    name: "torn-tail-kept",
    what: "the half of a line that a crash left is not cut before more is written",
    file: `${files}/journal.ts`,
    from: "  if (tornAt !== undefined) await disk.truncate(path, tornAt);\n",
    to: "",
  },
  {
    name: "gap-in-journal",
    what: "a journal with a line missing from its middle is read on",
    file: `${files}/journal-scan.ts`,
    from: "      this.#torn = { number: line.number, offset: line.offset };\n",
    to: "",
  },
  {
    name: "failed-journal-goes-on",
    what: "after a write to the journal failed the run goes on",
    file: `${files}/journal-writer.ts`,
    from: "      this.#failure = failureOf(error, this.#file.path);\n      throw this.#failure;",
    to: "      void failureOf(error, this.#file.path);",
  },
  {
    name: "unread-journal-not-synced",
    what: "what a killed run left in the system's cache is relied on and not synced first",
    file: `${files}/journal.ts`,
    from: "    await handle.sync();\n",
    to: "",
  },
  {
    name: "mapping-not-written",
    what: "the mapping of a kind that has a file already is not written again",
    file: `${files}/mapping-file.ts`,
    from: "    if (print?.digest === this.#digest) return false;",
    to: "    if (print?.digest === this.#digest || this.#exists) return false;",
  },
  {
    name: "lock-of-the-plan",
    what: "a plan that calls the target otherwise does not see that it is locked",
    file: `${files}/target-lock.ts`,
    from: 'hash("sha256", partyKey(target))',
    to: 'hash("sha256", partyKey(target) + target.name)',
  },
  {
    name: "folder-above-not-synced",
    what: "the folder of the mappings is there already, and its name is not synced",
    file: `${files}/folder.ts`,
    from: '      await this.#syncName(at);\n    } catch (error) {\n      throw ioError(error, path, "write");\n    }\n    await this.#syncAbove(dirname(at));\n',
    to: '    } catch (error) {\n      throw ioError(error, path, "write");\n    }\n',
  },
];
