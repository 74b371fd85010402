/** A key of plans, quoted or not, with its colon: the only words of a broken line that are shown. */
function keyAmong(known: readonly string[]): RegExp {
  const words = known.toSorted((a, b) => b.length - a.length).join("|");
  return new RegExp(`^(["']?)(?:${words})\\1\\s*:(?=[\\s[\\]{},"']|$)`);
}

const secretKey = /^["']?(?:clientSecret|password)\b/;
const structure = /[[\]{},]/;
/** The name of a variable, which is no secret where it is all of a value. */
const variable = /^(["']?)\$\{[A-Z][A-Z0-9_]*\}\1(?=$|[\s,\]}])/;

/**
 * A line of a broken plan with its values masked, each mark by one `*`, so that columns stay where they are. Where the
 * line is broken nobody knows what is a value: what is not certainly a key of plans is masked, a continuation of the
 * line before altogether, and behind the key of a secret there is nothing left, not even how long it is. Of what may be
 * a comment it is told that it is there.
 */
export function maskedLine(line: string, known: readonly string[]): string {
  const key = keyAmong(known);
  const start = /^\s*(?:-\s+)*/.exec(line)?.[0] ?? "";
  const rest = line.slice(start.length);
  if (!key.test(rest) && !/^[[{]\s*["']?\w+["']?\s*:/.test(rest)) return start + rest.replaceAll(/\S/g, "*");
  let shown = start;
  let at = start.length;
  // A key stands behind a bracket, a comma or white space; inside a word the same letters are part of a value.
  let mayBegin = true;
  while (at < line.length) {
    const left = line.slice(at);
    const found = mayBegin ? key.exec(left)?.[0] : undefined;
    if (found !== undefined) {
      shown += found;
      at += found.length;
      if (secretKey.test(found)) return left.length > found.length ? `${shown} ...` : shown;
      continue;
    }
    const named = mayBegin ? variable.exec(left)?.[0] : undefined;
    if (named !== undefined) {
      shown += named;
      at += named.length;
      continue;
    }
    const mark = left.charAt(0);
    if (mark === "#" && /\s$/.test(shown)) return `${shown}# ...`;
    mayBegin = /\s/.test(mark) || (mayBegin && structure.test(mark));
    shown += mayBegin ? mark : "*";
    at += 1;
  }
  return shown;
}
