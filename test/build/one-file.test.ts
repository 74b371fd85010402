import { expect, test } from "vitest";
import { inAscii } from "./one-file.ts";

/** What a module of this one line has for `it`. */
async function meant(code: string): Promise<unknown> {
  const module = (await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)) as {
    it: unknown;
  };
  return module.it;
}

test.each([
  ["a string", 'export const it = "a … b, 日, \u{1F984}\u00fc";'],
  ["a string with a letter of two units", 'export const it = "🦄 und ü";'],
  ["a template", "export const it = `${1}–${2} 🦀`;"],
  [
    "a class in a pattern of code points",
    "export const it = [...'a🦄b🦀ü'.matchAll(/[🦄ü]/gu)].map(String);",
  ],
  ["a class in a pattern of sets", "export const it = [...'a🦄b🦀ü'.matchAll(/[🦄ü]/gv)].map(String);"],
  ["a comment", "// über\nexport const it = 1; /* … */"],
  ["a name", "const größe = 3; export const it = { größe };"],
])("%s means the same in ASCII", async (_, code) => {
  const ascii = inAscii(code);
  expect(ascii).not.toMatch(/[\u0080-\uffff]/);
  expect(await meant(ascii)).toEqual(await meant(code));
});

test.each([
  ["a raw template", "export const it = String.raw`…`;"],
  ["a letter behind a backslash", 'export const it = "\\…";'],
])("%s cannot be said in ASCII: the build ends there", (_, code) => {
  expect(() => inAscii(code)).toThrow(/no escape can stand/);
});
