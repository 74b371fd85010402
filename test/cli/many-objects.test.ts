import { expect, it } from "vitest";
import { whenMany } from "../../src/cli/many-objects.ts";
import { registry } from "../../src/kinds/index.ts";

const read = (side: "source" | "target", kind: string, count: number) =>
  ({ type: "read", side, kind, count }) as const;

it("is told once that there are many objects, however they are spread over sides and kinds", () => {
  let told = 0;
  const hear = whenMany(registry, () => {
    told += 1;
  });
  hear(read("source", "terms", 20_000));
  hear(read("source", "terms", 30_000));
  expect(told).toBe(0);
  hear(read("target", "rules", 10_000));
  hear(read("target", "rules", 60_000));
  expect(told).toBe(1);
});

it.each(registry.moved().map(({ name, feed }) => [name, feed.name]))(
  "counts %s, also by the list that shows them (%s)",
  (...names) => {
    for (const name of names) {
      let told = 0;
      whenMany(registry, () => {
        told += 1;
      })(read("source", name, 1_000_000));
      expect(told).toBe(1);
    }
  },
);

it("takes rows for none, since nothing is held of them", () => {
  const hear = whenMany(registry, () => {
    throw new Error("rows were counted");
  });
  hear(read("source", "Countries", 1_000_000));
  hear({ type: "work", done: 1, total: 1_000_000, inFlight: 8 });
});

it("takes half as many for many where a run knows the other side by its records alone", () => {
  let told = 0;
  const hear = whenMany(
    registry,
    () => {
      told += 1;
    },
    2,
  );
  hear(read("target", "terms", 19_999));
  expect(told).toBe(0);
  hear(read("target", "terms", 20_000));
  expect(told).toBe(1);
});
