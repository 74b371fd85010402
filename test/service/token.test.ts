import { expect, test } from "vitest";
import { TokenSource } from "../../src/service/token.ts";
import { FakeClock } from "./support.ts";

function source(lifetimeMs = 300_000): { tokens: TokenSource; clock: FakeClock; asked: () => number } {
  const clock = new FakeClock();
  let asked = 0;
  const obtain = async (): Promise<{ value: string; lifetimeMs: number }> => {
    asked += 1;
    await Promise.resolve();
    return { value: `token-${asked}`, lifetimeMs };
  };
  return { tokens: new TokenSource(obtain, clock), clock, asked: () => asked };
}

test("a late rejection of a token that was replaced already costs no second renewal", async () => {
  const { tokens, asked } = source();
  expect(await tokens.get()).toBe("token-1");
  expect(await tokens.replace("token-1")).toBe("token-2");
  expect(await tokens.replace("token-1")).toBe("token-2");
  expect(asked()).toBe(2);
});

test("rejections at the same time share one renewal, also with those who only need a token", async () => {
  const { tokens, asked } = source();
  await tokens.get();
  const all = [tokens.replace("token-1"), tokens.get(), tokens.replace("token-1")];
  expect(await Promise.all(all)).toEqual(["token-2", "token-2", "token-2"]);
  expect(asked()).toBe(2);
});

test("a token was good that a request was served with, or that another one has replaced", async () => {
  const { tokens } = source();
  await tokens.get();
  expect(tokens.wasGood("token-1")).toBe(false);
  tokens.taken("token-1");
  expect(tokens.wasGood("token-1")).toBe(true);
  await tokens.replace("token-1");
  expect(tokens.wasGood("token-1")).toBe(true);
  expect(tokens.wasGood("token-2")).toBe(false);
});

test("a failed renewal is told to all who wait, and the next one tries again", async () => {
  let fail = true;
  const tokens = new TokenSource(async () => {
    await Promise.resolve();
    if (fail) throw new Error("down");
    return { value: "token", lifetimeMs: 1000 };
  }, new FakeClock());
  const results = await Promise.allSettled([tokens.get(), tokens.get()]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  fail = false;
  expect(await tokens.get()).toBe("token");
});

test.each([
  [3_600_000, 3_570_000],
  [300_000, 270_000],
  [60_000, 54_000],
])("a token of %i ms is renewed after %i ms", async (lifetimeMs, renewed) => {
  const { tokens, clock } = source(lifetimeMs);
  await tokens.get();
  clock.time += renewed - 1;
  expect(await tokens.get()).toBe("token-1");
  clock.time += 1;
  expect(await tokens.get()).toBe("token-2");
});
