import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { seedTerm } from "../../src/emulator/seed.ts";
import { furnish } from "../cli/support/little.ts";
import { useStage } from "../cli/support/stage.ts";
import { planKeys } from "./plan-keys.ts";
import { allOr } from "../support/whole.ts";

/** What stands in the READMEs is so: links lead somewhere, commands are taken, the keys of a plan are the schema's. */
const root = resolve(import.meta.dirname, "../..");
const skipped = new Set(["node_modules", ".git", "dist", "coverage"]);

function markdownBelow(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (skipped.has(name)) return [];
    if (statSync(path).isDirectory()) return markdownBelow(path);
    return name.endsWith(".md") ? [path] : [];
  });
}

const files = markdownBelow(root).map((path) => relative(root, path));
const text = (file: string): string => readFileSync(join(root, file), "utf8");
const withoutCode = (markdown: string): string => markdown.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");

/** As the hosts make them of headings. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...text(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-"),
    ),
  );
}

describe("links", () => {
  test.each(files)("of %s lead somewhere", (file) => {
    const broken = [...withoutCode(text(file)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^(?:https?|mailto):/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : relative(root, resolve(root, dirname(file), path));
      if (!existsSync(join(root, target))) return [link];
      return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [link];
    });
    expect(broken).toEqual([]);
  });
});

test("the README starts somebody, and leaves reference to where it belongs", () => {
  expect(text("README.md").length).toBeLessThan(14_000);
  for (const file of ["plans", "mappings", "src", "src/cli", "src/engine", "src/emulator", "test"])
    expect(text("README.md")).toContain(`(${file}/README.md)`);
});

test("every key of a plan stands in plans/README.md, in the schema's own words", () => {
  const file = join(root, "plans/README.md");
  const [start, end] = [/<!-- keys:[^>]*-->\n/, "<!-- /keys -->"];
  const before = readFileSync(file, "utf8");
  const from = (start.exec(before)?.index ?? 0) + (start.exec(before)?.[0].length ?? 0);
  const made = `${before.slice(0, from)}\n${planKeys()}\n\n${before.slice(before.indexOf(end))}`;
  if (process.env["UPDATE_README"] === "1") writeFileSync(file, made);
  const squeezed = (markdown: string): string =>
    markdown.replaceAll(/ {2,}/g, " ").replaceAll(/-{3,}/g, "---");
  expect(squeezed(readFileSync(file, "utf8"))).toBe(squeezed(made));
});

/** Those that can be run as they stand: a word in capitals stands for something else. */
const commands = [
  ...new Set(
    files
      .filter((file) => file.endsWith("README.md") && !file.startsWith(".ci/") && !file.startsWith("test/"))
      .flatMap((file) => {
        const blocks = [...text(file).matchAll(/```(?:sh)?\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
          block.split("\n"),
        );
        const inline = [
          ...text(file)
            .replaceAll(/```[\s\S]*?```/g, "")
            .matchAll(/`(ferry [^`]+)`/g),
        ].map(([, code = ""]) => code.replaceAll(/\s+/g, " "));
        return [...blocks, ...inline];
      })
      .map((line) => line.replace(/\s+#.*$/, "").trim())
      // A name alone is a word in a sentence, and what begins with a name and a colon is an answer.
      .filter((line) => /^ferry (?:demo$|[a-z]+ [\w-]+)/.test(line) && !/->/.test(line))
      .filter((line) => !/\b[A-Z]{3,}\b|\.\.\.|%|<|\|/.test(line.replaceAll(/"[^"]*"/g, "")))
      .filter((line) => !/^ferry [a-z]+ --/.test(line) || /^ferry (?:emulate|init)/.test(line)),
  ),
];

const stage = useStage();

/** As a shell splits it. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain).slice(1);
}

describe("every command that is shown is taken", () => {
  test("there are some", () => {
    expect(commands.length).toBeGreaterThan(12);
  });

  // The demo is played by a test of its own.
  test.each(allOr(commands, (line, index) => !line.startsWith("ferry demo") && index % 3 === 0))(
    "%s",
    async (line) => {
      const words = wordsOf(line).map((word) => (word === "demo" && !line.endsWith("demo") ? "prod" : word));
      furnish(stage().dev);
      seedTerm(stage().dev, { name: "Email format" });
      for (const name of ["prod", "move"]) stage().plan({ select: { kinds: ["terms"] } }, name);
      // What a second day finds: something was moved, looked at and kept in files.
      await stage().ferry("sync prod --yes");
      await stage().ferry("diff prod --out approved.json");
      await stage().ferry("mappings prod export pairs.json");
      const stop = new AbortController();
      if (words[0] === "emulate") stop.abort();
      const file = words[0] === "init" ? [...words.slice(0, 1), "plans/new.yaml", ...words.slice(2)] : words;
      const { code, stdout, stderr } = await stage().ferry(
        words[0] === "demo" ? [...file, "--dir", "here"] : file,
        {
          terminal: true,
          answers: Array.from({ length: 20 }, () => "yes"),
          stop,
        },
      );
      // What has nothing to do, or is left to a person, is taken: only what is mistyped is not.
      expect(`${stdout}${stderr}`).not.toMatch(
        /unknown (?:option|command)|missing required|too many arguments|there is no "/,
      );
      if (code === 64)
        expect(`${stdout}${stderr}`).toMatch(
          /no drift or conflict|nothing in the last diff|there is no run|is there already|exists|port 8080 cannot be used/,
        );
    },
  );
});
