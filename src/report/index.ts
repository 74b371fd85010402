export type { RunnerEnv } from "./annotations.ts";
export { renderAnnotations } from "./annotations.ts";
export { renderCodeQuality } from "./code-quality.ts";
export { piecesOfHtml, renderHtml } from "./html.ts";
export { piecesOfJson, renderJson } from "./json.ts";
export { renderMarkdown } from "./markdown.ts";
export type { ReportOptions } from "./options.ts";
export { piecesOfText, renderConsequences, renderFields, renderText } from "./text.ts";
export { piecesOfParityHtml } from "./parity/html.ts";
