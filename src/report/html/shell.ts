import { hash } from "node:crypto";
import { htmlText } from "../markdown-escape.ts";
import type { View } from "../view.ts";
import type { HeaderData } from "./payload.ts";

/** Masks what is secret in a text of the data: what the page itself is made of is none, and would be a page no more. */
export type Safe = (text: string) => string;

/**
 * One file that needs nothing else and asks for nothing: its policy allows this script and these styles by
 * their hashes, no request, and no text that is parsed as HTML. Data is JSON in blocks that never run: the first is
 * read at once, a chunk when something in it is opened.
 */
export function* shell(
  view: View,
  { items, ...payload }: Omit<HeaderData, "items"> & { readonly items: Iterable<unknown> },
  {
    code,
    css,
    safe,
    chunks = [],
  }: {
    readonly code: string;
    readonly css: string;
    readonly safe: Safe;
    readonly chunks?: Iterable<unknown>;
  },
): Generator<string> {
  const shown = (text: string): string => htmlText(safe(text));
  const inert = (value: unknown): string => script(value, safe);
  const title = shown(
    `ferry ${payload.command} ${payload.plan}${view.route === undefined ? "" : `: ${view.route}`}`,
  );
  const policy = [
    "default-src 'none'",
    `script-src '${digest(code)}'`,
    `style-src '${digest(css)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${css}</style>
</head>
<body>
<main><noscript><p>${shown(view.headline)}</p><p>${shown(view.cost)}</p><p>The list needs JavaScript; --format markdown and --json hold the same.</p></noscript></main>
<script type="application/json" id="data">${inert(payload).slice(0, -1)},"items":[`;
  let before = "";
  for (const item of items) {
    yield before + inert(item);
    before = ",";
  }
  yield "]}</script>\n";
  let at = 0;
  for (const chunk of chunks) {
    yield `<script type="application/json" id="chunk-${at}">${inert(chunk)}</script>\n`;
    at += 1;
  }
  yield `<script>${code}</script>
</body>
</html>
`;
}

/** JSON that cannot end its script element and is a valid script text in every reader. */
function script(value: unknown, safe: Safe): string {
  const json = JSON.stringify(value);
  // Nearly all of it is safe, which is told at once.
  const masked =
    safe(json) === json
      ? json
      : JSON.stringify(value, (_name, part: unknown) => (typeof part === "string" ? safe(part) : part));
  return masked.replaceAll(
    /[<>&\u2028\u2029]/gu,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

function digest(text: string): string {
  return `sha256-${hash("sha256", text, "base64")}`;
}
