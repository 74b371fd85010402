import { describe, expect, it } from "vitest";
import type { Progress } from "../../src/engine/progress.ts";
import { registry } from "../../src/kinds/index.ts";
import type { FinalAnswer, Step, StepAnswer, StepItem } from "../../src/kinds/kind.ts";
import { Registry } from "../../src/kinds/registry.ts";
import { terms as termKind } from "../../src/kinds/terms.ts";
import { planStatus } from "../../src/operations/status.ts";
import { resolveDoubts } from "../../src/operations/resolve.ts";
import { ServiceError } from "../../src/service/index.ts";
import type { ReadClient, WriteClient } from "../../src/service/index.ts";
import { seedRule, seedTerm } from "../diff/support/content.ts";
import { written } from "../diff/support/log.ts";
import { refusal, stage, twinOf } from "../diff/support/run.ts";
import type { Stage } from "../diff/support/run.ts";
import { names } from "../diff/support/side.ts";
import { rollback } from "../operations/rollback/support.ts";
import { applyWith, said, terms } from "./support.ts";

interface Job {
  readonly item: StepItem;
  handle: string;
  asked: number;
  answer: FinalAnswer | undefined;
}

/** A service that takes terms on and finishes them when it is asked about them; it outlives the runs. */
class Desk {
  readonly jobs: Job[] = [];
  readonly #done: (job: Job, finish: () => Promise<StepAnswer>) => StepAnswer | Promise<StepAnswer>;
  readonly #atMostMs: number;
  /** So many more that are sent are lost on the way. */
  #lost: number;

  /** `done` answers a question, and has the work finished where it wants. */
  constructor(
    done: (job: Job, finish: () => Promise<StepAnswer>) => StepAnswer | Promise<StepAnswer>,
    atMostMs = 60_000,
    lost = 0,
  ) {
    this.#done = done;
    this.#atMostMs = atMostMs;
    this.#lost = lost;
  }

  get registry(): Registry {
    const [create] = termKind.create;
    const later: Step = {
      ...create,
      atMostMs: this.#atMostMs,
      send: async (_client, items) =>
        items.map((item) => {
          if (this.#lost > 0) {
            this.#lost -= 1;
            return { state: "unknown", reason: "it was lost on the way" };
          }
          const job: Job = { item, handle: `job-${this.jobs.length + 1}`, asked: 0, answer: undefined };
          this.jobs.push(job);
          return { state: "accepted", handle: job.handle, waitMs: 1 };
        }),
      poll: async (client, _item, handle) => {
        const job = this.jobs.find((one) => one.handle === handle);
        if (job === undefined) throw new Error(`nobody knows ${handle}`);
        job.asked += 1;
        return this.#done(job, async () => this.#finish(job, create, client));
      },
    };
    const kinds = registry
      .moved()
      .map((kind) => (kind === termKind ? { ...termKind, create: [later] as const } : kind));
    return new Registry([...registry.given(), ...kinds]);
  }

  async #finish(job: Job, create: Step, client: ReadClient): Promise<StepAnswer> {
    const [answer] = await create.send(client as WriteClient, [job.item]);
    if (answer === undefined || answer.state === "accepted") throw new Error("the emulator created nothing");
    job.answer ??= answer;
    return job.answer;
  }
}

function trouble(kind: "server" | "refused" | "sign-in"): ServiceError {
  const arrived = kind === "server" ? "maybe" : "no";
  return new ServiceError(`the question failed: ${kind}`, { kind, arrived, method: "GET", path: "/jobs/1" });
}

const accepted = (job: Job): StepAnswer => ({ state: "accepted", handle: job.handle, waitMs: 1 });
const text = "accepted by the service, not finished";

async function oneTerm(): Promise<Stage> {
  const at = await stage();
  seedTerm(at.source, "One");
  return at;
}

/** Exactly one, created by one request, and nothing is left. */
async function expectOnce(at: Stage, desk: Desk): Promise<void> {
  expect(desk.jobs).toHaveLength(1);
  expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  const again = await applyWith(at, terms, { registry: desk.registry });
  expect(again.exitCode).toBe(0);
  expect(written(at.world)).toEqual([]);
}

describe("what the service accepts and finishes later", () => {
  it("is asked about until it is done, and sent once", async () => {
    const at = await oneTerm();
    const desk = new Desk((job, finish) => (job.asked < 4 ? accepted(job) : finish()));
    const result = await applyWith(at, terms, { registry: desk.registry });
    expect(result.exitCode).toBe(0);
    expect(desk.jobs[0]?.asked).toBe(4);
    await expectOnce(at, desk);
  });

  it("holds no place while the service is at it", async () => {
    const at = await oneTerm();
    seedRule(at.source, "Email");
    const desk = new Desk((job, finish) => (at.target.tenant.rules.size === 0 ? accepted(job) : finish()));
    const plan = { select: { kinds: ["terms", "rules"] }, limits: { concurrency: 1 } };
    expect((await applyWith(at, plan, { registry: desk.registry })).exitCode).toBe(0);
    expect(names(at.target.tenant.rules.values())).toEqual(["Email"]);
    await expectOnce(at, desk);
  });

  it("that fails is refused with its reason, and the next run sends it again", async () => {
    const at = await oneTerm();
    const desk = new Desk((_job, finish) =>
      desk.jobs.length === 1 ? { state: "refused", reason: "the import failed" } : finish(),
    );
    const result = await applyWith(at, terms, { registry: desk.registry });
    expect(result.changes[0]?.outcome).toBe("failed");
    expect(said(result)).toContain("the import failed");
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    expect(desk.jobs).toHaveLength(2);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });
});

describe("a question about it that has no answer", () => {
  it.each(["unknown", "thrown", "another object"])("is asked again (%s)", async (how) => {
    const at = await oneTerm();
    const desk = new Desk((job, finish) => {
      if (job.asked > 2) return finish();
      if (how === "unknown") return { state: "unknown", reason: "garbage" };
      if (how === "another object") return { state: "done", target: "urn:ata:prod:catalog:nothing:1" };
      throw trouble("server");
    });
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    expect(desk.jobs[0]?.asked).toBe(3);
    await expectOnce(at, desk);
  });
});

describe("a run that ends before the service is done", () => {
  it("was killed: the next one asks by the handle that is on record, and sends nothing", async () => {
    const at = await oneTerm();
    const desk = new Desk((job, finish) => (job.asked < 2 ? accepted(job) : finish()));
    await killed(at, desk, 1);
    expect(desk.jobs[0]?.asked).toBe(0);

    const status = await planStatus(at.world.migration(terms, { registry: desk.registry }));
    expect(status.exitCode).toBe(5);
    expect(status.details.inDoubt[0]).toContain(text);

    const result = await applyWith(at, terms, { registry: desk.registry });
    expect(result.exitCode).toBe(0);
    expect(written(at.world)).toEqual(["POST terms/bulk"]);
    await expectOnce(at, desk);
  });

  it("was killed: who takes it back asks as well, and waits for nothing else", async () => {
    const at = await oneTerm();
    const desk = new Desk((_job, finish) => finish());
    await killed(at, desk, 1);
    let waits = 0;
    const report = ({ type }: Progress): void => void (type === "waiting" && (waits += 1));
    const migration = { registry: desk.registry, report };
    expect((await rollback(at, terms, { allowDelete: true, migration })).exitCode).toBe(0);
    expect([desk.jobs[0]?.asked, waits, at.target.tenant.terms.size]).toEqual([1, 0, 0]);
  });

  it("was killed when the end was on record: nothing is asked any more", async () => {
    const at = await oneTerm();
    const desk = new Desk((_job, finish) => finish());
    await killed(at, desk, 2);
    expect(desk.jobs[0]?.asked).toBe(1);
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    expect(desk.jobs[0]?.asked).toBe(1);
    await expectOnce(at, desk);
  });

  it("was killed before the end was on record: it is asked again, and answered alike", async () => {
    const at = await oneTerm();
    const desk = new Desk((job, finish) => job.answer ?? finish());
    let seen = 0;
    const reached = (point: string): void => {
      if (point !== "outcome:before") return;
      seen += 1;
      if (seen === 2) throw new Error("killed");
    };
    await expect(applyWith(at, terms, { registry: desk.registry, hooks: { reached } })).rejects.toThrow(
      "killed",
    );
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    expect(desk.jobs[0]?.asked).toBe(2);
    await expectOnce(at, desk);
  });

  it("was interrupted: 5, and the next one takes it up", async () => {
    const at = await oneTerm();
    const controller = new AbortController();
    let calm = false;
    const desk = new Desk((job, finish) => {
      if (calm) return finish();
      if (job.asked === 2) controller.abort();
      return accepted(job);
    });
    const result = await applyWith(at, terms, { registry: desk.registry, stop: controller.signal });
    expect(result.exitCode).toBe(5);
    expect(said(result)).toContain(text);
    calm = true;
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    await expectOnce(at, desk);
  });

  it("has waited as long as the step allows: 5, run after run, until it is done", async () => {
    const at = await oneTerm();
    let calm = false;
    const desk = new Desk((job, finish) => (calm ? finish() : accepted(job)), 100);
    for (const run of [1, 2]) {
      const result = await applyWith(at, terms, { registry: desk.registry });
      expect([run, result.exitCode, written(at.world)]).toEqual([run, 5, []]);
      expect(JSON.stringify(result)).toContain(`${text} within 0.1 s`);
    }
    calm = true;
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    await expectOnce(at, desk);
  });

  it("has seen another one of its name lost: what turns up is not taken for that, run after run", async () => {
    const at = await stage();
    const both = [seedTerm(at.source, "One"), seedTerm(at.source, "One")];
    let calm = false;
    const desk = new Desk(
      async (job, finish) => {
        const answer = job.answer ?? (await finish());
        return calm ? answer : accepted(job);
      },
      100,
      1,
    );
    for (const run of [1, 2]) {
      const result = await applyWith(at, terms, { registry: desk.registry });
      expect([run, result.exitCode, desk.jobs.length]).toEqual([run, 5, 1]);
    }
    calm = true;
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    expect(names(at.target.tenant.terms.values())).toEqual(["One", "One"]);
    expect(new Set(await Promise.all(both.map(async (urn) => twinOf(at, urn)))).size).toBe(2);
  });

  it("has seen another handle: the last one is asked by", async () => {
    const at = await oneTerm();
    let calm = false;
    const desk = new Desk((job, finish) => {
      if (calm) return finish();
      job.handle = "moved-on";
      return accepted(job);
    }, 100);
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(5);
    calm = true;
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    await expectOnce(at, desk);
  });

  it("cannot sign in any more: 3, and nothing is lost", async () => {
    const at = await oneTerm();
    let calm = false;
    const desk = new Desk((_job, finish) => {
      if (calm) return finish();
      throw trouble("sign-in");
    });
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(3);
    calm = true;
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    await expectOnce(at, desk);
  });
});

describe("a person's word on it", () => {
  it("is not wanted while the service is at it, and never sends it again", async () => {
    const at = await oneTerm();
    const desk = new Desk((_job, finish) => finish());
    await killed(at, desk, 1);
    const [job] = desk.jobs;
    const source = job?.item.source ?? "";
    const migration = at.world.migration(terms, { registry: desk.registry });
    const error = await refusal(async () =>
      resolveDoubts(migration, { decisions: [{ decision: "retry", source }] }),
    );
    expect(error.message).toContain("is not sent again: the service has accepted it (job-1)");
    const listed = await resolveDoubts(at.world.migration(terms, { registry: desk.registry }), {
      decisions: [],
    });
    expect(JSON.stringify(listed.details)).toContain(text);
    expect(listed.next).toEqual(["ferry apply test"]);
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    await expectOnce(at, desk);
  });

  it("is wanted where the service will not say: 6, and then it may be sent again", async () => {
    const at = await oneTerm();
    let known = false;
    const desk = new Desk((_job, finish) => {
      if (known) return finish();
      throw trouble("refused");
    });
    for (const run of [1, 2]) {
      const result = await applyWith(at, terms, { registry: desk.registry });
      expect([run, result.exitCode]).toEqual([run, 6]);
      expect(JSON.stringify(result)).toContain("it will not say more (job-1)");
    }
    const source = desk.jobs[0]?.item.source ?? "";
    const migration = at.world.migration(terms, { registry: desk.registry });
    await resolveDoubts(migration, { decisions: [{ decision: "retry", source }] });
    known = true;
    expect((await applyWith(at, terms, { registry: desk.registry })).exitCode).toBe(0);
    expect(desk.jobs).toHaveLength(2);
    expect(names(at.target.tenant.terms.values())).toEqual(["One"]);
  });
});

/** An apply that dies when an outcome has come to the disk for the nth time. */
async function killed(at: Stage, desk: Desk, nth: number): Promise<void> {
  let seen = 0;
  const reached = (point: string): void => {
    if (point !== "outcome:after") return;
    seen += 1;
    if (seen >= nth) throw new Error("killed");
  };
  const { registry: kinds } = desk;
  await expect(applyWith(at, terms, { registry: kinds, hooks: { reached } })).rejects.toThrow("killed");
}
