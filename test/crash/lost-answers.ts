import type { FaultEffect, FaultRule } from "../../src/emulator/index.ts";
import { catalog as catalogEstate, catalogChanged } from "./estates/catalog.ts";
import type { Estate } from "./estates/estate.ts";
import { miniChanged } from "./estates/mini-changed.ts";
import { mini } from "./estates/mini.ts";
import type { Limits } from "./world.ts";

/** An answer to a write that does not come, or not as it should. */
export interface Loss {
  readonly name: string;
  readonly effect: FaultEffect;
  readonly limits?: Limits;
  /** Only an answer with a result for each item can lose one. */
  readonly batchOnly?: true;
}

/** Longer than the emulator ever works on a request here. */
const patient: Limits = { quietPeriod: "900ms" };
/** Shorter than an answer takes. */
const hasty: Limits = { quietPeriod: "900ms", requestTimeout: "300ms" };

export const losses: readonly Loss[] = [
  { name: "the connection breaks after the commit", effect: { type: "drop-after-commit" } },
  { name: "the connection breaks before the commit", effect: { type: "drop-before-commit" } },
  {
    name: "the connection breaks, and the commit comes late",
    effect: { type: "late-commit", ms: 400 },
    limits: patient,
  },
  { name: "the connection breaks before the body is read", effect: { type: "refuse-connection" } },
  {
    name: "the answer comes too late",
    effect: { type: "delay", ms: 600, at: "after-commit" },
    limits: hasty,
  },
  { name: "commit and answer come too late", effect: { type: "delay", ms: 600 }, limits: hasty },
  { name: "504 after the commit", effect: { type: "status", code: 504, commit: true } },
  { name: "504 before the commit", effect: { type: "status", code: 504 } },
  {
    name: "503 with Retry-After after the commit",
    effect: { type: "status", code: 503, retryAfter: 0, commit: true },
  },
  { name: "429, so nothing was done", effect: { type: "status", code: 429, retryAfter: 0 } },
  { name: "the answer breaks off", effect: { type: "truncate" } },
  { name: "the answer is a page of HTML", effect: { type: "garbage" } },
  { name: "an item is missing in the answer", effect: { type: "missing-items" }, batchOnly: true },
  {
    name: "all items are missing in the answer",
    effect: { type: "missing-items", count: 100 },
    batchOnly: true,
  },
  { name: "an item is in the answer twice", effect: { type: "duplicate-items" }, batchOnly: true },
  {
    name: "the items of the answer are in another order",
    effect: { type: "reorder-items" },
    batchOnly: true,
  },
  { name: "the batch stops after one item", effect: { type: "partial-commit", count: 1 }, batchOnly: true },
];

export interface Write {
  readonly name: string;
  readonly estate: Estate;
  readonly route: string;
  readonly batch: boolean;
  /** Requests of the same route that come before it and change nothing: an empty patch asks for the draft of a rule. */
  readonly asks?: number;
  /** Where what is created shows. */
  readonly list?: string;
}

const quality = "/api/data-quality/v1";
const catalog = "/api/catalog/v1";
const monitor = `${quality}/catalog-items/:item/dq-monitors/:monitor`;

const write = (name: string, estate: Estate, route: string): Write => ({ name, estate, route, batch: false });

export const creates: readonly Write[] = [
  { ...write("terms are created", mini, `POST ${catalog}/terms/bulk`), list: `GET ${catalog}/terms` },
  {
    ...write("rules are created", mini, `POST ${quality}/rules/batch/create`),
    batch: true,
    list: `GET ${quality}/rules`,
  },
  {
    ...write("monitors are created", mini, `POST ${quality}/dq-monitors/batch/create`),
    batch: true,
    list: `GET ${quality}/dq-monitors`,
  },
  write("a dashboard is created", mini, `POST ${quality}/dq-dashboards`),
  {
    ...write("a folder is created", catalogEstate, `POST ${catalog}/folders`),
    list: `GET ${catalog}/folders`,
  },
  {
    ...write("an SQL item is created", catalogEstate, `POST ${catalog}/catalog-items`),
    list: `GET ${catalog}/entities`,
  },
  {
    ...write("entities are created", catalogEstate, `POST ${catalog}/entities/batch/create`),
    batch: true,
    list: `GET ${catalog}/entities`,
  },
];

/** The next so many lists do not show what was created since they exist. */
export function staleList({ list = "" }: Write, times: number): FaultRule {
  return {
    match: { tenant: "prod", route: list },
    when: { times },
    effect: { type: "stale-list", ms: 3_600_000 },
  };
}

export const changes: readonly Write[] = [
  write("a dashboard is published", mini, `POST ${quality}/dq-dashboards/:urn/publish`),
  write("a new term gets its references", mini, `PATCH ${catalog}/terms/:urn`),
  write("a term is changed", miniChanged, `PATCH ${catalog}/terms/:urn`),
  { ...write("a rule is changed", miniChanged, `PATCH ${quality}/rules/:urn`), asks: 1 },
  write("a rule is published", miniChanged, `POST ${quality}/rules/:urn/publish`),
  write("a monitor is changed", miniChanged, `PATCH ${monitor}`),
  write("a monitor is published", miniChanged, `POST ${monitor}/publish`),
  write("a term is deleted", miniChanged, `DELETE ${catalog}/terms/:urn`),
  write("a rule is deleted", miniChanged, `DELETE ${quality}/rules/:urn`),
  write("a monitor is deleted", miniChanged, `DELETE ${monitor}`),
  write("a rule is asked for its draft", miniChanged, `PATCH ${quality}/rules/:urn`),
  write("stewards are named", catalogEstate, `POST ${catalog}/stewardship/batch/manage`),
  write("terms are denied", catalogEstate, `POST ${catalog}/attributes/term-assignments/denylist/batch/add`),
  write(
    "a new SQL item gets what its creation does not take",
    catalogEstate,
    `PATCH ${catalog}/catalog-items/:urn`,
  ),
  write("an attribute is described", catalogEstate, `PATCH ${catalog}/attributes/:urn`),
  write("new entities get their references", catalogEstate, `POST ${catalog}/entities/batch/patch`),
  write("a folder is changed", catalogChanged, `PATCH ${catalog}/folders/:urn`),
  write("an item is changed", catalogChanged, `PATCH ${catalog}/catalog-items/:urn`),
  write("an entity is changed", catalogChanged, `POST ${catalog}/entities/batch/patch`),
  write("a steward is replaced", catalogChanged, `POST ${catalog}/stewardship/batch/manage`),
  write(
    "a term is denied as well",
    catalogChanged,
    `POST ${catalog}/attributes/term-assignments/denylist/batch/add`,
  ),
  write("an SQL item is deleted", catalogChanged, `DELETE ${catalog}/catalog-items/:urn`),
  write("a folder is deleted", catalogChanged, `DELETE ${catalog}/folders/:urn`),
  write("entities are deleted", catalogChanged, `POST ${catalog}/entities/batch/delete`),
];
