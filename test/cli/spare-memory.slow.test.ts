import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Footprint } from "../../src/cli/spare-memory.ts";
import { whenIdle } from "../../src/cli/spare-memory.ts";

const mebi = 1024 * 1024;

function processOf(first: Footprint) {
  let now = first;
  let given = 0;
  let freed = Number.POSITIVE_INFINITY;
  const look = whenIdle(
    () => now,
    () => {
      given += 1;
      const idle = now.rss - now.heapTotal - now.external;
      now = { ...now, rss: now.rss - Math.min(freed, Math.max(0, idle - 70 * mebi)) };
    },
  );
  return {
    is(rss: number, heapTotal: number, external: number, most = Number.POSITIVE_INFINITY): number {
      now = { rss: rss * mebi, heapTotal: heapTotal * mebi, external: external * mebi };
      freed = most;
      look();
      return given;
    },
  };
}

it("gives back what nobody holds, and not what the process holds itself", () => {
  const one = processOf({ rss: 170 * mebi, heapTotal: 60 * mebi, external: 40 * mebi });
  expect(one.is(270, 110, 90)).toBe(0);
  expect(one.is(270, 110, 76)).toBe(0);
  expect(one.is(270, 60, 40)).toBe(1);
  expect(one.is(170, 60, 40)).toBe(1);
});

it("lets a part of a large heap be", () => {
  const one = processOf({ rss: 470 * mebi, heapTotal: 360 * mebi, external: 40 * mebi });
  expect(one.is(520, 360, 40)).toBe(0);
  expect(one.is(570, 360, 40)).toBe(1);
});

it("does not ask again for what cannot be given back, until there is more", () => {
  const one = processOf({ rss: 170 * mebi, heapTotal: 60 * mebi, external: 40 * mebi });
  expect(one.is(270, 60, 40, 0)).toBe(1);
  expect(one.is(270, 60, 40, 0)).toBe(1);
  expect(one.is(300, 60, 40, 0)).toBe(2);
});

it("compares with the best that there was", () => {
  const one = processOf({ rss: 200 * mebi, heapTotal: 60 * mebi, external: 40 * mebi });
  expect(one.is(180, 60, 40)).toBe(0);
  expect(one.is(199, 60, 40)).toBe(1);
});

it("a process that has held much and holds it no more is smaller for it", () => {
  const file = fileURLToPath(new URL("../../src/cli/spare-memory.ts", import.meta.url));
  const script = `
    import { collector } from ${JSON.stringify(file)};
    let held = Array.from({ length: 3_000_000 }, (_, place) => ({ place }));
    const most = process.memoryUsage.rss();
    held = held.length;
    collector()();
    console.log(JSON.stringify([held, most, process.memoryUsage.rss()]));
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  const [held, most, left] = JSON.parse(stdout) as [number, number, number];
  expect(held).toBe(3_000_000);
  expect(left).toBeLessThan(most * 0.7);
});
