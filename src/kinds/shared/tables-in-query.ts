/**
 * The tables that a query reads, as it names them, part by part: what stands behind FROM and JOIN. SQL has many dialects, and this
 * knows what they have in common: what it does not find is not told, and what it finds is a name.
 */
export function tablesIn(query: string): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  let isExpected = false;
  let isList = false;
  for (const [token] of withoutTexts(query).matchAll(pieces)) {
    const word = token.toLowerCase();
    if (word === "from" || word === "join") {
      isExpected = true;
      isList = word === "from";
    } else if (token === ",") isExpected = isList;
    else if (token === "(" || token === ")" || ends.has(word)) {
      isExpected = false;
      isList = false;
    } else if (isExpected && isName.test(token)) {
      const parts = Array.from(token.matchAll(part), ([name]) => name.replaceAll(quotes, ""));
      found.set(JSON.stringify(parts), parts);
      isExpected = false;
    }
  }
  return [...found.values()];
}

// What is not closed goes on to the end: to look for a close in vain, from each open one, would take for ever.
const quoted = String.raw`"[^"]*(?:"|$)|\x60[^\x60]*(?:\x60|$)|\[[^\]]*(?:\]|$)`;
const name = String.raw`(?:${quoted}|[\p{L}\p{N}_$#@-]+)`;
const part = new RegExp(name, "gu");
const pieces = new RegExp(String.raw`${name}(?:\s*\.\s*${name})*|[(),]|\S`, "gu");
const isName = new RegExp(`^${name}`, "u");
const quotes = /^["\x60[]|["\x60\]]$/gu;

/** Behind these no table is named any more; a list of columns is. */
const ends: ReadonlySet<string> = new Set([
  "where",
  "group",
  "order",
  "having",
  "limit",
  "union",
  "select",
  "on",
  "using",
  "window",
]);

/** Less comments and texts, in which anything may stand. */
function withoutTexts(query: string): string {
  return query.replaceAll(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)/gu, " ");
}
