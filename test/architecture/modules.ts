import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import type { Token } from "./tokens.ts";
import { tokens } from "./tokens.ts";

/** One import of a file. */
export interface Import {
  /** `src/model/urn.ts` for what is ours, `node:fs` or `ky` for what is not. */
  readonly target: string;
  /** Nothing of it is left when the program runs. */
  readonly typeOnly: boolean;
}

export interface Module {
  /** From the project's folder: `src/model/urn.ts`. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Members of the global `process` that are used; `process` when it is passed on as a whole. */
  readonly process: readonly string[];
  readonly lines: number;
}

export function parseModule(path: string, source: string): Module {
  const found = tokens(source);
  const imports: Import[] = [];
  const process: string[] = [];
  for (const [index, token] of found.entries()) {
    const before = found[index - 1]?.text ?? "";
    if (token.type !== "word") continue;
    if ((token.text === "import" || token.text === "export") && before !== ".") {
      const read = readImport(found, index);
      if (read !== undefined) imports.push({ ...read, target: resolve(path, read.target) });
    }
    if (token.text === "process" && isGlobal(found, index)) {
      const member = found[index + 1]?.text === "." ? found[index + 2]?.text : undefined;
      process.push(member ?? "process");
    }
  }
  return { path, imports, process, lines: source.split("\n").length - 1 };
}

/** Every source file below a folder of the project. */
export function readModules(folder: string): readonly Module[] {
  const root = new URL("../../", import.meta.url);
  return readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => parseModule(path, readFileSync(new URL(path, root), "utf8")));
}

function readImport(found: readonly Token[], at: number): Import | undefined {
  const next = found[at + 1];
  if (next === undefined) return undefined;
  const isImport = found[at]?.text === "import";
  if (next.text === "(" && isImport) {
    const what = found[at + 2];
    return what?.type === "string" ? { target: what.text, typeOnly: false } : undefined;
  }
  if (next.type === "string") return isImport ? { target: next.text, typeOnly: false } : undefined;
  const typeOnly = next.text === "type" && found[at + 2]?.text !== "from" && found[at + 2]?.text !== ",";
  const first = found[typeOnly ? at + 2 : at + 1];
  // An export without braces or a star declares something here.
  if (!isImport && first?.text !== "{" && first?.text !== "*") return undefined;
  const names: Token[] = [];
  for (let index = at + 1; index < found.length; index += 1) {
    const token = found[index];
    if (token?.text === "from" && found[index + 1]?.type === "string") {
      return { target: found[index + 1]?.text ?? "", typeOnly: typeOnly || everyNameIsType(names) };
    }
    if (token === undefined || token.text === ";" || token.text === "=" || token.text === "(")
      return undefined;
    names.push(token);
  }
  return undefined;
}

/** `{ type A, type B }`. */
function everyNameIsType(names: readonly Token[]): boolean {
  if (names[0]?.text !== "{") return false;
  const groups: Token[][] = [[]];
  for (const token of names.slice(1, -1)) {
    if (token.text === ",") groups.push([]);
    else groups.at(-1)?.push(token);
  }
  const named = groups.filter((group) => group.length > 0);
  return named.length > 0 && named.every((group) => group[0]?.text === "type" && group.length > 1);
}

/** Neither a member of something else nor the name of a field. */
function isGlobal(found: readonly Token[], at: number): boolean {
  const before = found[at - 1]?.text;
  if (before === ".") return found[at - 2]?.text === "globalThis";
  return found[at + 1]?.text !== ":" || before === "?";
}

function resolve(from: string, target: string): string {
  return target.startsWith(".") ? posix.join(posix.dirname(from), target) : target;
}
