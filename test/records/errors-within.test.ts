import { expect, test } from "vitest";
import { asText } from "../../src/emulator/json.ts";
import type { Result } from "../../src/model/result.ts";
import { exitCodes } from "../../src/model/result.ts";
import { front } from "../support/front.ts";
import type { Stage } from "./masters-stage.ts";
import { author, segment, stage } from "./masters-stage.ts";

/** A server that reports a failure with status 200, in the form of an error (document 3, "Errors"). */

const failure = JSON.stringify({
  message: "The database cannot be reached.",
  exception: "com.example.ServerException",
  suppressed: [],
});

interface Failing {
  isOn: boolean;
}

/** Once it is on, this side answers what is meant so. */
async function failing(
  here: Stage,
  side: "source" | "target",
  isMeant: (path: string) => boolean,
): Promise<Failing> {
  const failing = { isOn: false };
  const server = await front(here.made.emulator.masterDataUrl(side === "source" ? "dev" : "prod"), {
    answer: (body, path) => (failing.isOn && isMeant(path) ? failure : body),
  });
  const environment = here.plan[side];
  const masterData = { ...environment.masterData, baseUrl: server.url };
  here.plan = { ...here.plan, [side]: { ...environment, masterData } };
  return failing;
}

const codes = ({ prod }: Stage): readonly string[] =>
  (prod.masters("segment")?.rows ?? []).map(({ authored: row }) => asText(row?.values["cmo_code"]));

const isList = (path: string): boolean => /\/segment\?/.test(path) && !/[?&]count=1(?:&|$)/.test(path);

async function ending(run: Promise<Result>): Promise<unknown> {
  return run.then(
    ({ exitCode }) => exitCode,
    (error: unknown) => String(error),
  );
}

test("a search that fails so makes no master twice", async () => {
  const here = await stage([segment]);
  const server = await failing(here, "target", (path) => path.includes("/search"));
  for (const data of [here.dev, here.prod]) author(data, { cmo_code: "A", cmo_name: "a" });
  server.isOn = true;
  expect(await ending(here.apply())).toMatch(/it tells of an error/);
  expect(codes(here)).toEqual(["A"]);
});

test("a list of the source that fails so removes nothing", async () => {
  const here = await stage([segment], true);
  const server = await failing(here, "source", isList);
  for (const code of ["A", "B"]) author(here.dev, { cmo_code: code, cmo_name: "a" });
  author(here.prod, { cmo_code: "X", cmo_name: "x" });
  expect(await ending(here.apply())).toBe(exitCodes.done);
  server.isOn = true;
  expect(await ending(here.apply({ allowDelete: true, maxDeletes: 10 }))).toMatch(/it tells of an error/);
  expect(codes(here)).toEqual(["X", "A", "B"]);
});
