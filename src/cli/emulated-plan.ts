import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import type { Emulator } from "../emulator/index.ts";
import { demoPairing, demoQueries, type Scenario } from "../emulator/scenarios/index.ts";
import { shellWord } from "../model/shell-word.ts";
import { readText } from "../plan/read-text.ts";
import type { Io } from "./io.ts";
import { UsageError } from "./usage-error.ts";
import { requirePlanName, writeFile } from "./write-file.ts";

/** By this line a plan is known that may be written again: the port, and with it every address, may be another one. */
const mark = "# Written by ferry emulate --write-plan, which writes it again.";

/** Found out before the emulator starts. */
export function requirePlace(io: Io, file: string): void {
  requirePlanName(file);
  const path = resolve(io.cwd, file);
  if (!existsSync(path)) return;
  const read = readText(path);
  if ("why" in read || !read.text.startsWith(mark))
    throw new UsageError(
      `${file} is there already, was not written by \`ferry emulate\`, and is left as it is`,
      "Name another file.",
    );
}

/**
 * A plan for the emulated environments, ready to be used, and the variables that it names. Those stand in the plan's own
 * folder, for nobody else to read and under a `.gitignore` of their own: the habit is the point, these are no secrets.
 * Gives the commands that come next.
 */
export async function writeEmulatedPlan(
  io: Io,
  file: string,
  emulator: Emulator,
  { tenants, name: scenario }: Pick<Scenario, "tenants" | "name">,
): Promise<string> {
  const path = resolve(io.cwd, file);
  const name = basename(path).replace(/\.ya?ml$/, "");
  const [source, target] = tenants;
  const folder = join(dirname(path), name);
  const shown = (of: string): string => relative(io.cwd, of);
  const secrets = join(folder, ".env");
  await writeFile(path, planText(emulator, source, target, scenario), { shown: file });
  await writeFile(join(folder, ".gitignore"), "*\n", { shown: shown(join(folder, ".gitignore")) });
  const lines = [source, target].flatMap((tenant) => [
    `${variable(tenant)}_CLIENT_ID=${tenant}-client`,
    `${variable(tenant)}_CLIENT_SECRET=${tenant}-secret`,
    `${variable(tenant)}_MDM_USER=${tenant}-mdm`,
    `${variable(tenant)}_MDM_PASSWORD=${tenant}-mdm-secret`,
  ]);
  await writeFile(secrets, `${lines.join("\n")}\n`, { shown: shown(secrets), permissions: 0o600 });
  const plan = dirname(path) === resolve(io.cwd, "plans") ? name : shellWord(shown(path));
  const flag = `--env-file ${shellWord(shown(secrets))}`;
  return `${shown(path)} is written, and ${shown(secrets)} with its variables. In another terminal:
  ferry doctor ${plan} ${flag}
  ferry diff ${plan} ${flag}
After a restart the target is empty again: remove mappings/${called(source)}--${called(target)} then.
`;
}

/** Not what a real environment is called: their mappings must not come to lie in one folder. */
function called(tenant: string): string {
  return `emulated-${tenant}`;
}

function variable(tenant: string): string {
  return `EMULATED_${tenant.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
}

/** What the scenario `records:N` has. */
const parties = {
  layer: "instance",
  entity: "party",
  origins: { "crm#party#Dev": "crm#party#Prod", "erp#party#Dev": "erp#party#Prod" },
};

function planText(emulator: Emulator, source: string, target: string, scenario: string): string {
  const side = (tenant: string): object => ({
    name: called(tenant),
    baseUrl: emulator.baseUrl(tenant),
    realm: tenant,
    clientId: `\${${variable(tenant)}_CLIENT_ID}`,
    clientSecret: `\${${variable(tenant)}_CLIENT_SECRET}`,
    masterData: {
      baseUrl: emulator.masterDataUrl(tenant),
      username: `\${${variable(tenant)}_MDM_USER}`,
      password: `\${${variable(tenant)}_MDM_PASSWORD}`,
    },
  });
  const plan = {
    version: 1,
    source: side(source),
    target: side(target),
    ...(scenario.startsWith("records:")
      ? { select: { kinds: ["master-data"] }, records: { masterData: [parties] } }
      : { select: { kinds: ["terms", "rules", "monitors", "dashboards"] } }),
    pairing: { ...demoPairing, queries: demoQueries },
    policy: { schedules: "disable" },
    limits: { quietPeriod: "5s", requestTimeout: "5s" },
  };
  return `${mark}\n${stringify(plan, { lineWidth: 0 })}`;
}
