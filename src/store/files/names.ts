import { join } from "node:path";
import { StoreError } from "../store-error.ts";

/** Names of files come from the names of kinds only, never from the service. */
const kindName = /^[a-z]+(?:-[a-z]+)*$/;

export function isKindName(name: string): boolean {
  return kindName.test(name);
}

export function refuseBadKind(kind: string, folder: string): void {
  if (isKindName(kind)) return;
  throw new StoreError(
    "bad-name",
    folder,
    `${JSON.stringify(kind)} cannot name a kind: lower-case letters and single hyphens only`,
    "Correct the kind's name.",
  );
}

/** `<source>--<target>`: the folder of everything that is remembered about a pair of environments. */
export function pairFolder(mappingsDir: string, sourceName: string, targetName: string): string {
  for (const name of [sourceName, targetName]) {
    // oxlint-disable-next-line no-control-regex -- control characters have no place in a name of a folder
    if (name !== "" && !name.startsWith(".") && !/[/\\\u0000-\u001f\u007f]/.test(name)) continue;
    throw new StoreError(
      "bad-name",
      mappingsDir,
      `the environment name ${JSON.stringify(name)} cannot name a folder`,
      "Use letters, digits and hyphens for the names of environments in the plan.",
    );
  }
  return join(mappingsDir, `${sourceName}--${targetName}`);
}
