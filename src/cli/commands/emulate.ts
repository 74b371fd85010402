import { resolve } from "node:path";
import { parseFaults, startEmulator } from "../../emulator/index.ts";
import type { FaultRule } from "../../emulator/index.ts";
import { scenario, scenarioNames } from "../../emulator/scenarios/index.ts";
import { didYouMean } from "../../plan/nearest.ts";
import { readText } from "../../plan/read-text.ts";
import { requirePlace, writeEmulatedPlan } from "../emulated-plan.ts";
import { inWords } from "../in-words.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

export interface EmulateFlags {
  readonly port: number;
  readonly scenario: string;
  readonly tenant?: string[] | undefined;
  readonly faults?: string | undefined;
  readonly writePlan?: string | undefined;
}

/** Serves the emulated service until it is interrupted. */
export async function runEmulate(io: Io, flags: EmulateFlags): Promise<number> {
  const found = scenario(flags.scenario);
  if (found === undefined) {
    throw new UsageError(
      `there is no scenario "${flags.scenario}"`,
      [didYouMean(flags.scenario, scenarioNames), `Scenarios: ${scenarioNames.join(", ")}.`]
        .filter((part) => part !== undefined)
        .join(" "),
    );
  }
  if (flags.writePlan !== undefined) requirePlace(io, flags.writePlan);
  const faults = flags.faults === undefined ? [] : readFaults(resolve(io.cwd, flags.faults));
  const tenants = [...new Set([...found.tenants, ...(flags.tenant ?? [])])];
  // The document's own port, where nobody has it; any free one where the platform's may be any.
  const masterData = { port: flags.port === 0 ? 0 : 8051, orAnyFree: true };
  const emulator = await startEmulator({ port: flags.port, tenants, faults, masterData }).catch(
    (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new UsageError(
        `port ${flags.port} cannot be used: ${why}`,
        "Name another --port; 0 takes any free one.",
      );
    },
  );
  found.prepare(emulator);
  const lines = [
    `The emulated service is at ${emulator.url}, scenario ${found.name}.`,
    ...tenants.flatMap((tenant) => [
      `  ${tenant}: baseUrl ${emulator.baseUrl(tenant)}, realm ${tenant}, clientId ${tenant}-client, clientSecret ${tenant}-secret`,
      `    master data: baseUrl ${emulator.masterDataUrl(tenant)}, username ${tenant}-mdm, password ${tenant}-mdm-secret`,
    ]),
  ];
  const told = (text: string): void => io.stdout.write(inWords(text, io.stdout));
  told(`${lines.join("\n")}\n`);
  try {
    if (flags.writePlan !== undefined) told(await writeEmulatedPlan(io, flags.writePlan, emulator, found));
  } catch (error) {
    await emulator.close();
    throw error;
  }
  io.stdout.write("Interrupt to stop it.\n");
  await new Promise<void>((done) => {
    io.stop.addEventListener("abort", () => done(), { once: true });
    if (io.stop.aborted) done();
  });
  await emulator.close();
  return 0;
}

const faultsAdvice = 'Such as: [{ "match": { "tenant": "prod" }, "effect": { "type": "garbage" } }].';

function readFaults(path: string): FaultRule[] {
  const read = readText(path);
  if ("why" in read) throw new UsageError(`--faults ${path} ${read.why}`, "Check the path.");
  try {
    return parseFaults(JSON.parse(read.text));
  } catch (error) {
    // The parser's own words are for programmers. A list of what is wrong becomes one line.
    const why = error instanceof Error && !(error instanceof SyntaxError) ? error.message : "it is not JSON";
    throw new UsageError(
      `--faults ${path}: ${why.replace("\n- ", " ").replaceAll("\n- ", "; ")}`,
      faultsAdvice,
    );
  }
}
