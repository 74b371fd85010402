import { expect, test } from "vitest";
import type { Call } from "./calls.ts";
import { criticalPath } from "./critical-path.ts";

const signIn = (environment: string): Call =>
  call(environment, "POST /auth/realms/:realm/protocol/openid-connect/token");

function call(environment: string, route: string, rest: Partial<Call> = {}): Call {
  const { list = `${environment} ${route}` } = rest;
  return {
    environment,
    route,
    writes: false,
    asks: list,
    list,
    makes: [],
    needs: [],
    byId: false,
    ...rest,
  };
}

/** The first pages of a list. */
function list(environment: string, route: string, pages: number): readonly Call[] {
  return Array.from({ length: pages }, (_, page) =>
    call(environment, route, {
      list: `${environment} ${route}`,
      asks: `${environment} ${route} page ${page + 1}`,
    }),
  );
}

function write(route: string, makes: readonly string[], needs: readonly string[] = []): Call {
  return call("prod", route, { writes: true, asks: `${route} ${makes.join()}`, makes, needs });
}

const rounds = (calls: readonly Call[], concurrency = 8): number => criticalPath(calls, concurrency).rounds;

const terms = "GET /api/catalog/v1/terms";
const rules = "GET /api/data-quality/v1/rules";
const model = "GET /api/catalog/v1/metadata-model/entities";
const createTerms = "POST /api/catalog/v1/terms/bulk";
const createRules = "POST /api/data-quality/v1/rules/batch/create";
const createMonitors = "POST /api/data-quality/v1/dq-monitors/batch/create";
const publish = "POST /api/data-quality/v1/dq-dashboards/:urn/publish";

test("sign-in, then a page after the other", () => {
  expect(rounds([signIn("dev"), ...list("dev", rules, 3)])).toBe(4);
});

test("both sides and all lists at once", () => {
  const calls = ["dev", "prod"].flatMap((side) => [
    signIn(side),
    ...list(side, rules, 3),
    ...list(side, "GET /api/data-quality/v1/dq-monitors", 2),
  ]);
  expect(rounds(calls)).toBe(4);
  expect(rounds(calls, 1)).toBe(6);
});

test("a list of the catalog waits for the model, one of data quality does not", () => {
  expect(rounds([signIn("dev"), call("dev", model), ...list("dev", terms, 2)])).toBe(4);
  expect(rounds([signIn("dev"), call("dev", model), ...list("dev", rules, 2)])).toBe(3);
});

test("a look-up by ids waits for the first page of a list", () => {
  const filter = "POST /api/catalog/v1/catalog-items/filter";
  const calls = [signIn("dev"), ...list("dev", rules, 3), call("dev", filter, { byId: true })];
  expect(rounds(calls)).toBe(4);
  expect(rounds([...calls, call("dev", filter, { byId: true, asks: "other ids", list: "other ids" })])).toBe(
    4,
  );
  expect(rounds([signIn("dev"), call("dev", rules), call("dev", filter, { byId: true })])).toBe(3);
});

test("writes wait for all that was read, at both sides, and for what they refer to", () => {
  const read = [signIn("dev"), signIn("prod"), ...list("dev", rules, 4), ...list("prod", rules, 1)];
  expect(rounds(read)).toBe(5);
  const rule = write(createRules, ["Rule 1"]);
  const monitor = write(createMonitors, ["Monitor 1"], ["Rule 1"]);
  expect(rounds([...read, rule])).toBe(6);
  expect(rounds([...read, rule, monitor])).toBe(7);
  // One that refers to nothing new goes beside the rule.
  expect(rounds([...read, rule, write(createMonitors, ["Monitor 2"], ["Rule 9"])])).toBe(6);
  const other = write(publish, [], ["Monitor 1"]);
  expect(rounds([...read, rule, monitor, other])).toBe(8);
});

test("creates of one kind go by their depth", () => {
  const read = [signIn("prod"), call("prod", rules)];
  const parents = write(createTerms, ["Term 1", "Term 2"]);
  const children = write(createTerms, ["Term 3"], ["Term 1"]);
  expect(rounds([...read, parents, children])).toBe(4);
});

test("what was written is read back after the last write to it, page by page", () => {
  const read = [signIn("prod"), ...list("prod", rules, 1)];
  const writes = Array.from({ length: 9 }, (_, index) => write(createRules, [`Rule ${index}`]));
  expect(rounds([...read, ...writes])).toBe(4);
  expect(rounds([...read, ...writes, ...list("prod", rules, 2)])).toBe(6);
  // Begun too early in the log, it counts from the last write all the same.
  expect(rounds([...read, ...writes.slice(0, 8), ...list("prod", rules, 2), ...writes.slice(8)])).toBe(6);
});

test("a kind is read back while another is still written", () => {
  const read = [signIn("prod"), call("prod", rules)];
  const calls = [
    ...read,
    write(createRules, ["Rule 1"]),
    write(createMonitors, ["Monitor 1"], ["Rule 1"]),
    ...list("prod", rules, 1),
    ...list("prod", "GET /api/data-quality/v1/dq-monitors", 1),
  ];
  expect(rounds(calls)).toBe(5);
});

test("asking twice, renewing a token and reading again what nobody wrote make the path no longer", () => {
  const read = [signIn("dev"), signIn("prod"), call("prod", model), ...list("prod", rules, 2)];
  const calls = [...read, write(createRules, ["Rule 1"]), ...list("prod", rules, 2)];
  const path = criticalPath(calls, 8);
  expect(path.rounds).toBe(6);
  const wasteful = [
    ...read,
    ...list("prod", rules, 2),
    write(createRules, ["Rule 1"]),
    signIn("prod"),
    call("prod", model),
    ...list("prod", rules, 2),
    ...list("prod", rules, 2),
  ];
  expect(criticalPath(wasteful, 8)).toEqual(path);
});
