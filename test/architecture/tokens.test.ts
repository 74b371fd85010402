import { describe, expect, test } from "vitest";
import { parseModule } from "./modules.ts";
import { tokens } from "./tokens.ts";

/** Each import as `target` or `target (types)`. */
function imports(source: string): readonly string[] {
  return parseModule("src/x/file.ts", source).imports.map(
    ({ target, typeOnly }) => `${target}${typeOnly ? " (types)" : ""}`,
  );
}

describe("imports are read", () => {
  test.each([
    ['import a from "./a.ts";', ["src/x/a.ts"]],
    ['import "../a.ts";', ["src/a.ts"]],
    ['import * as a from "a";', ["a"]],
    ['import a, { b } from "a";', ["a"]],
    ['import {\n  a,\n  b as c,\n} from "../y/a.ts";', ["src/y/a.ts"]],
    ["import { a } from 'a';", ["a"]],
    ['import type { A } from "a";', ["a (types)"]],
    ['import type A from "a";', ["a (types)"]],
    ['import type * as A from "a";', ["a (types)"]],
    ['import { type A } from "a";', ["a (types)"]],
    ['import { type A, type B as C, } from "a";', ["a (types)"]],
    ['import { type A, b } from "a";', ["a"]],
    ['import { type } from "a";', ["a"]],
    ['import type from "a";', ["a"]],
    ['export { a } from "a";', ["a"]],
    ['export type { A } from "a";', ["a (types)"]],
    ['export * from "a";', ["a"]],
    ['export * as a from "a";', ["a"]],
    ['const { a } = await import("./a.ts");', ["src/x/a.ts"]],
    ['import a from "a"; import b from "b";\nexport * from "c";', ["a", "b", "c"]],
    ['export const from = "a";', []],
    ["export { a };\nconst b = 1;", []],
    ['export function f(): string {\n  return "from";\n}', []],
    ['export default { from: "a" };', []],
    ["const here = import.meta.url;", []],
    ["const a = await import(name);", []],
    ['client.import("a");', []],
    ['const text = "import a from \\"a\\"";', []],
    ['const text = `import a from "a"`;', []],
    ['const text = `${await import("a")} import "b"`;', ["a"]],
    ['const text = `${`${{ a: "}" }}`} `; import "a";', ["a"]],
    ['// import "a";\n/* import "b";\n */ import "c";', ["c"]],
    ['const quote = /["\'`]/; import "a";', ["a"]],
    ['const path = /\\/"[/"]/u.test(text); import "a";', ["a"]],
    ['const half = (a + b) / 2; const c = d / e; import "a";', ["a"]],
    ['if (/"/.test(a)) return /`/g; import "a";', ["a"]],
  ])("%s", (source, expected) => {
    expect(imports(source)).toEqual(expected);
  });
});

test("comments and the texts of templates are no tokens", () => {
  const found = tokens("a /* b */ + `c ${d} e` // f\n.g");
  expect(found.map((token) => token.text)).toEqual(["a", "+", "", "d", ".", "g"]);
});

test("what is used of the process is read, and a field of that name is not", () => {
  const read = (source: string): readonly string[] => parseModule("src/a.ts", source).process;
  expect(read("process.exit(process.pid)")).toEqual(["exit", "pid"]);
  expect(read("const { env } = process;")).toEqual(["process"]);
  expect(read("globalThis.process.kill(1)")).toEqual(["kill"]);
  expect(read("client.process.run(); const a = { process: 1 }; `process ${pid}`; // process.pid")).toEqual(
    [],
  );
});
