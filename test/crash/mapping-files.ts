import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Row {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly unfinished: string | undefined;
}

interface File {
  readonly entries: Readonly<
    Record<
      string,
      { readonly target: string; readonly keys?: Record<string, string>; readonly unfinished?: string }
    >
  >;
}

/** The rows of the mapping as they stand in its files, read without the tool. */
export function mappingRows(folder: string): readonly Row[] {
  return readdirSync(folder)
    .filter((name) => /^[a-z-]+\.json$/.test(name))
    .flatMap((name) => {
      const { entries } = JSON.parse(readFileSync(join(folder, name), "utf8")) as File;
      return Object.entries(entries).map(([source, { target, keys = {}, unfinished }]) => {
        return { kind: name.slice(0, -".json".length), source, target, keys, unfinished };
      });
    });
}
