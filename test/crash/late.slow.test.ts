import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { mini } from "./estates/mini.ts";
import { runUntilDone } from "./experiment.ts";
import { inspect } from "./invariants.ts";
import { creates, staleList } from "./lost-answers.ts";
import type { RowsEstate } from "./rows/estate.ts";
import { rowEstates } from "./rows/index.ts";
import { inspectRows } from "./rows/inspect.ts";
import { allOr, isWhole } from "../support/whole.ts";
import { CrashWorld } from "./world.ts";

/** The service goes on with a request whose sender is gone: nothing is sent again before it can have ended. */
describe("a request that takes effect after its sender died", () => {
  const listed = creates.filter(({ list }) => list !== undefined);

  test.runIf(isWhole).concurrent.each(listed.slice(0, 1))(
    "$name: it was held back by Retry-After, so the intent is older than the request",
    async ({ route }) => {
      const world = await CrashWorld.open(mini, { quietPeriod: "3s" });
      try {
        const match = { tenant: "prod", route };
        world.emulator.faults.add({
          match,
          when: { times: 1 },
          effect: { type: "status", code: 429, retryAfter: 2 },
        });
        world.emulator.faults.add({ match, when: { times: 1 }, effect: { type: "delay", ms: 2_500 } });
        const running = world.start();
        world.emulator.on(({ phase, entry }) => {
          // Once the service has all of it.
          if (phase === "received" && entry.fault === "delay") setTimeout(() => void running.kill(), 200);
        });
        expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
        expect(await runUntilDone(world, 1)).toEqual([]);
        expect(await inspect(world)).toMatchObject({ problems: [] });
      } finally {
        await world.close();
      }
    },
  );

  test.concurrent.each(allOr(listed, (_row, index) => index === 1))(
    "$name: killed at the commit, and the lists lag behind",
    async (write) => {
      const world = await CrashWorld.open(write.estate);
      try {
        const running = world.start();
        const off = world.emulator.on(async ({ phase, entry }) => {
          if (phase === "after-commit" && entry.route === write.route) await running.kill();
        });
        expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
        off();
        world.emulator.faults.add(staleList(write, 3));
        expect(await runUntilDone(world, 1)).toEqual([]);
        expect(await inspect(world)).toMatchObject({ problems: [], draftsLeft: 0 });
      } finally {
        await world.close();
      }
    },
  );
});

/** Requests that write rows: the first one of each whose body says that arrives late. */
const ofRows = [
  { name: "table-rows-changed", method: "POST", path: "/draft/batch", says: "new 20" },
  { name: "table-rows-changed", method: "DELETE", path: "/draft/", says: "" },
  { name: "table-rows-changed", method: "POST", path: "/draft/publish", says: "" },
  { name: "table-rows-changed", method: "POST", path: "/approve", says: "" },
  { name: "instances-changed", method: "PUT", path: "/instance/party", says: "new" },
  { name: "masters-changed", method: "PUT", path: "/segment/", says: "new" },
  { name: "masters-changed", method: "POST", path: "/segment", says: "New" },
] as const;

/**
 * The service comes to it within the quiet period, and what goes on begins at once: in this process, which has long been warm. Others
 * beside it would keep that from what it does too soon.
 */
test.runIf(isWhole).each(ofRows)(
  "$name: $method $path is done when its sender is dead, and another run has long begun",
  async ({ name, method, path, says }) => {
    const estate = rowEstates.find((one) => one.name === name);
    const rows: RowsEstate | undefined = estate?.rows;
    if (estate === undefined || rows === undefined) throw new Error(`there is no estate ${name}`);
    const world = await CrashWorld.open(estate, { quietPeriod: "1500ms" });
    try {
      let isHeld = false;
      const running = world.start();
      const off = world.emulator.on(async ({ phase, entry }) => {
        if (isHeld || phase !== "before-commit" || entry.method !== method) return;
        if (!entry.path.includes(path) || !JSON.stringify(entry.body ?? "").includes(says)) return;
        isHeld = true;
        await running.kill();
        await delay(800);
      });
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
      expect(await world.quick(world.command)).toMatchObject({ code: estate.done });
      off();
      expect(await inspectRows(world, rows)).toMatchObject({ problems: [] });
    } finally {
      await world.close();
    }
  },
);

/** How the step after the one that was recorded ends when the next run does it. */
const endings = [
  { name: "fails", effect: { type: "status", code: 504 } },
  { name: "is done, and its answer is lost", effect: { type: "drop-after-commit" } },
  { name: "is refused", effect: { type: "status", code: 409 } },
] as const;

test.concurrent.each(allOr(endings, (_row, index) => index === 1))(
  "publishing what a killed run created $name",
  async ({ effect }) => {
    const world = await CrashWorld.open(mini);
    try {
      const route = "POST /api/data-quality/v1/dq-dashboards/:urn/publish";
      const running = world.start();
      const off = world.emulator.on(async ({ phase, entry }) => {
        if (phase !== "received" || entry.route !== route) return;
        // Time for the other dashboard to be created too.
        await delay(200);
        await running.kill();
      });
      expect(await running.ended).toMatchObject({ signal: "SIGKILL" });
      off();
      world.emulator.faults.add({ match: { route }, when: { times: 1 }, effect });
      expect(await runUntilDone(world, 2)).toEqual([]);
      expect(await inspect(world)).toMatchObject({ problems: [] });
    } finally {
      await world.close();
    }
  },
);
