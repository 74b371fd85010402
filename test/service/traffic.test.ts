import { setTimeout as delay } from "node:timers/promises";
import PQueue from "p-queue";
import { describe, expect, test, vi } from "vitest";
import { openReadClient, openWriteClient } from "../../src/service/index.ts";
import { Stop } from "../../src/service/stop.ts";
import { Traffic } from "../../src/service/traffic.ts";
import { json, loopback } from "./loopback.ts";
import { FakeClock, setup, urn } from "./support.ts";

const term = urn("catalog:term", 1);
const good = { urn: term };

describe("Retry-After", () => {
  test.each([429, 503])("of one answer (%i) holds back the whole client", async (status) => {
    const times: number[] = [];
    const { options, clock } = setup({ concurrency: 1, random: () => 0 });
    await using server = await loopback((_request, response, count) => {
      times.push(clock.now());
      if (count === 1) json(response, status, {}, { "retry-after": "30" });
      else json(response, 200, good);
    });
    const client = openWriteClient(server.environment, options);
    const started = clock.now();
    // One after the other, so that all but the first are sent after the answer that asks to wait.
    const others = [1, 2, 3].map(() => client.catalog.patchTerm(urn("catalog:term", 2), {}));
    await Promise.allSettled([client.catalog.term(term), ...others]);
    expect(times[0]).toBe(started);
    for (const time of times.slice(1)) expect(time - started).toBeGreaterThanOrEqual(30_000);
  });

  test("a later, shorter wish does not end a longer one", async () => {
    const clock = new FakeClock();
    const traffic = new Traffic(4, clock, new Stop(undefined), () => undefined);
    const started = clock.now();
    traffic.hold(9000);
    traffic.hold(1000);
    await traffic.run(async () => await Promise.resolve());
    expect(clock.now() - started).toBe(9000);
  });

  test.each([-400, 400])("is waited out by a clock that nobody sets (by %i days)", async (days) => {
    const clock = new FakeClock();
    const traffic = new Traffic(4, clock, new Stop(undefined), () => undefined);
    traffic.hold(9000);
    clock.set = days * 24 * 3_600_000;
    await traffic.run(async () => await Promise.resolve());
    expect(clock.sleeps).toEqual([9000]);
  });
});

describe("requests in flight", () => {
  test("never exceed the limit, and reach it when all is well", async () => {
    const { options, events } = setup({ concurrency: 6 });
    const limits = (): number[] =>
      events.filter((event) => event.type === "concurrency").map((event) => event.limit);
    let waiting: (() => void)[] = [];
    let most = 0;
    const answerAll = (): void => {
      most = Math.max(most, waiting.length);
      for (const answer of waiting) answer();
      waiting = [];
    };
    // Answers when as many have come as may be in flight; one too many would come within the short wait.
    await using server = await loopback((_request, response) => {
      waiting.push(() => json(response, 200, good));
      if (waiting.length === (limits().at(-1) ?? 4)) setTimeout(answerAll, 10);
    });
    const client = openReadClient(server.environment, options);
    // 4 + 5 + 6 + 6: full rounds, so that nobody waits for a round that never fills.
    await Promise.all(Array.from({ length: 21 }, () => client.catalog.term(term)));
    expect(most).toBe(6);
    expect(limits()).toEqual([5, 6]);
  });

  test("start at 4, whatever is allowed", async () => {
    const waiting: (() => void)[] = [];
    await using server = await loopback((_request, response) => {
      waiting.push(() => json(response, 200, good));
    });
    const client = openReadClient(server.environment, setup({ concurrency: 50 }).options);
    const all = Array.from({ length: 20 }, () => client.catalog.term(term));
    while (waiting.length < 4) await delay(5);
    await delay(50);
    expect(waiting).toHaveLength(4);
    const pump = setInterval(() => waiting.splice(0).forEach((answer) => answer()), 5);
    await Promise.all(all);
    clearInterval(pump);
  });

  test("one that waits to be tried again leaves its place to others", async () => {
    let failed = 0;
    await using server = await loopback((request, response) => {
      if (request.url?.endsWith("1") === true && failed < 3) {
        failed += 1;
        json(response, 500, {});
      } else json(response, 200, { urn: request.url });
    });
    const { options, clock } = setup({ concurrency: 1 });
    const done: number[] = [];
    const slow = { now: () => clock.now(), steady: () => clock.steady(), sleep: () => delay(100) };
    const client = openReadClient(server.environment, { ...options, clock: slow });
    await Promise.all([1, 2, 3].map((n) => client.catalog.term(urn("x:y", n)).then(() => done.push(n))));
    expect(done).toEqual([2, 3, 1]);
  });
});

test("the queue holds little; the rest waits with its callers, in order", async () => {
  const add = vi.spyOn(PQueue.prototype, "add");
  try {
    const traffic = new Traffic(2, new FakeClock(), new Stop(undefined), () => undefined);
    const started: number[] = [];
    let most = 0;
    const work = Array.from({ length: 500 }, (_, index) =>
      traffic.run(async () => {
        most = Math.max(most, add.mock.calls.length - started.length);
        started.push(index);
        await delay(0);
      }),
    );
    await Promise.all(work);
    expect(started).toEqual(Array.from({ length: 500 }, (_, index) => index));
    // Two run and four wait.
    expect(most).toBeLessThanOrEqual(6);
  } finally {
    add.mockRestore();
  }
});
