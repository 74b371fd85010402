import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What is put into a command that a person is to copy, by the text of its template. */
function putIn(source: string): readonly string[] {
  const commands = source.matchAll(
    /ferry (?:mappings|resolve|decide|ack|flow) (?:PLAN|\$\{[^}]*\})((?:[^\n`\\]|\$\{[^\n]*?\})*)/g,
  );
  return [...commands].flatMap(([, rest = ""]) =>
    [...rest.matchAll(/\$\{((?:[^{}]|\{[^}]*\})*)\}/g)].map(([, value = ""]) => value),
  );
}

/** URNs, and keys that are made of them: they come from a service. */
const isFromService = (value: string): boolean =>
  /(?:^|[.])(?:urn|source|target|workflow)$|^keyText\(/i.test(value);

test("what comes from a service is one word of a shell wherever a command is advised", () => {
  const found = globSync("src/**/*.ts", { cwd: root }).flatMap((file) =>
    putIn(readFileSync(join(root, file), "utf8"))
      .filter(isFromService)
      .map((value) => `${file}: ${value}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["`ferry mappings PLAN set ${record.urn} <target urn>`", ["record.urn"]],
  ["`ferry decide ${name} ${keyText(kind, urn)}`", ["keyText(kind, urn)"]],
  ["`ferry resolve ${plan.name} --take ${shellWord(item.source)}=${free.urn}`", ["free.urn"]],
  ["`ferry mappings ${plan.name} remove ${shellWord(node.urn)}`", []],
  ["`ferry diff ${name}`: ${target.name}", []],
])("%s", (source, expected) => {
  expect(putIn(source).filter(isFromService)).toEqual(expected);
});
