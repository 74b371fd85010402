/** As much of the language as is needed to tell an import from a text that looks like one. */
export interface Token {
  readonly type: "word" | "string" | "mark";
  readonly text: string;
}

const blank = /\s+/y;
const lineComment = /\/\/[^\n]*/y;
const blockComment = /\/\*[\s\S]*?\*\//y;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const word = /[\p{ID_Start}$_#][\p{ID_Continue}$]*/uy;
const number = /\d[\w.]*/y;
const expression = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** After these a slash begins an expression; after anything else it divides. */
const beforeExpression = new Set(["return", "typeof", "case", "in", "of", "await", "yield", "=>"]);

/** The tokens of a source text. Comments are left out, as are the texts of templates; what stands in `${}` is not. */
export function tokens(source: string): readonly Token[] {
  const found: Token[] = [];
  /** Open braces; true for one that a template opened. */
  const braces: boolean[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  };
  const template = (): void => {
    for (; at < source.length; at += 1) {
      if (source[at] === "\\") at += 1;
      else if (source[at] === "`") {
        at += 1;
        return;
      } else if (source.startsWith("${", at)) {
        at += 2;
        braces.push(true);
        return;
      }
    }
  };
  const slashIsExpression = (): boolean => {
    const last = found.at(-1);
    if (last === undefined) return true;
    if (last.type === "word") return beforeExpression.has(last.text);
    return last.type === "mark" && last.text !== ")" && last.text !== "]" && last.text !== "}";
  };
  while (at < source.length) {
    if ((take(blank) ?? take(lineComment) ?? take(blockComment)) !== undefined) continue;
    const text = take(quoted);
    if (text !== undefined) {
      found.push({ type: "string", text: text.slice(1, -1) });
      continue;
    }
    const name = take(word);
    if (name !== undefined) {
      found.push({ type: "word", text: name });
      continue;
    }
    if (take(number) !== undefined) {
      found.push({ type: "word", text: "0" });
      continue;
    }
    const mark = source[at] ?? "";
    if (mark === "/" && slashIsExpression() && take(expression) !== undefined) {
      found.push({ type: "word", text: "/expression/" });
      continue;
    }
    at += 1;
    if (mark === "`") {
      found.push({ type: "string", text: "" });
      template();
    } else if (mark === "}" && braces.pop() === true) {
      template();
    } else {
      if (mark === "{") braces.push(false);
      found.push({ type: "mark", text: mark });
    }
  }
  return found;
}
