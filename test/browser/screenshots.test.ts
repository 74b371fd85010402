import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ordinaryResult } from "../report/fixtures.ts";
import { ordinaryParity } from "../report/parity-fixture.ts";
import { findBrowser, launch, skipped } from "./browser.ts";
import { isWhole } from "../support/whole.ts";
import { open } from "./open.ts";

const found = findBrowser();
const wanted = process.env["UPDATE_SCREENSHOTS"] === "1";
const folder = fileURLToPath(new URL("screenshots/", import.meta.url));
const most = 300_000;
const ordinary = ordinaryResult();

/** The light one from the top; the dark one shows the picture and a change; a phone with two pixels a point. */
const views = [
  { name: "report-light", at: "header", colorScheme: "light", viewport: { width: 1280, height: 1300 } },
  { name: "report-dark", at: "#changes", colorScheme: "dark", viewport: { width: 1280, height: 1300 } },
  {
    name: "report-phone",
    at: "header",
    colorScheme: "light",
    viewport: { width: 360, height: 1100 },
    deviceScaleFactor: 2,
  },
] as const;

/** The parity report: what differs, opened, in light and in dark, and on a phone. */
const parityViews = [
  { name: "parity-light", colorScheme: "light", viewport: { width: 1280, height: 1500 } },
  { name: "parity-dark", colorScheme: "dark", viewport: { width: 1280, height: 1500 } },
  {
    name: "parity-phone",
    colorScheme: "light",
    viewport: { width: 360, height: 1500 },
    deviceScaleFactor: 2,
  },
] as const;

if ("missing" in found) {
  test.skip(skipped("screenshots of the HTML report", found.missing));
} else {
  test.runIf(isWhole || wanted).each(views)(
    "$name is a picture of a sensible size",
    async ({ name, at, ...options }) => {
      const temporary = mkdtempSync(join(tmpdir(), "shots-"));
      const browser = await launch(found.path);
      try {
        await using opened = await open(browser, temporary, ordinary, options);
        const { page } = opened;
        await page.locator("#persons .card[open] summary").evaluateAll((rows) => {
          for (const row of rows.slice(1, 4)) (row as HTMLElement).click();
        });
        await page.locator("#changes .card", { hasText: "Customer" }).first().locator("summary").click();
        await page.evaluate((selector) => {
          (document.activeElement as HTMLElement | null)?.blur();
          const top = document.querySelector(selector)?.getBoundingClientRect().top ?? 0;
          scrollTo({ top: selector === "header" ? 0 : scrollY + top - 160, behavior: "instant" });
        }, at);
        if (wanted) mkdirSync(folder, { recursive: true });
        const picture = await page.screenshot(wanted ? { path: join(folder, `${name}.png`) } : {});
        expect(picture.length).toBeGreaterThan(10_000);
        expect(picture.length).toBeLessThan(most);
      } finally {
        await browser.close();
        rmSync(temporary, { recursive: true });
      }
    },
  );

  test.runIf(isWhole || wanted).each(parityViews)(
    "$name is a picture of a sensible size",
    async ({ name, ...options }) => {
      const temporary = mkdtempSync(join(tmpdir(), "shots-"));
      const browser = await launch(found.path);
      try {
        await using opened = await open(browser, temporary, ordinaryParity(), options);
        if (wanted) mkdirSync(folder, { recursive: true });
        const picture = await opened.page.screenshot(wanted ? { path: join(folder, `${name}.png`) } : {});
        expect(picture.length).toBeGreaterThan(10_000);
        expect(picture.length).toBeLessThan(most);
      } finally {
        await browser.close();
        rmSync(temporary, { recursive: true });
      }
    },
  );
}
