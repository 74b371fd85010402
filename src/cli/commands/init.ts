import { rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { registry } from "../../kinds/index.ts";
import { shellWord } from "../../model/shell-word.ts";
import { planJsonSchema } from "../../plan/json-schema.ts";
import { environmentForm } from "../../plan/schema.ts";
import { inWords } from "../in-words.ts";
import type { Io } from "../io.ts";
import type { PlanAnswers, PlanSide } from "../plan-template.ts";
import { planTemplate, schemaFile, usualAnswers, variablesOf } from "../plan-template.ts";
import { UsageError } from "../usage-error.ts";
import { refuseExisting, requirePlanName, writeFile } from "../write-file.ts";

export interface InitFlags {
  readonly schema?: true | undefined;
  readonly sourceName?: string | undefined;
  readonly sourceUrl?: string | undefined;
  readonly sourceRealm?: string | undefined;
  readonly targetName?: string | undefined;
  readonly targetUrl?: string | undefined;
  readonly targetRealm?: string | undefined;
  readonly input: boolean;
}

/**
 * Writes a commented plan, never over a file that is there, and beside it the schema by which editors complete and
 * check it. At a terminal it asks for what no flag says.
 */
export async function runInit(io: Io, file: string, flags: InitFlags): Promise<number> {
  const schema = `${JSON.stringify(planJsonSchema(registry.sections(), registry.selectable()), undefined, 2)}\n`;
  if (flags.schema === true) {
    io.stdout.write(schema);
    return 0;
  }
  const path = resolve(io.cwd, file);
  requirePlanName(file);
  refuseExisting(path, file);
  const { answers, open } = await answersOf(io, flags);
  await writeFile(path, planTemplate(answers), { shown: file, anew: true });
  const beside = join(dirname(path), schemaFile);
  try {
    await writeFile(beside, schema, { shown: relative(io.cwd, beside) });
  } catch (error) {
    // What failed is to be done again by the same command, which leaves a plan that is there.
    rmSync(path, { force: true });
    throw error;
  }
  const shown = relative(io.cwd, path);
  const todo = open.length === 0 ? "Set" : `Fill in ${listed(open)}, set`;
  const variables = variablesOf(answers).join(", ");
  const said = `${shown} is written. ${todo} the four variables it names (${variables}), then:\n  ferry doctor ${shellWord(shown)}\n`;
  io.stdout.write(inWords(said, io.stdout));
  return 0;
}

type Field = keyof PlanSide;

/** What nobody can take as it stands in the example: any name will do. */
const toFill: readonly Field[] = ["baseUrl", "realm"];

/** The keys of the plan that are to be filled in; all of them are both environments. */
function listed(open: readonly string[]): string {
  if (open.length === 2 * toFill.length) return "both environments";
  return [open.slice(0, -1).join(", "), ...open.slice(-1)].filter((part) => part !== "").join(" and ");
}

/** What a flag says counts; at a terminal the rest is asked for; then it is as in the example, and told to be open. */
async function answersOf(
  io: Io,
  flags: InitFlags,
): Promise<{ readonly answers: PlanAnswers; readonly open: readonly string[] }> {
  const given = {
    source: { name: flags.sourceName, baseUrl: flags.sourceUrl, realm: flags.sourceRealm },
    target: { name: flags.targetName, baseUrl: flags.targetUrl, realm: flags.targetRealm },
  } as const;
  const asks = io.interactive && flags.input;
  const open: string[] = [];
  const side = async (which: "source" | "target"): Promise<PlanSide> => {
    const usual = usualAnswers[which];
    const one = async (field: Field, fallback: string): Promise<string> => {
      const flag = given[which][field];
      if (flag !== undefined) {
        const wrong = complaint(field, flag);
        if (wrong !== undefined) {
          // An address may hold a password.
          const shown = field === "baseUrl" && /[@?#]/.test(flag) ? "" : ` ${flag}`;
          throw new UsageError(`--${which}-${words[field].flag}${shown}: ${wrong}`);
        }
        return flag;
      }
      if (asks) return ask(io, which, field, fallback);
      if (toFill.includes(field)) open.push(`${which}.${field}`);
      return fallback;
    };
    const name = await one("name", usual.name);
    const baseUrl = await one("baseUrl", `https://${name.toLowerCase()}.example.com`);
    return { name, baseUrl, realm: await one("realm", usual.realm) };
  };
  const source = await side("source");
  const target = await side("target");
  if (source.name === target.name)
    throw new UsageError(
      `source and target have the same name: ${source.name}`,
      "Name each environment: the names tell their files apart.",
    );
  return { answers: { source, target }, open };
}

const words: Readonly<Record<Field, { readonly flag: string; readonly asked: string }>> = {
  name: { flag: "name", asked: "a short name" },
  baseUrl: { flag: "url", asked: "its address" },
  realm: { flag: "realm", asked: "its realm, the tenant's name" },
};

/** Asked again until the answer fits; nothing but the Enter key takes what stands in brackets. */
async function ask(io: Io, which: string, field: Field, usual: string): Promise<string> {
  for (;;) {
    const answer = (await io.ask(`The ${which}: ${words[field].asked} [${usual}]: `)).trim();
    if (answer === "") return usual;
    const wrong = complaint(field, answer);
    if (wrong === undefined) return answer;
    io.stderr.write(`  ${wrong}\n`);
  }
}

function complaint(field: Field, value: string): string | undefined {
  return environmentForm.shape[field].safeParse(value).error?.issues[0]?.message;
}
