import { describe, expect, it } from "vitest";
import type { Result } from "../../src/model/result.ts";
import { failureResult } from "../../src/cli/failure.ts";
import type { Registry } from "../../src/kinds/registry.ts";
import { ServiceError } from "../../src/service/index.ts";
import type { PlanChanges } from "../support/world.ts";
import { seedTerm } from "../diff/support/content.ts";
import { movedMonitor, plan as monitors } from "../diff/support/monitors.ts";
import { apply, expectAtRest, type Stage, stage } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { editMonitor, editTerm } from "../diff/support/web.ts";
import { applyWith, killedAt, lose, onArrival, routes, terms, withFeeds } from "./support.ts";

interface Doubtful {
  readonly what: string;
  readonly route: string;
  readonly plan: PlanChanges;
  /** A change that waits to be made. */
  prepare(): Promise<Stage>;
  /** What the target has once it was made. */
  made(at: Stage): unknown;
  readonly expected: unknown;
}

const renamed: Omit<Doubtful, "what" | "route"> = {
  plan: monitors,
  async prepare() {
    const { at, urn } = await movedMonitor();
    editMonitor(at.source, urn, { name: "Ours" });
    return at;
  },
  made: ({ target }) => names(target.tenant.monitors.values()).includes("Ours"),
  expected: true,
};

const doubtful: readonly Doubtful[] = [
  {
    what: "a create",
    route: routes.createTerms,
    plan: terms,
    async prepare() {
      const at = await stage();
      seedTerm(at.source, "One");
      return at;
    },
    made: ({ target }) => names(target.tenant.terms.values()),
    expected: ["One"],
  },
  {
    what: "a patch of a term",
    route: routes.patchTerm,
    plan: terms,
    async prepare() {
      const at = await stage();
      const urn = seedTerm(at.source, "One");
      await apply(at, terms);
      editTerm(at.source, urn, { description: "New" });
      return at;
    },
    made: ({ target }) => target.body(target.term("One"))["description"],
    expected: "New",
  },
  { ...renamed, what: "a patch of a monitor", route: routes.patchMonitor },
  { ...renamed, what: "a publish", route: routes.publishMonitor },
];

function forbidReads({ world }: Stage): void {
  world.emulator.faults.add({
    match: { tenant: "prod", method: "GET" },
    effect: { type: "status", code: 403 },
  });
}

/** What the command line says: a run either has a result or ends with an error. */
async function outcomeOf(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    return failureResult(error, "apply", "test", "0");
  }
}

const reasons = (result: Result): string =>
  [result.headline, ...result.diagnostics.map(({ summary }) => summary)].join(" ");

const losses = ["drop-before-commit", "drop-after-commit"] as const;
const cases = doubtful.flatMap((subject, index) =>
  // Both where there are two ways to settle it; a patch is read back in either case.
  losses.filter((_, loss) => index % 3 === 0 || loss === index % 2).map((type) => ({ ...subject, type })),
);

it.each(cases)(
  "$what has no answer ($type), and then reading is forbidden: exit code 3, and the next run settles it",
  async ({ type, route, plan, expected, ...subject }) => {
    const at = await subject.prepare();
    lose(at, route, { type });
    onArrival(at, route, () => forbidReads(at));
    const done = await apply(at, plan);
    expect(done.exitCode).toBe(3);
    expect(reasons(done)).toContain("no permission");
    expect(done.changes.map(({ outcome }) => outcome)).toEqual(["in-doubt"]);

    at.world.emulator.faults.clear();
    expect((await apply(at, plan)).exitCode).toBe(0);
    expect(subject.made(at)).toEqual(expected);
    await expectAtRest(at, plan);
  },
);

/** Lists that cannot be read while the environment is away. */
function away(isAway: () => boolean): Registry {
  return withFeeds((feed) => ({
    name: feed.name,
    async *pages(client, context) {
      if (isAway()) {
        throw new ServiceError(`GET ${feed.name} at "prod": nobody answers`, {
          kind: "unreachable",
          arrived: "no",
          method: "GET",
          path: `/${feed.name}`,
        });
      }
      yield* feed.pages(client, context);
    },
  }));
}

describe("an environment that goes away", () => {
  it("while a create is settled: exit code 1, and the next run settles it", async () => {
    const at = await stage();
    seedTerm(at.source, "One");
    lose(at, routes.createTerms, { type: "drop-after-commit" });
    let isAway = false;
    onArrival(at, routes.createTerms, () => {
      isAway = true;
    });
    const done = await applyWith(at, terms, { registry: away(() => isAway) });
    expect(done.exitCode).toBe(1);
    expect(reasons(done)).toContain("nobody answers");
    expect(done.changes.map(({ outcome }) => outcome)).toEqual(["in-doubt"]);

    expect((await apply(at, terms)).exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
    await expectAtRest(at, terms);
  });

  it("while a killed run is settled: nothing is lost for the run after it", async () => {
    const at = await stage();
    seedTerm(at.source, "One");
    await killedAt(at, terms, "send:after");
    let stages: string[] = [];
    const isAway = (): boolean => stages.includes("settle");
    const done = await outcomeOf(async () =>
      applyWith(at, terms, {
        registry: away(isAway),
        report: (progress) => {
          if (progress.type === "stage") stages = [...stages, progress.stage];
        },
      }),
    );
    expect(done.exitCode).toBe(1);
    expect(reasons(done)).toContain("nobody answers");

    expect((await apply(at, terms)).exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
    await expectAtRest(at, terms);
  });

  it("and a person who stops the run meanwhile: exit code 5, and the next run settles it", async () => {
    const at = await stage();
    seedTerm(at.source, "One");
    lose(at, routes.createTerms, { type: "drop-before-commit" });
    const stop = new AbortController();
    const done = await outcomeOf(async () =>
      applyWith(
        at,
        { ...terms, limits: { quietPeriodMs: 60_000 } },
        { stop: stop.signal, report: ({ type }) => void (type === "waiting" && stop.abort()) },
      ),
    );
    expect(done.exitCode).toBe(5);
    expect((await apply(at, terms)).exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });
});
