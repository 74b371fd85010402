import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lastBefore, readFigures } from "../figures/file.ts";
import { picture } from "./picture.ts";

const file = fileURLToPath(new URL("../figures/curves.svg", import.meta.url));

/** The picture of the latest curves that are kept, over those of the release before them. */
export function draw(): string {
  const kept = readFigures().filter(({ curves }) => curves.length > 0);
  const now = kept.at(-1);
  if (now === undefined) throw new Error("there are no curves to draw: --curves measures them");
  writeFileSync(file, picture(now, lastBefore(now.version, kept)));
  return file;
}
