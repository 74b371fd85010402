import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/**
 * The package as `npm publish` would send it, after a build: what is in it, what publint and "are the types wrong" say of
 * it, and whether it starts. Ends with 1 when anything is wrong.
 */
const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ferry-package-"));
const wrong: string[] = [];

function run(command: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: root, encoding: "utf8" });
  if (status !== 0) wrong.push(`${command} ${words.join(" ")}: ${stderr.trim()}`);
  return stdout;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Types that a program with `require` or a resolution of ten years ago would need: the package is for Node 24, as modules. */
const notForUs = new Set(["node10", "node16-cjs"]);

try {
  const [packed] = JSON.parse(
    run("npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder),
  ) as readonly Packed[];
  if (packed === undefined) throw new Error("npm packed nothing");
  const files = packed.files.map(({ path }) => path);
  const needed = [
    ...[
      "ferry.js",
      "main.js",
      "index.js",
      "index.d.ts",
      "ferry.1",
      "plan.schema.json",
      "THIRD-PARTY.txt",
    ].map((file) => `dist/${file}`),
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "package.json",
  ];
  wrong.push(
    ...needed.filter((file) => !files.includes(file)).map((file) => `${file} is not in the package`),
  );
  wrong.push(
    ...files
      .filter((file) => !needed.includes(file) && !/^dist\/.*\.(?:js|d\.ts)$/.test(file))
      .map((file) => `${file} should not be in the package`),
  );

  const { messages, pkg } = await publint({ pkgDir: root, strict: true });
  wrong.push(...messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`));

  const tarball = join(folder, packed.filename);
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))));
  if (types.types === false) wrong.push("the package has no types");
  else
    wrong.push(
      ...types.problems
        .filter((problem) => !("resolutionKind" in problem && notForUs.has(problem.resolutionKind)))
        .map((problem) => `types: ${problem.kind} ${JSON.stringify(problem)}`),
    );

  run("tar", "-xzf", tarball, "-C", folder);
  // By itself, without what is installed beside it: the command is one file.
  const help = run(process.execPath, join(folder, "package/dist/ferry.js"), "--help");
  if (!help.includes("Usage: ferry")) wrong.push("the packed command does not start");
  process.stdout.write(`${files.length} files, ${wrong.length === 0 ? "nothing is wrong" : "wrong:"}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
for (const line of wrong) process.stderr.write(`- ${line}\n`);
if (wrong.length > 0) process.exitCode = 1;
