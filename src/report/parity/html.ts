import type { Result } from "../../model/result.ts";
import { cards } from "../html/client/cards.ts";
import { dom } from "../html/client/dom.ts";
import { header } from "../html/client/header.ts";
import { shell } from "../html/shell.ts";
import type { Safe } from "../html/shell.ts";
import { styles } from "../html/styles.ts";
import { viewOf } from "../view.ts";
import { bars } from "./client/bars.ts";
import { detail } from "./client/detail.ts";
import type { ParityModules } from "./client/page.ts";
import { page } from "./client/page.ts";
import { parityPayload } from "./data.ts";
import { parityStyles } from "./styles.ts";

const modules: ParityModules = { bars, cards, detail, dom, header };

/** The page of a comparison: the same look and care as the report of changes. */
export function piecesOfParityHtml(result: Result, safe: Safe = (text) => text): Generator<string> {
  const view = viewOf(result);
  const parts = Object.entries(modules).map(([name, part]: [string, unknown]) => `${name}: ${String(part)}`);
  const data = 'JSON.parse(document.getElementById("data").textContent)';
  const code = `"use strict";\n(${String(page)})(${data}, {\n${parts.join(",\n")}\n});\n`;
  return shell(view, parityPayload(view), { code, css: `${styles()}\n${parityStyles}`, safe });
}
