import type { Urn } from "../../../src/model/urn.ts";
import { configurePrimary, seedDashboard, seedMonitor, seedRule, seedTerm } from "./content.ts";
import { catalogSubjects } from "./catalog-subjects.ts";
import type { Side } from "./side.ts";
import * as web from "./web.ts";

/** What the matrix does with a kind: the same steps for each, in the kind's own words. */
export interface Subject {
  readonly kind: string;
  readonly select: readonly string[];
  readonly entityTypes?: readonly string[];
  /** Routes of the writes, in order. */
  readonly create: readonly string[];
  readonly update: readonly string[];
  readonly remove: readonly string[];
  /** What its objects refer to, at the source: moved before anything else; and what must not be there. */
  prepare(source: Side, target: Side): void;
  /** An object of this name; two of one name have the same content. */
  seed(side: Side, name: string): Urn;
  /** Changes it to something that `mark` tells apart. */
  edit(side: Side, urn: Urn, mark: string): void;
  drop(side: Side, urn: Urn): void;
  /** What lies over something that is there on both sides: its twin, whatever was moved. */
  twin?(side: Side): Urn;
}

/** For fields that hold a number. */
const samples: Readonly<Record<string, number>> = {
  "changed at the source": 11,
  "changed at the target": 22,
  moved: 33,
  before: 44,
};

const terms: Subject = {
  kind: "terms",
  select: ["terms"],
  create: ["POST terms/bulk"],
  update: ["PATCH terms/:urn"],
  remove: ["DELETE terms/:urn"],
  prepare: () => {},
  seed: (side, name) => seedTerm(side, name),
  edit: (side, urn, mark) => web.editTerm(side, urn, { description: mark }),
  drop: web.removeTerm,
};

const rules: Subject = {
  kind: "rules",
  select: ["rules"],
  create: ["POST rules/batch/create"],
  update: ["PATCH rules/:urn", "POST rules/:urn/publish"],
  remove: ["DELETE rules/:urn"],
  prepare: () => {},
  seed: (side, name) => seedRule(side, name),
  edit: (side, urn, mark) => web.editRule(side, urn, { description: mark }),
  drop: web.removeRule,
};

const monitor = "catalog-items/:item/dq-monitors/:monitor";

const monitors: Subject = {
  kind: "monitors",
  select: ["rules", "monitors"],
  create: ["POST dq-monitors/batch/create"],
  update: [`PATCH ${monitor}`, `POST ${monitor}/publish`],
  remove: [`DELETE ${monitor}`],
  prepare: (source) => void seedRule(source, "Email"),
  seed: (side, name) => seedMonitor(side, side.rule("Email"), name),
  edit: (side, urn, mark) =>
    web.editMonitor(side, urn, {
      invalidSamplesConfiguration: { enabled: true, sampleSize: samples[mark] ?? 7 },
    }),
  drop: web.removeMonitor,
};

/** The names stand for the items that every primary monitor is laid over. */
const items: Readonly<Record<string, string>> = { Subject: "CUSTOMER", Neighbour: "SALES_ORDER" };

const primaries: Subject = {
  kind: "primary-monitors",
  select: ["monitors"],
  create: [],
  update: monitors.update,
  remove: [],
  prepare: () => {},
  seed: (side, name) => {
    const item = items[name] ?? "";
    configurePrimary(side, item, {
      schedule: { cronExpression: "0 0 5 * * ?", enabled: true, timeZone: "UTC" },
    });
    return side.primary(item);
  },
  edit: (side, urn, mark) => monitors.edit(side, urn, mark),
  drop: (side, urn) => web.removeItem(side, side.tenant.monitors.get(urn)?.published?.catalogItemUrn ?? urn),
  twin: (side) => side.primary("CUSTOMER"),
};

const dashboards: Subject = {
  kind: "dashboards",
  select: ["dashboards"],
  create: ["POST dq-dashboards", "POST dq-dashboards/:urn/publish"],
  update: [],
  remove: [],
  prepare: () => {},
  seed: (side, name) => seedDashboard(side, name),
  edit: (side, urn, mark) => web.editDashboard(side, urn, { description: mark }),
  drop: web.removeDashboard,
};

export const subjects: readonly Subject[] = [
  terms,
  rules,
  monitors,
  primaries,
  dashboards,
  ...catalogSubjects,
];
