import { expect, test } from "vitest";
import { masterDataBooks as books } from "../../src/emulator/index.ts";
import { exitCodes } from "../../src/model/result.ts";
import { party, put, stage } from "./masters-stage.ts";
import type { Stage } from "./masters-stage.ts";

/** An instance that a colleague makes at the target in the moment in which the run makes one of that key. */

const making = { tenant: "prod", method: "PUT", path: "/\\/P1$/" } as const;

/** Once, when the request that makes it arrives. */
function meanwhile(here: Stage, work: () => void): void {
  const off = here.made.emulator.on(({ phase, entry }) => {
    if (phase !== "received" || entry.method !== "PUT") return;
    off();
    work();
  });
}

function book(here: Stage): ReturnType<typeof books.instanceBook> | undefined {
  const row = here.prod.byKey("party", "crm#party#Prod", "P1");
  return row === undefined ? undefined : books.instanceBook(here.prod, row);
}

test.each(["15.3.0", "older"] as const)(
  "it is told as theirs, a rollback leaves it, and the next run goes on with it (answers %s)",
  async (writeAnswers) => {
    const here = await stage([{ ...party, overrides: true }]);
    here.prod.quirks.writeAnswers = writeAnswers;
    put(here.dev, "P1", { src_name: "a" }, { overrides: { src_phone: "1" } });
    meanwhile(here, () => put(here.prod, "P1", { src_name: "theirs" }));
    const { exitCode, diagnostics } = await here.apply();
    expect(exitCode).toBe(exitCodes.partial);
    expect(JSON.stringify(diagnostics)).toContain("somebody has made it at the target since");
    expect(book(here)?.overrides ?? {}).toEqual({});
    await here.back();
    expect(book(here)?.active).toBe(true);
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(book(here)?.overrides).toEqual({ src_phone: "1" });
    await here.back();
    expect(book(here)).toMatchObject({ active: true, overrides: {} });
  },
);

test.each(["drop-after-commit", "drop-before-commit", "garbage"] as const)(
  "what the run has made is its own where an answer was lost: %s",
  async (type) => {
    const here = await stage([{ ...party, overrides: true }]);
    put(here.dev, "P1", { src_name: "a" }, { overrides: { src_phone: "1" } });
    here.made.emulator.faults.add({ match: making, when: { times: 1 }, effect: { type } });
    expect((await here.apply()).exitCode).toBe(exitCodes.done);
    expect(book(here)?.overrides).toEqual({ src_phone: "1" });
    await here.back();
    expect(book(here)?.active).toBe(false);
  },
);
