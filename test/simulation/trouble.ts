import type { FaultEffect, FaultRule } from "../../src/emulator/index.ts";
import type { Dice } from "./dice.ts";
import { plainKinds } from "./kinds/index.ts";
import type { DiskFault } from "./machinery/disk.ts";
import type { Tampering } from "./machinery/lies.ts";
import type { NetworkEffect, NetworkFault } from "./machinery/network.ts";
import type { ActKind } from "./story.ts";

/** What goes wrong with network, disk and service in a story. */

const catalog = "/api/catalog/v1";
const quality = "/api/data-quality/v1";
const monitor = `${quality}/catalog-items/:item/dq-monitors/:monitor`;
const writes: readonly (readonly [kind: string, route: string])[] = [
  ["terms", `POST ${catalog}/terms/bulk`],
  ["terms", `PATCH ${catalog}/terms/:urn`],
  ["terms", `DELETE ${catalog}/terms/:urn`],
  ["rules", `POST ${quality}/rules/batch/create`],
  ["rules", `PATCH ${quality}/rules/:urn`],
  ["rules", `POST ${quality}/rules/:urn/publish`],
  ["rules", `DELETE ${quality}/rules/:urn`],
  ["monitors", `POST ${quality}/dq-monitors/batch/create`],
  ["monitors", `PATCH ${monitor}`],
  ["monitors", `POST ${monitor}/publish`],
  ["monitors", `DELETE ${monitor}`],
  ["dashboards", `POST ${quality}/dq-dashboards`],
  ["dashboards", `POST ${quality}/dq-dashboards/:urn/publish`],
  ["term-assignments", `POST ${catalog}/attributes/term-assignments/batch/assign`],
  ...plainKinds.flatMap((kind) => kind.writes.map((route) => [kind.name, route] as const)),
];

/** Of what the plan selects; anything else is hardly ever written. */
function writesOf(kinds: readonly string[]): readonly string[] {
  const selected = new Set([...kinds, "term-assignments"]);
  return writes.filter(([kind]) => selected.has(kind)).map(([, route]) => route);
}

/** By the template of a request: what it may be about. */
export function kindsOfRoute(route: string): readonly ActKind[] {
  return byRoute.get(route) ?? [];
}

const byRoute = new Map(
  [...Map.groupBy(writes, ([, route]) => route)].map(([route, all]): [string, readonly ActKind[]] => [
    route,
    all.map(([kind]) => (kind === "term-assignments" ? "attributes" : (kind as ActKind))),
  ]),
);

/** Nothing late is later than this, in milliseconds; the plan's quiet period is longer. */
const latest = 60_000;
/** A list lags at most so far that both together are within the quiet period (`scene.ts`): beyond it nothing is promised (README of plans). */
const oldest = 30_000;

const lies: readonly Tampering[] = ["taken-id", "empty-page", "same-id-twice", "echo", "refusal"];

/** Where things are made, and answered for many at a time. */
const creations: Readonly<Record<string, string>> = {
  terms: "/terms/bulk",
  rules: "/rules/batch/create",
  monitors: "/dq-monitors/batch/create",
  entities: "/entities/batch/create",
};

export function networkFault(dice: Dice, kinds: readonly string[]): NetworkFault {
  const effect = dice.pick<NetworkEffect>([
    { type: "lost-request" },
    { type: "lost-answer" },
    { type: "lost-answer" },
    { type: "slow-request", ms: dice.below(25_000) },
    { type: "slow-answer", ms: dice.below(100_000) },
    { type: "outage", ms: dice.pick([1_000, 60_000, 400_000]) },
    { type: "endless" },
    { type: "lie", lie: dice.pick(lies) },
    { type: "lie", lie: dice.pick(lies) },
    { type: "lie", lie: dice.pick(lies) },
  ]);
  const makes = kinds.flatMap((kind) => creations[kind] ?? []);
  if (effect.type === "lie" && makes.length > 0 && dice.chance(0.4))
    return {
      effect: { type: "lie", lie: "taken-id" },
      method: "POST",
      path: dice.pick(makes),
      skip: 0,
      times: 1,
    };
  const isRead = dice.chance(0.4);
  const methods = dice.chance(0.5) ? {} : { method: dice.pick(["POST", "PATCH", "DELETE"] as const) };
  return {
    effect,
    ...(isRead ? { method: "GET" as const } : methods),
    skip: dice.below(isRead ? 30 : 6),
    times: 1 + dice.below(2),
  };
}

export function diskFault(dice: Dice): DiskFault {
  return {
    calls: dice.pick(["write", "sync", "rename", "open", "any"] as const),
    code: dice.pick(["ENOSPC", "EIO", "EROFS", "EACCES"] as const),
    skip: dice.below(60),
    times: dice.pick([1, 2, 10_000]),
  };
}

export function fault(dice: Dice, kinds: readonly string[]): FaultRule {
  const times = 1 + dice.below(2);
  if (dice.chance(0.06)) {
    return {
      match: { tenant: "prod", route: `GET ${quality}/${dice.pick(["dq-dimensions", "transformations"])}` },
      when: { skip: 0, times: 50 },
      effect: { type: "status", code: dice.pick([400, 404]) },
    };
  }
  if (dice.chance(0.25)) {
    return {
      match: { tenant: dice.pick(["prod", "prod", "dev"]), method: "GET" },
      when: { skip: dice.below(25), times },
      effect: dice.pick([...anywhere(dice), { type: "stale-list", ms: dice.pick([1_000, 10_000, oldest]) }]),
    };
  }
  return {
    match: { tenant: "prod", route: dice.pick(writesOf(kinds)) },
    when: { skip: dice.pick([0, 0, 0, 1, 2]), times },
    effect: dice.chance(0.35) ? dice.pick(anywhere(dice)) : ofWrites(dice),
  };
}

/** The target takes its time over what it was asked to write; of what, where the story has several sorts of it, chance says. */
export function slowWrites(dice: Dice, { kinds, table, masters, isAny = false }: Slow): FaultRule {
  const match = isAny && dice.chance(0.5) ? { method: dice.pick(anyMethod), path: anyWrite } : undefined;
  const routes = [
    ...writesOf(kinds).map((route) => ({ route })),
    ...(table ? [...writesOfRows, ...writesOfRows, ...writesOfRows].map((route) => ({ route })) : []),
    ...(masters ? ["PUT", "PUT", "POST", "DELETE"].map((method) => ({ path: "/api/rest/", method })) : []),
  ];
  return {
    match: { tenant: "prod", ...(match ?? dice.pick(routes)) },
    when: { skip: dice.pick([0, 0, 1, 2]), times: 1 + dice.below(6) },
    effect: { type: "delay", ms: 1 + dice.below(latest), at: "before-commit" },
  };
}

const anyMethod = ["POST", "POST", "PATCH", "DELETE", "PUT"];
/** What is asked by a POST is no write. */
const anyWrite = "/^/api/.*(?<!/(?:filter|search|identify|dq-evaluation/bulk))$/";

interface Slow {
  /** Of half of them it is what comes, whatever that is. */
  readonly isAny?: boolean;
  readonly kinds: readonly string[];
  readonly table: boolean;
  readonly masters: boolean;
}

/** Of the master-data server of the target, or of the source. */
export function faultOfMasters(dice: Dice): FaultRule {
  const isWrite = dice.chance(0.7);
  const method = dice.pick(["PUT", "PUT", "POST", "DELETE"]);
  return {
    match: {
      tenant: isWrite ? "prod" : dice.pick(["dev", "prod"]),
      path: "/api/rest/",
      ...(isWrite ? { method } : {}),
    },
    when: { skip: dice.below(isWrite ? 3 : 12), times: 1 + dice.below(2) },
    effect: dice.pick([
      ...anywhere(dice),
      ...(isWrite
        ? ([{ type: "drop-after-commit" }, { type: "late-commit", ms: dice.below(latest) }] as const)
        : []),
    ]),
  };
}

const table = "/api/reference-data/v1/tables/:table";
const writesOfRows: readonly string[] = [
  `POST ${table}/draft/batch`,
  `POST ${table}/draft/publish`,
  `POST ${table}/draft/request-review`,
  "POST /api/reference-data/v1/reviews/:review/approve",
  `DELETE ${table}/draft/:record`,
];

/** Of what writes to a table at the target. */
export function faultOfRows(dice: Dice): FaultRule {
  return {
    match: { tenant: "prod", route: dice.pick(writesOfRows) },
    when: { skip: dice.below(3), times: 1 + dice.below(2) },
    effect: dice.pick<FaultEffect>([
      ...anywhere(dice),
      { type: "drop-after-commit" },
      { type: "status", code: dice.pick([500, 502, 503, 504]), commit: true },
      { type: "late-commit", ms: dice.below(latest) },
    ]),
  };
}

/** Of what starts runs of the service, and tells of them. */
export function faultOfRuns(dice: Dice, hasMonitors: boolean): FaultRule {
  const starts = [
    `POST ${catalog}/documentation-flow/start`,
    ...(hasMonitors ? [`POST ${monitor}/processings`] : []),
  ];
  const isStart = dice.chance(0.7);
  return {
    match: {
      tenant: "prod",
      ...(isStart
        ? { route: dice.pick(starts) }
        : {
            route: dice.pick(["GET /api/processing/v1/workflows", "GET /api/processing/v1/workflows/:urn"]),
          }),
    },
    when: { skip: dice.below(2), times: 1 + dice.below(2) },
    effect: isStart
      ? dice.pick<FaultEffect>([
          ...anywhere(dice),
          { type: "drop-after-commit" },
          { type: "drop-after-commit" },
          { type: "status", code: dice.pick([500, 502, 503, 504]), commit: true },
          { type: "late-commit", ms: dice.below(latest) },
          { type: "late-commit", ms: dice.below(latest) },
        ])
      : dice.pick(anywhere(dice)),
  };
}

function anywhere(dice: Dice): readonly FaultEffect[] {
  return [
    { type: "refuse-connection" },
    { type: "drop-before-commit" },
    { type: "status", code: dice.pick([500, 502, 503, 504]) },
    { type: "status", code: 429, retryAfter: 0 },
    { type: "truncate" },
    { type: "garbage" },
  ];
}

function ofWrites(dice: Dice): FaultEffect {
  return dice.pick<FaultEffect>([
    { type: "drop-after-commit" },
    { type: "drop-after-commit" },
    { type: "status", code: dice.pick([500, 502, 503, 504]), commit: true },
    { type: "missing-items", count: 1 + dice.below(3) },
    { type: "missing-items", indexes: [dice.below(4)] },
    { type: "partial-commit", count: dice.below(4) },
    { type: "duplicate-items" },
    { type: "reorder-items" },
    { type: "late-commit", ms: 1 + dice.below(latest) },
    { type: "late-commit", ms: 1 + dice.below(latest) },
  ]);
}
