import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exitCodes } from "../../src/model/result.ts";
import { manualPage, programOf } from "./manual.ts";

const program = programOf("1.2.3");
const page = manualPage(program, "1.2.3");
const has = (tool: string): boolean => spawnSync(tool, ["--version"]).status === 0;

/** As a reader sees it: one line of it may be broken anywhere. */
function read(): string {
  const { stdout } = spawnSync("groff", ["-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-rLL=400n"], {
    input: page,
    encoding: "utf8",
  });
  return stdout.replaceAll(/\s+/g, " ");
}

test("every command, flag and exit code is in it", () => {
  const text = page.replaceAll("\\-", "-");
  for (const command of program.commands) {
    expect(text).toContain(`.SS ferry ${command.name()} `);
    for (const { flags, description } of command.options) {
      expect(text).toContain(`\\fB${flags}\\fR\n`);
      expect(text).toContain(description);
    }
  }
  for (const code of Object.values(exitCodes)) expect(text).toContain(`\\fB${code}\\fR`);
});

test("no line of a text is taken for a request", () => {
  const requests = /^\.(?:TH|SH|SS|TP|PP|B|I|nf|fi)\b/;
  expect(page.split("\n").filter((line) => /^[.']/.test(line) && !requests.test(line))).toEqual([]);
});

test.skipIf(!has("groff"))("groff takes it without a warning, and a reader sees what --help says", () => {
  const { status, stderr } = spawnSync("groff", ["-man", "-ww", "-z"], { input: page, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const text = read();
  for (const command of program.commands)
    for (const { description } of command.options)
      expect(text).toContain(description.replaceAll(/\s+/g, " "));
});

test("the package can be published, by CI and with provenance, and names what is built", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Record<
    string,
    unknown
  >;
  expect(manifest["private"]).toBeUndefined();
  expect(manifest).toMatchObject({
    publishConfig: { access: "public", provenance: true },
    man: ["./dist/ferry.1"],
    bin: { ferry: "dist/ferry.js" },
  });
  expect(manifest["exports"]).toHaveProperty(["./plan.schema.json"], "./dist/plan.schema.json");
});
