import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BareReport, BareRequest } from "../child-bare.ts";
import type { RunReport } from "../child-run.ts";
import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { median, ratio, seconds } from "../figure.ts";
import { measured } from "../process.ts";
import type { Stage } from "../stage.ts";
import { concurrency, stage } from "../stage.ts";

/** `latency`: milliseconds that every answer takes longer, as over a network; the emulator alone answers at once. */
const cases = [
  { size: 2_000, latency: 0 },
  { size: 1_000, latency: 50 },
];

/**
 * A sync against the same requests from a bare client. Each round has an environment of its own: what the sync sent
 * is sent once more, to the same emulator, so that every URN in it names something.
 */
export async function wallTime(pace: Pace): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { size, latency } of cases) figures.push(await against(pace.quick ? 200 : size, latency, pace));
  return figures;
}

async function against(size: number, latency: number, pace: Pace): Promise<Figure> {
  const syncs: RunReport[] = [];
  const bares: BareReport[] = [];
  for (let round = 0; round < pace.rounds(3, 110_000); round += 1) {
    const at = await stage(`large:${size}`, { keepLog: true });
    try {
      if (latency > 0) at.emulator.faults.add({ effect: { type: "delay", ms: latency } });
      syncs.push(await at.run({ verify: true }));
      bares.push(await replay(at));
    } finally {
      await at.close();
    }
  }
  const share = median(syncs.map(({ wallMs }, round) => wallMs / (bares[round]?.wallMs ?? Number.NaN)));
  const both = (of: "wallMs" | "cpuMs"): string =>
    `${seconds(median(syncs.map((sync) => sync[of])))} against ${seconds(median(bares.map((bare) => bare[of])))}`;
  const stages = Object.entries(syncs[0]?.stages ?? {})
    .filter(([, ms]) => ms >= 5)
    .map(([name, ms]) => `${name} ${seconds(ms)}`);
  return {
    what: `sync, large:${size}, ${latency === 0 ? "no latency" : `${latency} ms latency`}`,
    value: ratio(share),
    goal: { text: "<= 1.25 x", met: share <= 1.25 },
    from: `${both("wallMs")} bare for ${bares[0]?.requests} requests (processor: ${both("cpuMs")}); ${stages.join(", ")}`,
  };
}

async function replay(at: Stage): Promise<BareReport> {
  const { emulator, folder, plan } = at;
  const sent = emulator.log.entries.filter(({ path }) => !path.includes("/openid-connect/token"));
  const lines = sent.map(({ tenant, method, path, query, body }) => {
    const search = new URLSearchParams(query).toString();
    const request: BareRequest = {
      tenant,
      method,
      url: `${emulator.baseUrl(tenant)}${path}${search === "" ? "" : `?${search}`}`,
      ...(body === undefined || body === null ? {} : { body: JSON.stringify(body) }),
    };
    return JSON.stringify(request);
  });
  const file = join(folder, "requests.ndjson");
  writeFileSync(file, lines.join("\n"));
  emulator.log.keepEntries = false;
  const tokens = Object.fromEntries(
    await Promise.all(
      [plan.source, plan.target].map(async ({ name }) => [name, await tokenOf(at, name)] as const),
    ),
  );
  const report = await measured<BareReport>({ type: "bare", file, concurrency, tokens });
  if (report.failed > 0) throw new Error(`${report.failed} of ${report.requests} bare requests failed`);
  return report;
}

async function tokenOf({ emulator }: Stage, tenant: string): Promise<string> {
  const response = await fetch(
    `${emulator.baseUrl(tenant)}/auth/realms/${tenant}/protocol/openid-connect/token`,
    {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: `${tenant}-client`,
        client_secret: `${tenant}-secret`,
      }),
    },
  );
  const { access_token: token } = (await response.json()) as { access_token?: string };
  if (token === undefined) throw new Error(`no token for ${tenant}: ${response.status}`);
  return token;
}
