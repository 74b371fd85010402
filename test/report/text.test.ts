import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import type { AppliedChange } from "../../src/model/change.ts";
import { columns } from "../../src/report/columns.ts";
import { piecesOfText, renderMarkdown, renderText } from "../../src/report/index.ts";
import { emptyResult, largeResult, ordinaryResult, resultOf, richResult } from "./fixtures.ts";
import { inWhole } from "../support/whole.ts";
import { richChanges } from "./rich.ts";

const ordinary = ordinaryResult();

// oxlint-disable-next-line no-control-regex -- control characters are what must not be there
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

describe("text", () => {
  test("says counts, changes, what needs a person, deletes, the end and what is next", () => {
    expect(renderText(ordinary)).toMatchInlineSnapshot(`
      "ferry apply orders: dev -> prod, run 20261121-0807-4f2a
        6 create, 2 update, 1 replace, 1 adopt, 2 delete, 118 unchanged
        needs a person: 1 failed, 1 in doubt, 1 conflict, 1 drift, 2 blocked, 1 manual

      Create (3)
        + terms Email address
                not at prod yet; needed by rules "Email is well formed"
        + terms 顧客番号              not at prod yet
        + rules Email is well formed  not at prod yet

      Update (2)
        ~ terms "Customer"
            urn:gov:acme-prod:catalog:term:00000000-0000-4000-8000-000000000067
            changed at dev since the last apply
            ~ /description:
                 …nce in the last 24 months. Prospects do not count."
              -> …nce in the last 36 months. Prospects and partners do not count."
            ~ /extraProperties/steward:
                 "Data Office" "urn:gov:acme-prod:catalog:term:00000000-0000-4000-800…
              -> "Müller, Søren 👩\\u{200d}💻" "urn:gov:acme-prod:catalog:term:0000000…
            ~ /aliases: ["Client"] -> ["Client","Buyer"]
            ~ /richDescription:
                 …text":"See Order."}]}
              -> …text":"See Order and Invoice."},{"type":"entityReference","gid":"ur…
            - /legacyCode: "C-01"
        ~ monitors "Orders, daily": not started
            urn:gov:acme-prod:data-quality:dq-monitor:00000000-0000-4000-8000-000000000065
            changed at dev since the last apply
            ~ /schedule/enabled: true -> false
            ~ /ruleInstances/Email is well formed/threshold: 0.95 -> 0.99

      Replace (1)
        -/+ rules "Order total is positive"
            urn:gov:acme-prod:data-quality:rule:00000000-0000-4000-8000-000000000066
            the input type is fixed at creation; the rule is made anew
            ~ /inputs/total/type: "INTEGER" -> "DECIMAL"

      Adopt (1)
        = dashboards Quality overview  same name and same content at prod

      Needs a person (7)
        x monitors "Invoices, hourly": create failed
            urn:gov:acme-dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000002
            the service refused it: 422, the catalog item has no attribute AMOUNT_EUR
            error: The target refused the object at /attributes/amount
              422 ATTRIBUTE_NOT_FOUND: catalog item INVOICES has no attribute
              AMOUNT_EUR
            next: run the documentation flow for INVOICES at prod, then ferry apply
                  orders
        ? monitors "Refunds": create in doubt
            urn:gov:acme-dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000003
            the answer was lost after the request was sent
            next: ferry resolve orders
        ! terms "Order": conflict
            urn:gov:acme-prod:catalog:term:00000000-0000-4000-8000-000000000069
            changed on both sides since the last apply
            ~ /description:
                 "An order, as sales sees it."
              -> "An order, as logistics sees it."
            next: decide which side holds; policy conflict: source-wins takes the
                  source
        ! terms "Invoice": drift
            urn:gov:acme-prod:catalog:term:00000000-0000-4000-8000-000000000068
            changed at prod since the last apply, unchanged at dev
            ~ /description: "Edited in production." -> "A request for payment."
            next: take the target's change over at the source; or policy drift:
                  overwrite discards it
        ! monitors "Stock levels": blocked
            urn:gov:acme-dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000004
            connection "dev-wh" has no twin at prod
            at /catalogItemUrn
            next: ferry mappings orders suggest --kinds connections
        ! dashboards "Finance": create blocked
            urn:gov:acme-dev:data-quality:dq-dashboard:00000000-0000-4000-8000-000000000002
            waits for monitors "Invoices, hourly", which failed
            next: mend what the reason names, then run ferry diff orders again
        ! rules "Postcode (condition builder)": manual
            urn:gov:acme-dev:data-quality:rule:00000000-0000-4000-8000-000000000003
            rules made with the condition builder come without their expression
            next: do this step by hand; this tool cannot do it

      About the run
        warning: The listing of dashboards at dev ended early
          Page 3 of 5 was refused; nothing is concluded from absence.
        next: ferry doctor orders

      !!! DELETES WITHHELD AT prod (2) !!!
        - rules "Fax number is well formed": withheld
            urn:gov:acme-prod:data-quality:rule:00000000-0000-4000-8000-00000000006c
            gone from dev; this tool created it in run 20260901-1200-aa01
        - monitors "Fax numbers, weekly": withheld
            urn:gov:acme-prod:data-quality:dq-monitor:00000000-0000-4000-8000-00000000006d
            gone from dev; this tool created it in run 20260901-1200-aa01

      Applied in part: 1 failed, 1 is in doubt, 5 more need a person.
      12 reads at the source, 30 reads and 9 writes at the target, in 1.2 s
      Next:
        ferry resolve orders
        ferry apply orders
      "
    `);
  });

  test("says in a few lines that there is nothing to do", () => {
    expect(renderText(emptyResult())).toMatchInlineSnapshot(`
      "ferry diff orders: dev -> prod
        240 unchanged

      Nothing to do: prod already has everything.
      12 reads at the source, 30 reads and 0 writes at the target, in 1.2 s
      "
    `);
  });

  test("lists what another command has to tell", () => {
    const details = {
      lock: { holder: "none" },
      kinds: [
        { kind: "terms", mapped: 120, left: 3 },
        { kind: "rules", mapped: 7, left: 0 },
      ],
      notes: ["two\u001b[2J", { deep: { deeper: true } }],
      empty: [],
    };
    expect(renderText({ ...emptyResult(), command: "status", details })).toMatchInlineSnapshot(`
      "ferry status orders: dev -> prod
        240 unchanged

      lock:
        holder: none
      kinds:
        kind   mapped  left
        terms  120     3
        rules  7       0
      notes:
        - two\\u{1b}[2J
        - deep:
            deeper: true
      empty: none

      Nothing to do: prod already has everything.
      12 reads at the source, 30 reads and 0 writes at the target, in 1.2 s
      "
    `);
  });

  test("puts deletes last, after all else that is listed", () => {
    const text = renderText(ordinary);
    const places = ["Create (", "Update (", "Replace (", "Adopt (", "Needs a person (", "!!! DELETES"].map(
      (title) => text.indexOf(title),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("gives a reason and a step for everything that needs a person", () => {
    const text = renderText(ordinary);
    const section = text.slice(text.indexOf("Needs a person ("), text.indexOf("!!! DELETES"));
    const entries = section.split(/\n(?= {2}[!?x] )/u).slice(1);
    expect(entries).toHaveLength(7);
    for (const entry of entries) expect(entry).toContain("next: ");
  });

  test("fits 80 columns, but for URNs and commands, which are there to be copied", () => {
    const lines = renderText(ordinary).split("\n");
    const long = lines.filter((line) => columns(line) > 80 && !/urn:|next: ferry|^ {2}ferry/u.test(line));
    expect(long).toEqual([]);
  });

  test("aligns names that take two columns a character", () => {
    const lines = renderText(ordinary).split("\n");
    const reasons = lines.filter((line) => /^ {2}\+ .*not at prod yet$/u.test(line));
    expect(reasons.length).toBeGreaterThan(1);
    expect(new Set(reasons.map((line) => columns(line.slice(0, line.indexOf("not at")))))).toHaveLength(1);
  });

  test.each([0, 1, 2])("lets no control character through at verbosity %i", (verbose) => {
    expect(raw.exec(renderText(richResult(), { verbose }))).toBeNull();
  });

  test("uses colour only when asked, and says the same with it", () => {
    const coloured = renderText(ordinary, { color: true });
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(renderText(ordinary));
  });

  test("what is alike stands together: the reason once, the names in a few lines, the rest counted", () => {
    const text = renderText(largeResult(400));
    const create = text
      .slice(text.indexOf("Create (320)"), text.indexOf("Update (80)"))
      .trimEnd()
      .split("\n");
    expect(create.length).toBeLessThanOrEqual(1 + 5 * 4);
    expect(create[1]).toMatch(/^ {2}\+ [\w-]+ \(\d+\) {2}\S/);
    expect(create.join("\n")).toMatch(/, \.\.\. and \d+ more/);
    const named = create.filter((line) => line.startsWith("      ")).join(" ");
    const counted = [...named.matchAll(/and (\d+) more/g)].reduce((sum, match) => sum + Number(match[1]), 0);
    expect(
      named
        .replaceAll(/, \.\.\. and \d+ more/g, ",")
        .split(",")
        .filter((name) => name.trim() !== "").length + counted,
    ).toBe(320);
  });

  test("a name that is longer than a line keeps none of the others out", () => {
    const large = largeResult(400);
    const changes = large.changes.map((change, at) =>
      at === 1 && change.source !== undefined
        ? { ...change, source: { ...change.source, name: "long".repeat(75) } }
        : change,
    );
    const [, named = ""] =
      /\+ terms \(80\)[^\n]*\n([\s\S]*?)\n {2}\+ /.exec(renderText({ ...large, changes })) ?? [];
    expect(named).toMatch(/long…,/);
    expect(named).toContain("term 6");
    for (const line of named.split("\n")) expect(columns(line)).toBeLessThanOrEqual(80);
  });

  test.each([1, 6])("what is acknowledged (%d) is told once, and within the page", (count) => {
    const reason = "its logic was made in the condition builder, which the interface does not give out";
    const changes = richChanges()
      .filter(({ action }) => action === "manual")
      .slice(0, 1)
      .flatMap((change) =>
        Array.from({ length: count }, (_, at): AppliedChange => ({
          ...change,
          id: `${change.id}${at}`,
          reason,
          diagnostics: [],
          acknowledged: { reason: "built again by hand", until: "2027-01-31" },
        })),
      );
    const text = renderText(resultOf(changes));
    expect(text).toContain(`Acknowledged (${count})`);
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      ` built again by hand, until 2027-01-31; manual: ${reason} `,
    );
    expect(text).not.toContain("manual acknowledged");
    for (const line of text.split("\n")) expect(columns(line)).toBeLessThanOrEqual(80);
  });

  test("cuts long lists and says so, unless all is asked for", () => {
    const large = largeResult(400);
    expect(renderText(large)).toContain("... and 30 more (see --format html or --json)");
    const whole = renderText(large, { verbose: 1 });
    expect(whole).not.toContain(" more (see");
    for (const change of large.changes) expect(whole).toContain(change.source?.urn);
  });

  test("shortens long values around what differs, unless whole values are asked for", () => {
    const from = `${"same ".repeat(40)}old end`;
    const to = `${"same ".repeat(40)}new end`;
    const change = { ...richChanges()[2], fields: [{ path: "/text", from, to }] };
    const result = resultOf([change as ReturnType<typeof richChanges>[number]]);
    expect(renderText(result)).toContain('old end"');
    expect(renderText(result)).toContain('new end"');
    expect(renderText(result)).not.toContain(from);
    expect(renderText(result, { verbose: 2 })).toContain(JSON.stringify(from));
  });

  test("never loses a count: a create that another failure blocked counts as blocked too", () => {
    expect(renderText(ordinary)).toContain("2 blocked");
    expect(ordinary.summary.blocked).toBe(1);
  });
});

test("a report is made line by line, and of a list that is cut only what is shown is written", () => {
  const result = largeResult();
  const pieces = [...piecesOfText(result, { verbose: 1 })];
  expect(pieces.join("")).toBe(renderText(result, { verbose: 1 }));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000);

  const first = result.changes.find(({ action }) => action === "create") ?? expect.fail("it has changes");
  let asked = 0;
  const counted = Array.from({ length: 20_000 }, (_, index) => ({
    ...first,
    id: `${first.id}-${index}`,
    get fields() {
      asked += 1;
      return first.fields;
    },
  }));
  expect(renderMarkdown(resultOf(counted))).toContain("**Cut to fit:**");
  expect(asked).toBeLessThan(20_000);
});

inWhole("a table of more objects than a call takes arguments is a table", () => {
  const first = richChanges().find(({ action }) => action === "adopt") ?? expect.fail("it adopts one");
  const many = Array.from({ length: 150_000 }, (_, index) => ({
    ...first,
    id: `${first.id}-${index}`,
    reason: `reason ${index}`,
  }));
  expect(renderText(resultOf(many))).toContain("reason 149999");
});

describe("many deletes", () => {
  const deleted = (number: number, diagnostics: AppliedChange["diagnostics"] = []): AppliedChange => ({
    id: `terms:urn:x:prod:catalog:term:${number}`,
    kind: "terms",
    action: "delete",
    target: { urn: `urn:x:prod:catalog:term:${number}`, name: `Term ${number}` },
    reason: "the run created it",
    fields: [{ path: "/description", from: "What it says" }],
    diagnostics,
    dependsOn: [],
  });
  const told = {
    severity: "warning",
    code: "steward-stays-away",
    summary: "Its steward does not come back.",
  } as unknown as AppliedChange["diagnostics"][number];
  const all = [...Array.from({ length: 30 }, (_, number) => deleted(number)), deleted(30, [told])];

  test("are a line each, all of them, and what there is to say of one of them is said", () => {
    const text = renderText(resultOf(all));
    expect(text).toContain("!!! DELETES AT prod (31) !!!");
    for (const { target } of all) expect(text).toMatch(new RegExp(`${target?.name ?? ""}\\b`, "u"));
    expect(text).toContain("Its steward does not come back.");
    expect(text.match(/What it says/gu)).toHaveLength(1);
    expect(renderText(resultOf(all), { verbose: 1 }).match(/What it says/gu)).toHaveLength(31);
  });

  test("a few have all that they say", () => {
    expect(renderText(resultOf(all.slice(0, 5))).match(/What it says/gu)).toHaveLength(5);
  });
});
