import type { Diagnostic } from "../model/diagnostic.ts";
import type { Result } from "../model/result.ts";
import { exitCodes } from "../model/result.ts";
import type { ExitCode } from "../model/result.ts";
import type { Page, ReadClient } from "../service/index.ts";
import { ServiceError } from "../service/index.ts";
import { ensureWritableFolder, StoreError } from "../store/index.ts";
import type { Job } from "./job.ts";
import { plural, resultOf } from "./result.ts";
import { readState } from "./state.ts";

interface Check {
  readonly name: string;
  readonly side: string;
  readonly state: "ok" | "warning" | "failed";
  readonly detail: string;
}

/** Configuration, sign-in, reach, permissions and shapes on both sides; writes nothing to either. */
export async function doctorJob(job: Job): Promise<Result> {
  const checks: Check[] = [];
  const diagnostics: Diagnostic[] = [];
  const codes: ExitCode[] = [];
  const attempt = async (
    side: string,
    name: string,
    work: () => Promise<string>,
    optional?: string,
  ): Promise<boolean> => {
    try {
      checks.push({ name, side, state: "ok", detail: await work() });
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError) && !(error instanceof StoreError)) throw error;
      if (error instanceof ServiceError && error.kind === "aborted") throw error;
      const failed = optional === undefined || !isAbsent(error);
      checks.push({ name, side, state: failed ? "failed" : "warning", detail: error.message });
      diagnostics.push({
        severity: failed ? "error" : "warning",
        code: `doctor-${name.replaceAll(" ", "-")}`,
        summary: `${side}: ${name}: ${error.message}`,
        ...(optional === undefined ? {} : { suggestion: optional }),
      });
      if (failed) codes.push(codeOf(error));
      return false;
    }
  };

  await attempt("files", "state", async () => {
    await ensureWritableFolder(job.paths.work);
    await ensureWritableFolder(job.paths.mapping);
    const { mapping, replayed } = await readState(job);
    const total = mapping.kinds().reduce((sum, kind) => sum + mapping.entries(kind).size, 0);
    const left =
      replayed.doubts.length === 0 ? "" : `, ${plural(replayed.doubts.length, "operation")} in doubt`;
    return `folders can be written, ${plural(total, "object")} mapped${left}`;
  });
  for (const [side, client] of [
    [job.plan.source.name, job.source()],
    [job.plan.target.name, job.targetReads()],
  ] as const) {
    const signedIn = await attempt(side, "sign-in", async () => {
      await client.signIn();
      return `as ${side === job.plan.source.name ? job.plan.source.clientId : job.plan.target.clientId} in ${client.environment.realm}`;
    });
    if (!signedIn) continue;
    for (const [name, list, optional] of readings(client)) {
      await attempt(side, name, async () => firstPage(list()), optional);
    }
  }

  const failed = checks.filter((check) => check.state === "failed").length;
  const denied = codes.find((code) => code === exitCodes.permission);
  return resultOf(job, {
    command: "doctor",
    exitCode: failed === 0 ? exitCodes.done : (denied ?? exitCodes.failed),
    diagnostics,
    headline:
      failed === 0
        ? "Both sides can be read. Whether the target may be written shows only when something is written."
        : `${plural(failed, "check")} failed.`,
    next: failed === 0 ? [`ferry diff ${job.plan.name}`] : [],
    details: { checks },
  });
}

function readings(client: ReadClient): readonly (readonly [string, () => AsyncIterable<Page>, string?])[] {
  const generic = "The metadata model has no such type: things of it are paired by explicit mappings only.";
  return [
    ["metadata model", () => client.catalog.metadataModel()],
    ["terms", () => client.catalog.terms({})],
    ["catalog items", () => client.catalog.filterCatalogItems({ name: { isNotNull: true } }, {})],
    ["attributes", () => client.catalog.attributes({})],
    ["rules", () => client.quality.rules()],
    ["monitors", () => client.quality.monitors({})],
    ["dashboards", () => client.quality.dashboards()],
    [
      "dimensions",
      () => client.quality.dimensions(),
      "Without dimensions no rule can be moved: pair them with `ferry mappings PLAN set`.",
    ],
    [
      "transformations",
      () => client.quality.transformations(),
      "The path is not documented: pair transformations with `ferry mappings PLAN set`.",
    ],
    ["sources", () => client.catalog.entities({ entityType: "source", properties: ["name"] }), generic],
    [
      "detection rules",
      () => client.catalog.entities({ entityType: "detectionRule", properties: ["name"] }),
      generic,
    ],
  ];
}

async function firstPage(pages: AsyncIterable<Page>): Promise<string> {
  for await (const page of pages) {
    const total =
      page.total === undefined ? `${page.items.length} on the first page` : `${page.total} in all`;
    return `can be read, ${total}`;
  }
  return "can be read, none";
}

function isAbsent(error: ServiceError | StoreError): boolean {
  return error instanceof ServiceError && (error.kind === "not-found" || error.kind === "refused");
}

function codeOf(error: ServiceError | StoreError): ExitCode {
  if (!(error instanceof ServiceError)) return exitCodes.failed;
  return error.kind === "sign-in" || error.kind === "permission" ? exitCodes.permission : exitCodes.failed;
}
