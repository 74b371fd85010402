import * as fc from "fast-check";
import type { FaultEffect, FaultRule } from "../../../src/emulator/index.ts";

/** Faults that a migration meets on its way, and when somebody stops it. */
export interface Schedule {
  readonly faults: readonly FaultRule[];
  /** In which run, at which event of the emulator (four a request), the run is stopped. */
  readonly stops: readonly { readonly run: number; readonly event: number }[];
}

/** Milliseconds. What comes late comes within `latest` after the client gave up; `quietPeriod` is longer. */
export const latest = 60;
export const requestTimeout = 400;

/** No server timeout and no stale list is longer than this; a schedule without late things needs less. */
export function quietPeriod({ faults }: Schedule): number {
  const late = faults.some(({ effect }) => ["late-commit", "delay", "stale-list"].includes(effect.type));
  return late ? 6 * latest : 60;
}

const catalog = "/api/catalog/v1";
const quality = "/api/data-quality/v1";
const monitor = `${quality}/catalog-items/:item/dq-monitors/:monitor`;

const creates = [
  `POST ${catalog}/terms/bulk`,
  `POST ${quality}/rules/batch/create`,
  `POST ${quality}/dq-monitors/batch/create`,
  `POST ${quality}/dq-dashboards`,
];
/** Changes of what is there. */
const changes = [
  `PATCH ${catalog}/terms/:urn`,
  `PATCH ${quality}/rules/:urn`,
  `POST ${quality}/rules/:urn/publish`,
  `PATCH ${monitor}`,
  `POST ${monitor}/publish`,
  `POST ${quality}/dq-dashboards/:urn/publish`,
];

const ms = fc.integer({ min: 1, max: latest });
const gateway = fc.constantFrom(500, 502, 503, 504);
const anywhere: fc.Arbitrary<FaultEffect> = fc.oneof(
  fc.constant({ type: "refuse-connection" as const }),
  fc.constant({ type: "drop-before-commit" as const }),
  fc.record({ type: fc.constant("status" as const), code: gateway }),
  fc.record({ type: fc.constant("status" as const), code: fc.constant(429), retryAfter: fc.constant(0) }),
  fc.constant({ type: "truncate" as const }),
  fc.constant({ type: "garbage" as const }),
);
const ofWrites: fc.Arbitrary<FaultEffect> = fc.oneof(
  { weight: 2, arbitrary: anywhere },
  { weight: 2, arbitrary: fc.constant({ type: "drop-after-commit" as const }) },
  fc.record({ type: fc.constant("status" as const), code: gateway, commit: fc.constant(true) }),
  fc.record({
    type: fc.constant("missing-items" as const),
    indexes: fc.uniqueArray(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constant("missing-items" as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant("partial-commit" as const), count: fc.nat({ max: 3 }) }),
  fc.constant({ type: "duplicate-items" as const }),
  fc.constant({ type: "reorder-items" as const }),
  { weight: 2, arbitrary: fc.record({ type: fc.constant("late-commit" as const), ms }) },
  fc.record({
    type: fc.constant("delay" as const),
    ms: fc.integer({ min: requestTimeout, max: requestTimeout + latest }),
    at: fc.constantFrom("before-commit" as const, "after-commit" as const),
  }),
);
const ofLists: fc.Arbitrary<FaultEffect> = fc.oneof(
  anywhere,
  fc.record({ type: fc.constant("stale-list" as const), ms }),
);

/** Each fault fires once or twice, so that a migration can end. */
const times = fc.integer({ min: 1, max: 2 });
const when = fc.record({ skip: fc.constantFrom(0, 0, 0, 1, 2), times });

const faultOn = (routes: readonly string[]): fc.Arbitrary<FaultRule> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        match: fc.record({ tenant: fc.constant("prod"), route: fc.constantFrom(...routes) }),
        when,
        effect: ofWrites,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        match: fc.record({ tenant: fc.constantFrom("prod", "prod", "dev"), method: fc.constant("GET") }),
        when: fc.record({ skip: fc.nat({ max: 30 }), times }),
        effect: ofLists,
      }),
    },
  );

const fault = faultOn([...creates, ...creates, ...changes]);

/** Faults that the rest of the catalog meets on its way. */
export const catalogSchedules: fc.Arbitrary<Schedule> = fc.record({
  faults: fc.array(
    faultOn([
      `POST ${catalog}/folders`,
      `POST ${catalog}/catalog-items`,
      `POST ${catalog}/entities/batch/create`,
      `POST ${catalog}/entities/batch/patch`,
      `POST ${catalog}/stewardship/batch/manage`,
      `POST ${catalog}/attributes/term-assignments/denylist/batch/add`,
      `PATCH ${catalog}/catalog-items/:urn`,
      `PATCH ${catalog}/attributes/:urn`,
    ]),
    { maxLength: 6, size: "max" },
  ),
  stops: fc.constant([]),
});

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  faults: fc.array(fault, { maxLength: 8, size: "max" }),
  stops: fc.uniqueArray(
    fc.record({ run: fc.constantFrom(0, 0, 1, 2), event: fc.integer({ min: 30, max: 110 }) }),
    {
      maxLength: 2,
      size: "max",
      selector: ({ run }) => run,
    },
  ),
});

/** Faults that changes of what is there meet on their way. */
export const updateSchedules: fc.Arbitrary<Schedule> = fc.record({
  faults: fc.array(
    fc.record({
      match: fc.record({ tenant: fc.constant("prod"), route: fc.constantFrom(...changes) }),
      when,
      effect: ofWrites,
    }),
    { minLength: 1, maxLength: 6 },
  ),
  stops: fc.constant([]),
});
