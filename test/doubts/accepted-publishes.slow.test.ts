import { describe, expect, it } from "vitest";
import { registry } from "../../src/kinds/index.ts";
import type { Step, StepAnswer, StepItem } from "../../src/kinds/kind.ts";
import { leaveMonitorDraft } from "../../src/emulator/seed.ts";
import { monitors as monitorKind } from "../../src/kinds/monitors.ts";
import { Registry } from "../../src/kinds/registry.ts";
import type { Result } from "../../src/model/result.ts";
import { ServiceError } from "../../src/service/index.ts";
import type { ReadClient, WriteClient } from "../../src/service/index.ts";
import { written } from "../diff/support/log.ts";
import type { MovedMonitor } from "../diff/support/monitors.ts";
import { movedMonitor, plan, update } from "../diff/support/monitors.ts";
import { editMonitor } from "../diff/support/web.ts";
import { rollback } from "../operations/rollback/support.ts";
import { applyWith, killedAt } from "./support.ts";

/** A run was killed between a change and its publish, and the service takes on what is published then and finishes it later. */

interface Job {
  readonly item: StepItem;
  handle: string;
  asked: number;
}

type Finish = () => Promise<StepAnswer>;

/** What it says when it is sent a publish (undefined: it is accepted), and when it is asked about one. */
interface Says {
  readonly sent?: (finish: Finish, nth: number) => Promise<StepAnswer | undefined>;
  readonly asked: (job: Job, finish: Finish) => StepAnswer | Promise<StepAnswer>;
}

class Publisher {
  readonly jobs: Job[] = [];
  sent = 0;
  says: Says;
  readonly #atMostMs: number;

  constructor(says: Says, atMostMs = 60_000) {
    this.says = says;
    this.#atMostMs = atMostMs;
  }

  get registry(): Registry {
    const later = (publish: Step): Step => {
      const finish = async (client: ReadClient, item: StepItem): Promise<StepAnswer> => {
        const [answer] = await publish.send(client as WriteClient, [item]);
        if (answer === undefined) throw new Error("the emulator answered nothing");
        return answer;
      };
      return {
        ...publish,
        atMostMs: this.#atMostMs,
        send: async (client, [item]) => {
          if (item === undefined) throw new Error("nothing is published");
          this.sent += 1;
          const said = await this.says.sent?.(async () => finish(client, item), this.sent);
          if (said !== undefined) return said === nothing ? [] : [said];
          const job: Job = { item, handle: `job-${this.jobs.length + 1}`, asked: 0 };
          this.jobs.push(job);
          return [accepted(job)];
        },
        poll: async (client, _item, handle) => {
          const job = this.jobs.find((one) => one.handle === handle);
          if (job === undefined) throw new Error(`nobody knows ${handle}`);
          job.asked += 1;
          return this.says.asked(job, async () => finish(client, job.item));
        },
      };
    };
    const [patch, publish] = monitorKind.update ?? [];
    if (patch === undefined || publish === undefined) throw new Error("monitors are not published");
    const kinds = registry
      .moved()
      .map((kind) =>
        kind === monitorKind ? { ...monitorKind, update: [patch, later(publish)] as const } : kind,
      );
    return new Registry([...registry.given(), ...kinds]);
  }
}

/** An answer without a word of what was sent. */
const nothing: StepAnswer = { state: "unknown", reason: "" };
const accepted = ({ handle }: Job): StepAnswer => ({ state: "accepted", handle, waitMs: 1 });
const finished = (_job: Job, finish: Finish): Promise<StepAnswer> => finish();
const [, publish = ""] = update;
/** Requests that publish it at the emulator. */
const publishes = ({ at }: MovedMonitor): number =>
  written(at.world).filter((what) => what === publish).length;

/** Its draft is open at the target, and is ours. */
async function left(publisher: Publisher): Promise<MovedMonitor> {
  const moved = await movedMonitor();
  const { at, urn, twin } = moved;
  editMonitor(at.source, urn, { name: "Ours" });
  await killedAt(at, plan, "intent:before", 2);
  expect(at.target.tenant.monitors.get(twin)).toMatchObject({ draftType: "CHANGE", draft: { name: "Ours" } });
  expect(publisher.sent).toBe(0);
  return moved;
}

async function next({ at }: MovedMonitor, publisher: Publisher, more: object = {}): Promise<Result> {
  return applyWith(at, plan, { registry: publisher.registry, ...more });
}

function isPublished({ at, twin }: MovedMonitor): boolean {
  return at.target.body(twin)["name"] === "Ours" && at.target.tenant.monitors.get(twin)?.draftType === "NONE";
}

/** It shows, and nothing is left to be done. */
async function expectDone(moved: MovedMonitor, publisher: Publisher, sent = 1): Promise<void> {
  expect([isPublished(moved), publisher.sent]).toEqual([true, sent]);
  const again = await next(moved, publisher);
  expect([again.exitCode, written(moved.at.world), publisher.sent]).toEqual([0, [], sent]);
}

const texts = ({ diagnostics }: Result): string => diagnostics.map(({ summary }) => summary).join("; ");
const text = "accepted by the service, not finished";

describe("a publish that an interrupted run left, and that the service accepts", () => {
  it("is asked about until it is done, and sent once", async () => {
    const publisher = new Publisher({ asked: (job, finish) => (job.asked < 4 ? accepted(job) : finish()) });
    const moved = await left(publisher);
    const result = await next(moved, publisher);
    expect([result.exitCode, publisher.jobs[0]?.asked, publishes(moved)]).toEqual([0, 4, 1]);
    expect(texts(result)).toContain("was published before anything else");
    await expectDone(moved, publisher);
  });

  it("and that fails is refused with its reason, and sent again by the next run", async () => {
    const publisher = new Publisher({ asked: () => ({ state: "refused", reason: "the import failed" }) });
    const moved = await left(publisher);
    const result = await next(moved, publisher);
    expect(texts(result)).toContain(`it could not be published: monitors "Ours": the import failed`);
    expect([result.exitCode, isPublished(moved), publisher.sent]).toEqual([4, false, 1]);
    publisher.says = { asked: finished };
    expect((await next(moved, publisher)).exitCode).toBe(0);
    await expectDone(moved, publisher, 2);
  });

  it("and that is not finished in time is asked about by the next runs, and never sent again", async () => {
    const publisher = new Publisher({ asked: accepted }, 300);
    const moved = await left(publisher);
    for (let run = 0; run < 2; run += 1) {
      const result = await next(moved, publisher);
      expect([run, result.exitCode, publisher.sent, publishes(moved)]).toEqual([run, 5, 1, 0]);
      expect(JSON.stringify(result)).toContain(`${text} within 0.3 s`);
    }
    publisher.says = { asked: finished };
    expect((await next(moved, publisher)).exitCode).toBe(0);
    await expectDone(moved, publisher);
  });

  it("and that a rollback has sent stays on record, and is taken back by the next one", async () => {
    const publisher = new Publisher({ asked: accepted }, 300);
    const moved = await left(publisher);
    const { at, twin } = moved;
    const before = at.target.body(twin)["name"];
    const back = async (): Promise<Result> =>
      rollback(at, plan, { migration: { registry: publisher.registry } });
    const first = await back();
    expect([first.exitCode, publisher.sent, publishes(moved)]).toEqual([5, 1, 0]);
    expect(JSON.stringify(first)).toContain(`${text} within 0.3 s`);
    publisher.says = { asked: finished };
    expect((await back()).exitCode).toBe(0);
    // The second one is of what it puts back.
    expect([at.target.body(twin)["name"], publisher.sent]).toEqual([before, 2]);
  });

  it("and of which it will not say more is a person's, and never sent again", async () => {
    const refused = (): never => {
      throw new ServiceError("it failed", { kind: "refused", arrived: "no", method: "GET", path: "/jobs/1" });
    };
    const publisher = new Publisher({ asked: refused });
    const moved = await left(publisher);
    const codes: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const result = await next(moved, publisher);
      codes.push(result.exitCode);
      expect(JSON.stringify(result)).toContain("it will not say more (job-1)");
    }
    expect([codes, publisher.sent, isPublished(moved)]).toEqual([[5, 6, 6], 1, false]);
  });

  it.each(["outcome:before", "outcome:after"] as const)(
    "and behind which the run is killed is asked about, and not sent again (%s)",
    async (point) => {
      const publisher = new Publisher({ asked: finished });
      const moved = await left(publisher);
      // The first one has the handle, and so it has when it is about to write down the end.
      const nth = point === "outcome:after" ? 1 : 2;
      let seen = 0;
      const reached = (here: string): void => {
        if (here === point) seen += 1;
        if (seen >= nth) throw new Error("killed");
      };
      await expect(next(moved, publisher, { hooks: { reached } })).rejects.toThrow("killed");
      publisher.says = {
        asked: (_job, finish) => (isPublished(moved) ? { state: "done", target: moved.twin } : finish()),
      };
      expect((await next(moved, publisher)).exitCode).toBe(0);
      await expectDone(moved, publisher);
    },
  );

  it("under a handle that changes is asked about by the last one, also by the next run", async () => {
    const publisher = new Publisher(
      {
        asked: (job) => {
          job.handle = "moved-on";
          return accepted(job);
        },
      },
      300,
    );
    const moved = await left(publisher);
    expect((await next(moved, publisher)).exitCode).toBe(5);
    publisher.says = { asked: finished };
    expect((await next(moved, publisher)).exitCode).toBe(0);
    await expectDone(moved, publisher);
  });

  it("and of which it tells about another object is asked about once more", async () => {
    const publisher = new Publisher({
      asked: (job, finish) => (job.asked < 3 ? { state: "done", target: "urn:ata:prod:x:y:1" } : finish()),
    });
    const moved = await left(publisher);
    expect((await next(moved, publisher)).exitCode).toBe(0);
    expect(publisher.jobs[0]?.asked).toBe(3);
    await expectDone(moved, publisher);
  });
});

describe("a publish that an interrupted run left, and that is answered", () => {
  const asked = (): never => {
    throw new Error("nothing was accepted");
  };
  const other: StepAnswer = { state: "done", target: "urn:ata:prod:x:y:1" };

  it.each([
    ["about another object", other],
    ["with nothing", nothing],
    ["with what says nothing", { state: "unknown", reason: "garbage" }],
  ] as const)("%s is looked at, and sent again where it has not happened", async (_, answer) => {
    const publisher = new Publisher({ sent: async (finish, nth) => (nth < 3 ? answer : finish()), asked });
    const moved = await left(publisher);
    expect((await next(moved, publisher)).exitCode).toBe(0);
    await expectDone(moved, publisher, 3);
  });

  it.each([
    ["about another object", other],
    ["with nothing", nothing],
  ] as const)("%s is looked at, and not sent again where it has happened", async (_, answer) => {
    const sent = async (finish: Finish): Promise<StepAnswer> => {
      await finish();
      return answer;
    };
    const publisher = new Publisher({ sent, asked });
    const moved = await left(publisher);
    expect((await next(moved, publisher)).exitCode).toBe(0);
    await expectDone(moved, publisher);
  });

  it("so each time is left in doubt after the fifth, and settled by the next run", async () => {
    const publisher = new Publisher({ sent: async () => other, asked });
    const moved = await left(publisher);
    expect([(await next(moved, publisher)).exitCode, publisher.sent]).toEqual([5, 5]);
    publisher.says = { sent: async (finish) => finish(), asked };
    expect((await next(moved, publisher)).exitCode).toBe(0);
    await expectDone(moved, publisher, 6);
  });

  it("with a refusal is not sent again by this run, and told", async () => {
    const publisher = new Publisher({ sent: async () => ({ state: "refused", reason: "not now" }), asked });
    const moved = await left(publisher);
    const result = await next(moved, publisher);
    expect([result.exitCode, publisher.sent]).toEqual([4, 1]);
    expect(texts(result)).toContain("not now");
  });

  it("by a service that lets nobody in any more ends the run, and is settled by the next one", async () => {
    const sent = async (): Promise<never> => {
      throw new ServiceError("no", { kind: "sign-in", arrived: "no", method: "POST", path: "/" });
    };
    const publisher = new Publisher({ sent, asked });
    const moved = await left(publisher);
    await expect(next(moved, publisher)).rejects.toThrow();
    expect(publisher.sent).toBe(1);
    publisher.says = { sent: async (finish) => finish(), asked };
    expect((await next(moved, publisher)).exitCode).toBe(0);
    await expectDone(moved, publisher, 2);
  });

  it("with nothing, where somebody has changed the draft since, is a person's", async () => {
    const publisher = new Publisher({
      sent: async () => {
        leaveMonitorDraft(moved.at.target.tenant, moved.twin, "CHANGE", { name: "Theirs" });
        return nothing;
      },
      asked,
    });
    const moved = await left(publisher);
    const result = await next(moved, publisher);
    expect([publisher.sent, isPublished(moved)]).toEqual([1, false]);
    expect(JSON.stringify(result)).toContain("somebody else changed it");
    expect((await next(moved, publisher)).exitCode).toBe(6);
    expect(publisher.sent).toBe(1);
  });
});
