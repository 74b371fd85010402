import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lastBefore, readFigures } from "../figures/file.ts";
import { picture, rowsPicture } from "./picture.ts";

const place = (name: string): string => fileURLToPath(new URL(`../figures/${name}`, import.meta.url));
const file = place("curves.svg");

/** The pictures of the latest curves that are kept, over those of the release before them; and of rows. */
export function draw(): string {
  const kept = readFigures().filter(({ curves }) => curves.length > 0);
  const now = kept.at(-1);
  if (now === undefined) throw new Error("there are no curves to draw: --curves measures them");
  writeFileSync(file, picture(now, lastBefore(now.version, kept)));
  const rows = kept.findLast((figures) => figures.rows !== undefined);
  if (rows !== undefined) writeFileSync(place("rows.svg"), rowsPicture(rows));
  return file;
}
