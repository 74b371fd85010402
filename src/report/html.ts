import type { Result } from "../model/result.ts";
import { payloadOf } from "./html/data.ts";
import { script } from "./html/script.ts";
import { shell } from "./html/shell.ts";
import type { Safe } from "./html/shell.ts";
import { styles } from "./html/styles.ts";
import { piecesOfParityHtml } from "./parity/html.ts";
import { viewOf } from "./view.ts";

/** The page of a result: of what was compared, where that is all that was asked for, else of the changes. */
export function renderHtml(result: Result, safe?: Safe): string {
  return [...piecesOfHtml(result, safe)].join("");
}

/** The same, a piece for each object and for what is inside of some hundred of them. */
export function piecesOfHtml(result: Result, safe: Safe = (text) => text): Generator<string> {
  if (result.command === "parity" && result.parity !== undefined) return piecesOfParityHtml(result, safe);
  const view = viewOf(result);
  const { bodies, ...payload } = payloadOf(view);
  return shell(view, payload, { code: script(), css: styles(), safe, chunks: bodies });
}
