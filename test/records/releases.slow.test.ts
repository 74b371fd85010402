import { expect, test } from "vitest";
import { keyDigest } from "../../src/engine/records/prints.ts";
import type { SentRow } from "../../src/engine/records/releases.ts";
import { Releases } from "../../src/engine/records/releases.ts";
import { Outcomes } from "../../src/engine/records/written.ts";
import { exitCodes } from "../../src/model/result.ts";
import { countries, rowsStage } from "./support.ts";

function sent(key: string): SentRow {
  const task = { action: "create", key: keyDigest(key), name: key, values: { code: key } } as const;
  return { planned: { task, print: undefined, was: undefined }, address: key, op: "run/1" };
}

/** Releases of one row each, and the answers to them: what is shown is known at once. */
function stage() {
  const answers: PromiseWithResolvers<void>[] = [];
  let inFlight = 0;
  let most = 0;
  const outcomes = new Outcomes();
  const releases = new Releases({
    release: {
      perRelease: 1,
      patienceMs: 0,
      async send() {
        inFlight += 1;
        most = Math.max(most, inFlight);
        const answer = Promise.withResolvers<void>();
        answers.push(answer);
        await answer.promise;
        inFlight -= 1;
        return { state: "accepted" };
      },
      review: async () => "approved",
    },
    open: {
      perLookUp: 10,
      lookUp: async (rows: readonly { values: { code: string } }[]) =>
        rows.map(({ values }) => ({ key: values.code, name: "", values, address: values.code })),
    } as never,
    log: { outcome: async () => undefined } as never,
    outcomes,
    title: "Countries",
    sleep: async () => undefined,
    shown: () => undefined,
  });
  const turn = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return { releases, outcomes, answers, turn, most: () => most };
}

test("however many batches wait for one release, those that follow it are made one after the other, and all are awaited", async () => {
  const { releases, outcomes, answers, turn, most } = stage();
  const batches = ["A", "B", "C"].map(async (key) => releases.add([sent(key)]));
  let isFinished = false;
  const finished = releases.finish().then(() => (isFinished = true));
  for (const expected of [1, 2, 3]) {
    await turn();
    expect(answers).toHaveLength(expected);
    expect(isFinished).toBe(false);
    answers.at(-1)?.resolve();
  }
  await Promise.all([...batches, finished]);
  expect(most()).toBe(1);
  expect(outcomes.done.create).toBe(3);
});

test("what any of them throws is thrown at the end, and nothing is released behind it", async () => {
  const { releases, answers, turn } = stage();
  const batches = ["A", "B", "C"].map(async (key) => releases.add([sent(key)]).catch(() => undefined));
  await turn();
  answers[0]?.reject(new Error("a defect"));
  await Promise.all(batches);
  await expect(releases.finish()).rejects.toThrow("a defect");
  expect(answers).toHaveLength(1);
});

test("a run does not end while it publishes, however slow a publication before was", async () => {
  const stage_ = await rowsStage({ source: countries(3000) });
  const { faults } = stage_.world.emulator;
  for (const ms of [1_500, 1_000])
    faults.add({ match: { path: "/draft.publish$/" }, when: { times: 1 }, effect: { type: "delay", ms } });
  let open = 0;
  stage_.world.emulator.on(({ phase, entry }) => {
    if (!entry.path.endsWith("/publish")) return;
    if (phase === "received") open += 1;
    if (phase === "answered") open -= 1;
  });
  expect((await stage_.apply({ verify: false })).exitCode).toBe(exitCodes.done);
  expect(open).toBe(0);
  expect(stage_.target.publishedCount).toBe(3000);
});
