import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  differentPair,
  hostile,
  hostileParity,
  ordinaryParity,
  pairOf,
  parityResult,
} from "../report/parity-fixture.ts";
import { inWhole } from "../support/whole.ts";
import { findBrowser, launch, skipped } from "./browser.ts";
import { open, overflow, patient } from "./open.ts";

const found = findBrowser();

if ("missing" in found) {
  test.skip(skipped("the parity report in a real browser", found.missing));
} else {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "parity-"));
    browser = await launch(found.path);
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  describe("the parity report in a real browser", () => {
    inWhole("opens what differs, with both sides as bars, and drills down to the rule instance", async () => {
      await using opened = await open(browser, folder, ordinaryParity());
      const { page, faults } = opened;
      const first = page.locator(".card").first();
      await expect.poll(async () => first.getAttribute("open"), patient).not.toBeNull();
      await expect
        .poll(async () => first.locator("> summary .number").allTextContents(), patient)
        .toEqual(["94.19 %", "86.05 %"]);
      const widths = await first
        .locator("> summary .bar rect")
        .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute("width"))));
      expect(widths.map(Math.round)).toEqual([94, 86]);
      const instance = first.locator(".instance[open]").first();
      await expect
        .poll(async () => instance.locator(".name, .label").first().textContent(), patient)
        .toBe("Number is present");
      await expect
        .poll(async () => instance.locator(".facts").innerText(), patient)
        .toContain("parameter limit");
      await expect.poll(async () => first.locator(".samples").innerText(), patient).toContain("<b>bold</b>");
      await expect.poll(async () => first.locator(".trend polyline").count(), patient).toBe(2);
      expect(faults).toEqual([]);
    });

    inWhole("hostile names are text, and do what they do nowhere", async () => {
      await using opened = await open(browser, folder, hostileParity());
      const { page, faults } = opened;
      await page.getByRole("button", { name: "Open all" }).click();
      const names = await page.locator(".card > summary .name").allTextContents();
      for (const name of hostile.slice(0, 4)) expect(names).toContain(name);
      expect(names.join("")).not.toContain("\u202e");
      await expect
        .poll(async () => page.locator("main img, main iframe, main script").count(), patient)
        .toBe(0);
      expect(faults).toEqual([]);
    });

    inWhole("filters by outcome and kind, searches inside, and sorts", async () => {
      await using opened = await open(browser, folder, ordinaryParity());
      const { page, faults } = opened;
      const rows = page.locator(".card");
      await expect.poll(async () => rows.count(), patient).toBe(43);
      await page.getByRole("button", { name: "1 not comparable" }).click();
      await expect
        .poll(async () => rows.locator(".reason").allTextContents(), patient)
        .toEqual(["it has never run at prod"]);
      await page.getByRole("button", { name: "1 not comparable" }).click();
      await page.locator("#search").fill("tier");
      await expect
        .poll(async () => page.locator(".card > summary .name").allTextContents(), patient)
        .toEqual(["Harvest Club"]);
      expect(new URL(page.url()).hash).toContain("q=tier");
      await page.locator("#search").fill("");
      await page.locator("#sort").selectOption("target");
      await expect
        .poll(async () => page.locator(".card > summary .name").first().textContent(), patient)
        .toBe("Harvest Club");
      await page.locator("#search").fill("nothing like it");
      await expect
        .poll(async () => page.locator(".empty").textContent(), patient)
        .toBe("Nothing passes these filters.");
      expect(faults).toEqual([]);
    });

    inWhole("shows a page of many pairs at a time, and opens all of them for paper", async () => {
      const many = Array.from({ length: 450 }, (_, index) => pairOf(index + 1));
      await using opened = await open(browser, folder, parityResult([...many, differentPair(999)]));
      const { page, faults } = opened;
      await expect.poll(async () => page.locator(".card").count(), patient).toBe(100);
      await page.getByRole("button", { name: /Show 100 more/ }).click();
      await expect.poll(async () => page.locator(".card").count(), patient).toBe(200);
      await page.emulateMedia({ media: "print" });
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      await expect.poll(async () => page.locator(".card[open]").count(), patient).toBe(451);
      expect(faults).toEqual([]);
    });

    inWhole.each([
      ["wide", 1280],
      ["a phone", 360],
    ])("fits %s, whatever is in it", async (_name, width) => {
      await using opened = await open(browser, folder, hostileParity(), { viewport: { width, height: 900 } });
      const { page } = opened;
      await page.getByRole("button", { name: "Open all" }).click();
      await expect.poll(async () => overflow(page), patient).toBeLessThanOrEqual(0);
    });

    inWhole("its texts can be read in light and in dark", async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await using opened = await open(browser, folder, ordinaryParity(), { colorScheme });
        const low = await opened.page.evaluate(() => {
          const luminance = (color: string): number => {
            const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
            const part = (value: number): number => {
              const share = value / 255;
              return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            };
            return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
          };
          const ground = (element: Element): string => {
            for (let at: Element | null = element; at !== null; at = at.parentElement) {
              const { backgroundColor } = getComputedStyle(at);
              if (!/rgba\(.*, 0\)|transparent/.test(backgroundColor)) return backgroundColor;
            }
            return "rgb(255, 255, 255)";
          };
          return [
            ...document.querySelectorAll(
              ".where, .number, .records, .about, .by, .size, .reason, .badge, .facts th, .facts td, .box h3",
            ),
          ]
            .filter((element) => element.textContent.trim() !== "")
            .flatMap((element) => {
              const [one, other] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
              const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
              return ratio < 4.5 ? [`${element.className} ${ratio.toFixed(2)}`] : [];
            });
        });
        expect([...new Set(low)]).toEqual([]);
      }
    });
  });
}
