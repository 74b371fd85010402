import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Emulator, LogEntry, Tenant } from "../../src/emulator/index.ts";
import { catalogMeaningOf, compareMeanings, differences } from "../support/meaning.ts";
import { noRenames } from "../support/meaning/given.ts";
import { mappingProblems } from "./bijection.ts";
import { mappingRows } from "./mapping-files.ts";
import type { CrashWorld } from "./world.ts";
import { secrets } from "./world.ts";

export interface Findings {
  /** Promises that were broken; empty when all is well. */
  readonly problems: readonly string[];
  /** Dashboard drafts that a lost answer left at the target, and that the runs spoke of. */
  readonly draftsLeft: number;
}

/** What must hold when a run was killed and run again until done, told from the emulator's own state. */
export async function inspect(world: CrashWorld): Promise<Findings> {
  const { emulator, estate } = world;
  const [source, target] = [emulator.tenant("dev"), emulator.tenant("prod")];
  await emulator.idle();
  const problems = [
    ...meaningProblems(world, source, target),
    ...countProblems(world, source, target),
    ...mappingProblems(mappingRows(world.mappings), source, target),
  ];
  const drafts = draftsOf(target);
  problems.push(...drafts.problems);
  const told = world.said.join("\n").match(/sent again: .*draft may be left at the target/g)?.length ?? 0;
  if (drafts.hidden > told) {
    problems.push(`${drafts.hidden} drafts of dashboards are left, and the runs spoke of ${told}`);
  }
  problems.push(...(await statusProblems(world)));

  emulator.log.clear();
  const dump = JSON.stringify(target.dump());
  const again = await world.quick(["apply", ...world.moving.slice(1)]);
  if (again.code !== estate.done) problems.push(`a further run ends with ${again.code}: ${again.stdout}`);
  problems.push(...writesTo(emulator, "prod").map((write) => `a further run sends ${write}`));
  if (JSON.stringify(target.dump()) !== dump) problems.push("a further run changes the target");
  problems.push(
    ...secretsIn(world.folder),
    ...world.said.filter(holdsSecret).map(() => "a run said a secret"),
  );
  return { problems, draftsLeft: drafts.hidden };
}

function meaningProblems({ estate }: CrashWorld, source: Tenant, target: Tenant): readonly string[] {
  const { pairing: renames, except, twins } = estate;
  const isTwin = (line: string): boolean =>
    twins.some((twin) => /^ambiguous at the (?:source|target): (.*?)#/.exec(line)?.[1] === twin);
  const lines = differences(source, target, { renames, except }).filter((line) => !isTwin(line));
  if (estate.select === undefined) return lines;
  const [left, right] = [
    catalogMeaningOf(source, renames, estate.queries ?? []),
    catalogMeaningOf(target, noRenames, []),
  ];
  return [...lines, ...compareMeanings(left, right)];
}

/** By number alone, whatever the content: neither twice nor lost. */
function countProblems({ estate }: CrashWorld, source: Tenant, target: Tenant): readonly string[] {
  const kinds = ["terms", "rules", "monitors", "dashboards"] as const;
  const [left, right] = [source.counts(), target.counts()];
  return kinds.flatMap((kind) => {
    const stays = estate.except.filter((label) => label.startsWith(kind.slice(0, -1))).length;
    if (left[kind] - stays === right[kind]) return [];
    return [`${left[kind] - stays} ${kind} should be at the target, there are ${right[kind]}`];
  });
}

/** Only a dashboard is created as a draft, which no list shows (document 2): all else must be published. */
export function draftsOf(target: Tenant): { readonly problems: readonly string[]; readonly hidden: number } {
  const problems: string[] = [];
  let hidden = 0;
  for (const rows of [target.terms, target.rules, target.monitors, target.dashboards]) {
    for (const { urn, draftType, published } of rows.values()) {
      if (draftType === "NONE") continue;
      if (target.dashboards.has(urn) && published === undefined) hidden += 1;
      else problems.push(`${urn} has a draft (${draftType}) that nobody published`);
    }
  }
  return { problems, hidden };
}

export async function statusProblems(world: CrashWorld): Promise<readonly string[]> {
  const { code, stdout } = await world.quick(["status", "crash", "--json"]);
  const { details } = JSON.parse(stdout) as { details?: Record<string, unknown> };
  if (details === undefined) return [`status ends with ${code}: ${stdout}`];
  const open = ["inDoubt", "unfinished", "interrupted"].filter((name) => {
    const list = details[name];
    return !Array.isArray(list) || list.length > 0;
  });
  const problems = open.map((name) => `status still tells of ${name}: ${JSON.stringify(details[name])}`);
  return code === 0 ? problems : [...problems, `status ends with ${code}`];
}

export function writesTo(emulator: Emulator, tenant: string): readonly string[] {
  return emulator.log.entries
    .filter((entry) => entry.tenant === tenant && !isQuestion(entry))
    .map(({ method, path }) => `${method} ${path}`);
}

/** It changes nothing: the filter asks in a body, and a token is only a token. */
export function isQuestion({ method, path }: LogEntry): boolean {
  return (
    method === "GET" ||
    /\/(?:openid-connect\/token|catalog-items\/filter|dq-evaluation\/bulk|(?:published|draft)\/filter|search|identify)$/.test(
      path,
    )
  );
}

export function secretsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .filter((name) => holdsSecret(readFileSync(join(folder, name), "latin1")))
    .map((name) => `${name} holds a secret`);
}

export function holdsSecret(text: string): boolean {
  return secrets.some((secret) => text.includes(secret));
}
