import { frame } from "./styles/frame.ts";
import { page } from "./styles/page.ts";
import { palette } from "./styles/palette.ts";
import { paper } from "./styles/paper.ts";
import { rows } from "./styles/rows.ts";

export function styles(): string {
  return [palette, page, frame, rows, paper].join("\n");
}
