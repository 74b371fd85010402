import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blockedBySource } from "../report/blocked.ts";
import { emptyResult, largeResult, ordinaryResult, resultOf, richResult } from "../report/fixtures.ts";
import { findBrowser, launch, skipped } from "./browser.ts";
import { diffPlan } from "../../src/operations/diff.ts";
import { world } from "../support/world.ts";
import { inWhole } from "../support/whole.ts";
import { open, overflow, patient, shown, tops } from "./open.ts";

const found = findBrowser();
const ordinary = ordinaryResult();

if ("missing" in found) {
  test.skip(skipped("the HTML report in a real browser", found.missing));
} else {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "report-"));
    browser = await launch(found.path);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  describe("the HTML report in a real browser", () => {
    test.each([
      ["rich", richResult()],
      ["empty", emptyResult()],
    ])(
      "the %s one opens, and every part of it, without an error, a dialog or a request",
      async (_name, result) => {
        await using opened = await open(browser, folder, result);
        const { page, faults } = opened;
        if (result.changes.length > 0) await page.getByRole("button", { name: "Open all" }).click();
        await page.waitForTimeout(100);
        expect(faults).toEqual([]);
        await expect.poll(async () => page.locator(".card").count(), patient).toBe(result.changes.length);
        await expect
          .poll(async () => page.locator("main img, main iframe, main script").count(), patient)
          .toBe(0);
      },
    );

    test("hostile names are text, and do what they do nowhere", async () => {
      await using opened = await open(browser, folder, richResult());
      const { page, faults } = opened;
      await page.getByRole("button", { name: "Open all" }).click();
      const names = await shown(page);
      for (const name of [
        "<img src=x onerror=alert(1)>",
        "</script><script>alert(2)</script>",
        "__proto__",
        "constructor",
      ]) {
        expect(names).toContain(name);
      }
      expect(names.join("")).not.toContain("\u202e");
      await expect.poll(async () => page.evaluate(() => Object.keys(Object.prototype)), patient).toEqual([]);
      expect(faults).toEqual([]);
    });

    test("a flag stays in one piece however narrow the page, and what is not there is called so on each side", async () => {
      const conflict = ordinary.changes.find(({ action }) => action === "conflict");
      if (conflict === undefined) throw new Error("there is no conflict");
      const result = resultOf(
        [{ ...conflict, fields: [{ path: "/abbreviation", from: "B", base: {}, movedAt: "target" }] }],
        { headline: "Nothing was done, since nothing of it may be done without --allow-delete." },
      );
      await using opened = await open(browser, folder, result);
      const { page, faults } = opened;
      for (const width of [390, 420, 450, 480, 510]) {
        await page.setViewportSize({ width, height: 800 });
        const flag = page.locator(".headline .flag");
        expect(await flag.evaluate((element) => element.getClientRects().length)).toBe(1);
      }
      await page.getByRole("button", { name: "Open all" }).click();
      await expect
        .poll(async () => page.locator("table.fields td").allTextContents(), patient)
        .toEqual(["none", "B", "none"]);
      expect(faults).toEqual([]);
    });

    inWhole("script and styles of others are refused by its policy", async () => {
      await using opened = await open(browser, folder, emptyResult());
      const ran = await opened.page.evaluate(() => {
        const script = document.createElement("script");
        try {
          script.textContent = "document.documentElement.dataset.hacked = 'yes'";
          document.body.append(script);
        } catch {
          return "refused";
        }
        return document.documentElement.dataset["hacked"] ?? "refused";
      });
      expect(ran).toBe("refused");
    });

    inWhole("puts first what needs a person, opened, with its next step; deletes loud", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      const titles = await page.locator("section:visible h2").allTextContents();
      // But for a warning about the run itself: whoever reads on must have seen it.
      expect(titles).toEqual([
        "About the run",
        "Needs a person 7",
        "Deletes withheld 2",
        "Changes 4",
        "Dependencies",
        "Creates 3",
      ]);
      await expect.poll(async () => page.locator("#persons .card[open]").count(), patient).toBe(7);
      await expect
        .poll(async () => page.locator("#persons .step").count(), patient)
        .toBeGreaterThanOrEqual(7);
      const ground = await page
        .locator("#deletes h2")
        .evaluate((title) => getComputedStyle(title).backgroundColor);
      expect(ground).toBe("rgb(179, 22, 30)");
    });

    inWhole("a row that is closed shows that more is said inside of it", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      const row = page.locator("#persons .card", { hasText: "Invoices, hourly" }).first().locator("summary");
      await expect.poll(async () => row.locator(".said").textContent(), patient).toBe("1 note");
      await expect
        .poll(
          async () =>
            page.locator("#changes .card", { hasText: "Customer" }).first().locator(".said").count(),
          patient,
        )
        .toBe(0);
    });

    inWhole("searches names, URNs, field paths and values", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      const search = async (text: string): Promise<readonly string[]> => {
        await page.getByRole("searchbox").fill(text);
        await page.waitForFunction(
          (query) => new URLSearchParams(location.hash.slice(1)).get("q") === query,
          text,
        );
        return shown(page);
      };
      await expect.poll(async () => search("quality OVERVIEW"), patient).toEqual(["Quality overview"]);
      await expect
        .poll(async () => search("dq-dashboard:00000000-0000-4000-8000-000000000002"), patient)
        .toEqual(["Finance"]);
      await expect.poll(async () => search("/legacyCode"), patient).toEqual(["Customer"]);
      await expect.poll(async () => search("36 months"), patient).toEqual(["Customer"]);
      await expect.poll(async () => search("Müller"), patient).toEqual(["Customer"]);
      await expect.poll(async () => search("nowhere at all"), patient).toEqual([]);
      await expect
        .poll(async () => page.locator(".empty").textContent(), patient)
        .toBe("Nothing passes these filters.");
      await page.getByRole("button", { name: "Clear filters" }).click();
      await expect.poll(async () => shown(page), patient).toHaveLength(ordinary.changes.length);
    });

    inWhole("finds ids as a whole, and no fragments of them", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      const search = async (text: string): Promise<number> => {
        await page.getByRole("searchbox").fill(text);
        await page.waitForFunction(
          (query) => new URLSearchParams(location.hash.slice(1)).get("q") === query,
          text,
        );
        return (await shown(page)).length;
      };
      await expect
        .poll(async () => search("00000000-0000-4000-8000-000000000002"), patient)
        .toBeGreaterThan(0);
      await expect.poll(async () => search("8000-0000"), patient).toBe(0);
      await expect.poll(async () => search("4000"), patient).toBe(0);
    });

    inWhole(
      "what is opened stays so behind a filter, and nothing is drawn where nothing passes",
      async () => {
        await using opened = await open(browser, folder, ordinary);
        const { page } = opened;
        await page.getByRole("button", { name: "Open all" }).click();
        const closed = page.locator("details.card:visible:not([open])");
        await expect.poll(async () => closed.count(), patient).toBe(0);
        await page.locator("#persons details.card[open] > summary").first().click();
        await expect.poll(async () => closed.count(), patient).toBe(1);
        await page.getByRole("searchbox").fill("nowhere at all");
        await expect.poll(async () => page.locator("#dependencies").isVisible(), patient).toBe(false);
        await page.getByRole("button", { name: "Clear filters" }).click();
        await expect.poll(async () => page.locator("#dependencies").isVisible(), patient).toBe(true);
        await expect(page.getByRole("button", { name: "Close all" }).count()).resolves.toBe(1);
        await expect.poll(async () => closed.count(), patient).toBe(0);
      },
    );

    inWhole("on a phone each value has the title that it has on a desk", async () => {
      await using opened = await open(browser, folder, ordinary, { viewport: { width: 390, height: 800 } });
      const { page } = opened;
      await page.getByRole("button", { name: "Open all" }).click();
      const tables = await page.locator("table.fields").evaluateAll((all) =>
        all.map((table) => ({
          heads: [...table.querySelectorAll("thead th")].slice(1).map((head) => head.textContent),
          labels: [...(table.querySelector("tbody tr")?.querySelectorAll("td") ?? [])].map(
            (cell) => cell.dataset["label"],
          ),
        })),
      );
      expect(tables.length).toBeGreaterThan(2);
      for (const { heads, labels } of tables) expect(labels).toEqual(heads);
    });

    inWhole(
      "warnings of the run are read before all else, without a click; many of them and notes fold",
      async () => {
        const [warning] = ordinary.diagnostics;
        if (warning === undefined) throw new Error("the run has no warning");
        const diagnostics = [
          { ...warning, severity: "info", summary: "A note" } as const,
          ...Array.from({ length: 14 }, (_, index) => ({ ...warning, summary: `Warning ${index}` })),
        ];
        await using opened = await open(browser, folder, { ...ordinary, diagnostics });
        const { page } = opened;
        expect(await page.locator("main > *").evaluateAll((parts) => parts.map(({ id }) => id))).toEqual(
          expect.arrayContaining(["", "run", "", "persons"]),
        );
        const tops = await page
          .locator("#run, .toolbar, #persons")
          .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top));
        expect(tops).toEqual(tops.toSorted((a, b) => a - b));
        await expect.poll(async () => page.locator("#run .note.warning:visible").count(), patient).toBe(10);
        const folded = page.locator("#run details.folded");
        expect(await folded.evaluate((box) => (box as HTMLDetailsElement).open)).toBe(false);
        expect(await folded.locator("summary").textContent()).toBe("4 more warnings, 1 note");
        expect(await folded.locator(".note").count()).toBe(5);
      },
    );

    inWhole("notes of a run of which nothing is wrong stay below, folded", async () => {
      const [warning] = ordinary.diagnostics;
      if (warning === undefined) throw new Error("the run has no warning");
      await using opened = await open(browser, folder, {
        ...ordinary,
        diagnostics: [{ ...warning, severity: "info" }],
      });
      const { page } = opened;
      const parts = await page.locator("main > *").evaluateAll((all) => all.map(({ id }) => id));
      expect(parts.indexOf("run")).toBeGreaterThan(parts.indexOf("changes"));
      expect(
        await page.locator("#run details.folded").evaluate((box) => (box as HTMLDetailsElement).open),
      ).toBe(false);
    });

    inWhole("a filter leads to what it shows, and the picture fits", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      const { picture, room } = await page.locator(".scroll > svg").evaluate((svg) => ({
        picture: svg.getBoundingClientRect().width,
        room: svg.parentElement?.clientWidth ?? 0,
      }));
      expect(picture).toBeLessThanOrEqual(room);
      await page.getByRole("button", { name: "6 create" }).click();
      const top = await page
        .locator("section:visible:not(#run)")
        .first()
        .evaluate((section) => section.getBoundingClientRect().top);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(400);
    });

    inWhole("rich text is read as text", async () => {
      const node = (text: string): string =>
        JSON.stringify([
          {
            type: "paragraph",
            children: [
              { text },
              { type: "entityReference", gid: "x", entityName: "Order", children: [{ text: "" }] },
            ],
          },
        ]);
      const change = ordinary.changes.find(({ action }) => action === "update");
      if (change === undefined) throw new Error("no update");
      const fields = [{ path: "/description", from: node("See "), to: node("Look at ") }];
      await using opened = await open(browser, folder, resultOf([{ ...change, fields }]));
      const cells = await opened.page.locator(".fields td").allTextContents();
      expect(cells).toEqual(["See @Order", "Look at @Order"]);
    });

    inWhole("the demo's first sync is less than twelve pages of paper", async () => {
      const demo = await world("demo");
      const result = await diffPlan(demo.migration());
      await demo.close();
      await using opened = await open(browser, folder, result);
      const pdf = await opened.page.pdf({ format: "A4" });
      const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? [];
      expect(pages.length).toBeGreaterThan(2);
      expect(pages.length).toBeLessThan(12);
    });

    inWhole(
      "100,000 changes: the page holds all of them, and looks inside only where somebody does",
      async () => {
        await using opened = await open(browser, folder, largeResult(100_000));
        const { page, faults } = opened;
        await expect.poll(async () => page.locator(".status").textContent(), patient).toBe("100,000 shown");
        await expect.poll(async () => page.locator(".card").count(), patient).toBe(100);
        await page.locator("#changes .card summary").nth(7).click();
        await page.locator("#changes .card[open] .body").first().waitFor();
        await expect.poll(async () => page.locator("#changes .card[open] tbody tr").count(), patient).toBe(2);
        await page.getByRole("searchbox").fill("the new text of monitor 50004");
        await page.waitForFunction(() => document.querySelectorAll(".card").length === 1, undefined, {
          timeout: 60_000,
        });
        await expect.poll(async () => shown(page), patient).toEqual(["monitor 50004"]);
        expect(faults).toEqual([]);
      },
      120_000,
    );

    inWhole("filters by action and kind, says how many are left, and keeps it in the address", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      await page.getByRole("button", { name: "6 create" }).click();
      await expect.poll(async () => shown(page), patient).toHaveLength(6);
      await page.getByRole("button", { name: "5 terms" }).click();
      await expect.poll(async () => shown(page), patient).toEqual(["Email address", "顧客番号"]);
      await expect.poll(async () => page.locator(".status").textContent(), patient).toBe("2 of 16 shown");
      await expect
        .poll(
          async () => page.getByRole("button", { name: "6 create" }).getAttribute("aria-pressed"),
          patient,
        )
        .toBe("true");
      expect(page.url()).toMatch(/#action=create&kind=terms$/u);
      await page.reload();
      await expect.poll(async () => shown(page), patient).toEqual(["Email address", "顧客番号"]);
    });

    inWhole("every count that filters shows as many as it says", async () => {
      await using opened = await open(browser, folder, richResult());
      const { page } = opened;
      for (const chip of await page.locator("button.filter").all()) {
        await chip.click();
        const said = Number((await chip.locator("b").textContent())?.replaceAll(",", ""));
        const message = (await chip.textContent()) ?? "";
        await expect.poll(async () => shown(page), { ...patient, message }).toHaveLength(said);
        await chip.click();
      }
    });

    inWhole("sorts by name", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      await page.getByLabel("Order", { exact: true }).selectOption("name");
      const names = await page.locator("#changes .name").filter({ visible: true }).allTextContents();
      const titles = names.filter((name) => !name.includes('"'));
      expect(titles).toEqual(titles.toSorted(new Intl.Collator(undefined, { numeric: true }).compare));
    });

    inWhole("shows what many share once, with what mends it, and leads to each of them", async () => {
      await using opened = await open(browser, folder, resultOf(blockedBySource(30)));
      const { page, faults } = opened;
      const cause = page.locator(".cause");
      await expect
        .poll(async () => cause.locator("h3").allTextContents(), patient)
        .toEqual(['! source "Snowflake DEV" has no twin at the target']);
      await expect
        .poll(async () => cause.locator(".step code").allTextContents(), patient)
        .toEqual(['"Snowflake DEV": "Snowflake PROD"']);
      await cause.getByRole("button", { name: "Monitor 7" }).click();
      const card = page.locator(".card.found");
      await card.locator(".body").waitFor();
      await expect.poll(async () => card.locator(".name").first().textContent(), patient).toBe("Monitor 7");
      expect(faults).toEqual([]);
    });

    inWhole(
      "shows the two sides of a field next to each other, and marks the words that differ",
      async () => {
        await using opened = await open(browser, folder, ordinary);
        const { page } = opened;
        const card = page.locator("#changes .card", { hasText: "Customer" }).first();
        await card.locator("summary").click();
        const row = card.locator("tr", { hasText: "/description" });
        await row.waitFor();
        await expect.poll(async () => row.locator("del").allTextContents(), patient).toEqual(["24"]);
        await expect
          .poll(async () => row.locator("ins").allTextContents(), patient)
          .toEqual(["36", " and partners"]);
        const [before, after] = await tops(row);
        expect(before).toBe(after);
        expect(
          await card.locator("tr", { hasText: "steward" }).locator(".refers").allTextContents(),
        ).toContain("Data Office");
      },
    );

    inWhole("a dependency jumps to the other change, also past a filter", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      await page.getByRole("button", { name: "2 blocked" }).click();
      await page.getByRole("button", { name: 'monitors "Invoices, hourly"' }).click();
      const card = page.locator(".card.found");
      await expect
        .poll(async () => card.locator(".name").first().textContent(), patient)
        .toBe("Invoices, hourly");
      await expect
        .poll(async () => page.evaluate(() => document.activeElement?.tagName), patient)
        .toBe("SUMMARY");
      expect(page.url()).toContain("open=monitors");
      await page.reload();
      await expect
        .poll(async () => page.locator(".card.found .name").first().textContent(), patient)
        .toBe("Invoices, hourly");
    });

    inWhole("the picture shows neighbours on focus and goes to a change by the keyboard", async () => {
      await using opened = await open(browser, folder, ordinary);
      const { page } = opened;
      const node = page.getByRole("link", { name: /^rules Order total is positive/u });
      await node.focus();
      const lit = await page.locator(".node.near text").allTextContents();
      expect(lit.toSorted()).toEqual([
        "Customer",
        "Invoices, hourly",
        "Order total is positive",
        "Orders, daily",
      ]);
      await page.keyboard.press("Enter");
      await expect
        .poll(async () => page.locator(".card.found[open] .name").first().textContent(), patient)
        .toBe("Order total is positive");
    });

    inWhole("follows the system's dark and light, and a toggle that wins over it", async () => {
      await using opened = await open(browser, folder, ordinary, { colorScheme: "dark" });
      const { page } = opened;
      const ground = (): Promise<string> =>
        page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await expect.poll(async () => ground(), patient).toBe("rgb(15, 20, 26)");
      await page.getByRole("button", { name: "Theme: auto" }).click();
      await expect.poll(async () => ground(), patient).toBe("rgb(243, 245, 247)");
      await page.getByRole("button", { name: "Theme: light" }).click();
      await expect.poll(async () => ground(), patient).toBe("rgb(15, 20, 26)");
    });

    inWhole("what an object is called there and its kind stand beside each other, however long", async () => {
      const changes = ordinary.changes.map((change) => ({
        ...change,
        acknowledged: { reason: "ticket 12" },
      }));
      await using opened = await open(browser, folder, { ...ordinary, changes });
      const { page } = opened;
      const known = page.locator(".card > summary", { hasText: "manual acknowledged" }).first();
      await expect.poll(async () => known.count(), patient).toBe(1);
      const [badge, kind] = [
        await known.locator(".badge").boundingBox(),
        await known.locator(".kind").boundingBox(),
      ];
      expect((badge?.x ?? 0) + (badge?.width ?? Infinity)).toBeLessThanOrEqual(kind?.x ?? 0);
    });

    inWhole("has no horizontal scroll bar at 360 pixels, with everything open", async () => {
      await using opened = await open(browser, folder, richResult(), {
        viewport: { width: 360, height: 740 },
      });
      const { page } = opened;
      await expect.poll(async () => overflow(page), patient).toBeLessThanOrEqual(0);
      await page.getByRole("button", { name: "Open all" }).click();
      await expect.poll(async () => overflow(page), patient).toBeLessThanOrEqual(0);
      const row = page.locator("#changes .card[open] tbody tr").first();
      const [before, after] = await tops(row);
      expect(after).toBeGreaterThan(before);
    });

    inWhole("on paper heads are no larger than what they stand over, and a row is a row", async () => {
      // As wide as what a sheet of A4 has between its margins.
      await using opened = await open(browser, folder, ordinary, { viewport: { width: 710, height: 1000 } });
      const { page } = opened;
      await page.emulateMedia({ media: "print" });
      await page.waitForFunction(() => document.querySelectorAll("#changes .card[open] .body").length === 4);
      const size = (selector: string): Promise<number> =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
      expect(await size(".fields thead th")).toBeLessThanOrEqual(await size(".fields td"));
      expect(await size("#changes h2")).toBeLessThan(1.4 * (await size("body")));
      expect(await size(".badge")).toBeLessThanOrEqual(await size("body"));
      const summary = page.locator("#changes .card > summary").first();
      const middles = await summary
        .locator("> .badge, > .kind, > .name, > .size")
        .evaluateAll((parts) =>
          parts.map((part) => part.getBoundingClientRect()).map((box) => box.top + box.height / 2),
        );
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(6);
      await expect.poll(async () => overflow(page), patient).toBeLessThanOrEqual(0);
      const breaks = await page
        .locator("main > *")
        .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).breakAfter));
      expect(new Set(breaks)).toEqual(new Set(["auto"]));
    });

    inWhole(
      "on paper changes are open, creates are a list, nothing is to press; the screen is as before",
      async () => {
        await using opened = await open(browser, folder, largeResult(350), { colorScheme: "dark" });
        const { page } = opened;
        await expect.poll(async () => page.locator(".card").count(), patient).toBe(70);
        await page.emulateMedia({ media: "print" });
        await page.waitForFunction(() => document.querySelectorAll(".card[open] .body").length === 70);
        // Of the 280 creates each is named, and none is open.
        const names = page.locator("#creates .names");
        await expect.poll(async () => names.first().isVisible(), patient).toBe(true);
        expect((await names.allTextContents()).flatMap((list) => list.split(", "))).toHaveLength(280);
        await expect.poll(async () => page.locator("#creates .card").count(), patient).toBe(0);
        for (const control of [".controls", ".theme", "button.more"]) {
          await expect.poll(async () => page.locator(control).first().isVisible(), patient).toBe(false);
        }
        await expect
          .poll(async () => page.evaluate(() => getComputedStyle(document.body).backgroundColor), patient)
          .toBe("rgb(255, 255, 255)");
        await page.emulateMedia({ media: "screen" });
        await page.waitForFunction(() => document.querySelectorAll(".card[open]").length === 0);
        await expect.poll(async () => page.locator(".card").count(), patient).toBe(70);
      },
    );

    inWhole("5,000 changes open, filter and page", async () => {
      await using opened = await open(browser, folder, largeResult());
      const { page, faults } = opened;
      await expect.poll(async () => page.locator(".card").count(), patient).toBe(100);
      await page.getByRole("button", { name: "Show 100 more of 900" }).click();
      await expect.poll(async () => page.locator(".card").count(), patient).toBe(200);
      // Creates that say the same are one line, and open a page at a time.
      const group = page.locator("#creates .group", { hasText: "monitors" });
      await expect.poll(async () => page.locator("#creates .group").count(), patient).toBe(4);
      await expect
        .poll(async () => group.locator("summary").first().textContent(), patient)
        .toContain("1,000");
      await group.locator("summary").first().click();
      await group.locator(".card").nth(99).waitFor();
      await expect
        .poll(async () => group.getByRole("button", { name: "Show 100 more of 900" }).count(), patient)
        .toBe(1);
      await page.getByRole("searchbox").fill("the new text of monitor 2504");
      await page.waitForFunction(() => document.querySelectorAll(".card").length === 1);
      await expect.poll(async () => shown(page), patient).toEqual(["monitor 2504"]);
      await page.locator(".card summary").click();
      await page.getByRole("button", { name: 'rules "rule 1254"' }).click();
      await expect
        .poll(async () => page.locator(".card.found .name").first().textContent(), patient)
        .toBe("rule 1254");
      // What is further up comes in as one scrolls there, and may move the picture under the pointer: then once more.
      await expect
        .poll(async () => {
          await page.getByRole("link", { name: /^terms, 1,250 changes/u }).click();
          return page.locator(".status").textContent();
        }, patient)
        .toBe("1,250 of 5,000 shown");
      expect(faults).toEqual([]);
    });

    inWhole("can be used without a mouse: everything that acts takes the focus and has a name", async () => {
      await using opened = await open(browser, folder, ordinary);
      const nameless = await opened.page.evaluate(() =>
        [
          ...document.querySelectorAll<HTMLElement>(
            "button, a, input, select, summary, [role=link], [role=region]",
          ),
        ]
          .filter((element) => element.tabIndex < 0 || (element.ariaLabel ?? element.textContent) === "")
          .map((element) => element.outerHTML),
      );
      expect(nameless).toEqual([]);
    });
  });
}
