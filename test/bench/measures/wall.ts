import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BareReport, BareTask } from "../command/bare.ts";
import { spawned } from "../command/process.ts";
import type { RunReport } from "../command/run.ts";
import { concurrency } from "../command/run.ts";
import type { Row } from "../row.ts";
import { median, middle, seconds } from "../row.ts";
import type { Bench } from "./measure.ts";
import type { Stage } from "./stage.ts";
import { stage } from "./stage.ts";

const cases = [
  { delayMs: 20, most: 1.8 },
  { delayMs: 50, most: 1.3 },
] as const;

/**
 * A sync against a bare client that sends the same requests. Each round has environments of its own: what the sync sent is
 * sent once more to the same ones, so that every URN in it names something.
 */
export async function wall(bench: Bench): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const each of cases) rows.push(await against(each, bench));
  rows.push(await further(cases[0], bench));
  return rows;
}

async function against({ delayMs, most }: (typeof cases)[number], { of, quick }: Bench): Promise<Row> {
  const runs: Round[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    await using at = await stage(quick ? 500 : 2_500, { keepLog: true, delayMs });
    const sync = await at.desk.sync(of);
    runs.push({ sync, bare: await replay(at) });
  }
  return {
    key: `wall-${delayMs}`,
    what: `wall against a bare client, ${delayMs} ms an answer`,
    goal: { most },
    ...compared(runs),
  };
}

interface Round {
  readonly sync: RunReport;
  readonly bare: BareReport;
}

/** A run that hears what the one before it heard, and wrote nothing. */
async function further({ delayMs, most }: (typeof cases)[number], { of, quick }: Bench): Promise<Row> {
  const runs: Round[] = [];
  for (let round = 0; round < (quick ? 1 : 3); round += 1) {
    await using at = await stage(quick ? 500 : 2_500, { keepLog: true, delayMs });
    for (let before = 0; before < 2; before += 1) await at.desk.sync(of);
    await at.service.order("clear");
    const sync = await at.desk.sync(of);
    runs.push({ sync, bare: await replay(at) });
  }
  return {
    key: `wall-further-${delayMs}`,
    what: `the same, ${delayMs} ms, each further run without changes`,
    goal: { most },
    ...compared(runs),
  };
}

function compared(runs: readonly Round[]): Pick<Row, "value" | "unit" | "from"> {
  const [sync, bare] = [runs.map((run) => run.sync), runs.map((run) => run.bare)];
  const times = (of: "wallMs" | "cpuMs"): string =>
    `${seconds(median(sync.map((run) => run[of])))} against ${seconds(median(bare.map((run) => run[of])))}`;
  return {
    ...middle(runs.map((run) => run.sync.wallMs / run.bare.wallMs)),
    unit: "x",
    from: `${times("wallMs")} for ${bare[0]?.requests ?? 0} requests, from the first one on; processor: ${times("cpuMs")}`,
  };
}

const client = fileURLToPath(new URL("../command/bare.ts", import.meta.url));

export async function replay({ service, desk, url }: Stage, inOrder = false): Promise<BareReport> {
  const file = join(desk.folder, "requests.ndjson");
  if (!existsSync(file)) await service.order("record", file);
  const tokens: Record<string, string> = {};
  for (const tenant of ["dev", "prod"]) tokens[tenant] = await tokenOf(`${url}/${tenant}`, tenant);
  const task: BareTask = { file, concurrency, tokens, inOrder };
  const report = JSON.parse(
    await spawned(process.execPath, [client], { input: JSON.stringify(task) }),
  ) as BareReport;
  if (report.failed > 0) throw new Error(`${report.failed} of ${report.requests} bare requests failed`);
  return report;
}

async function tokenOf(baseUrl: string, tenant: string): Promise<string> {
  const response = await fetch(`${baseUrl}/auth/realms/${tenant}/protocol/openid-connect/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: `${tenant}-client`,
      client_secret: `${tenant}-secret`,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`no token for ${tenant}: ${response.status}`);
  return token;
}
