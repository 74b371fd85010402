import { expect, onTestFinished, test } from "vitest";
import { prepareParties } from "../../src/emulator/scenarios/master-data/demo.ts";
import { startEmulator } from "../../src/emulator/index.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage();

/** Parties on a master-data server of their own; who signs in there is no secret of the stage. */
async function parties(): Promise<void> {
  const servers = await startEmulator({ masterData: {} });
  onTestFinished(() => servers.close());
  prepareParties(servers.masterData("dev"), servers.masterData("prod"));
  const side = (name: "dev" | "prod"): object => ({
    ...stage().environment(name),
    masterData: {
      baseUrl: servers.masterDataUrl(name),
      username: `${name}-mdm`,
      password: `\${${name.toUpperCase()}_MDM}`,
    },
  });
  Object.assign(stage().env, { DEV_MDM: "dev-mdm-secret", PROD_MDM: "prod-mdm-secret" });
  const origins = { "erp#party#Dev": "erp#party#Prod" };
  stage().plan({
    source: side("dev"),
    target: side("prod"),
    select: { kinds: ["master-data"] },
    records: { masterData: [{ layer: "instance", entity: "party", origins }] },
  });
}

test("ferry diff --identify says which master each new instance would join, in every format", async () => {
  await parties();
  const wanted = [
    /would join the master \d+ "Ada Lovelace" \(rule same_email, quality 1\)/,
    /would be a master of its own; proposed: \d+ "Ada Lovelace" \(rule same_name, quality 0\.6\)/,
  ];
  for (const format of ["text", "markdown", "html"]) {
    const { code, stdout } = await stage().ferry(`diff move --identify --format ${format}`);
    expect(code).toBe(0);
    // As people read it: HTML writes JSON into a page, Markdown what would be marks as entities.
    const plain = stdout
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("&#95;", "_")
      .replaceAll(/\s+/g, " ");
    for (const words of wanted) expect(plain).toMatch(words);
  }
  expect((await stage().ferry("diff move")).stdout).not.toContain("would join");
  const some = await stage().json("diff move --identify --identify-limit 2");
  expect(JSON.stringify(some)).toContain(
    "2 new instances not asked about: --identify-limit says how many are",
  );
});

test("a limit of what is not asked for is a mistake", async () => {
  stage().plan();
  const { code, stdout } = await stage().ferry("diff move --identify-limit 5");
  expect(code).toBe(64);
  expect(stdout).toContain("Add --identify.");
});
