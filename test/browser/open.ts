import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Result } from "../../src/model/result.ts";
import { renderHtml } from "../../src/report/index.ts";

/** What a page shows after a click or a key comes a moment later: it is asked again until it is there. */
export const patient = { timeout: 10_000 };

export interface Opened extends AsyncDisposable {
  readonly page: Page;
  /** Errors, dialogs and requests that were seen: all of them are faults. */
  readonly faults: readonly string[];
}

let files = 0;

/** Opens a report from disk, as somebody does who got it from a pipeline. */
export async function open(
  browser: Browser,
  folder: string,
  result: Result,
  options: BrowserContextOptions & { readonly hash?: string } = {},
): Promise<Opened> {
  const { hash = "", ...contextOptions } = options;
  const file = join(folder, `${(files += 1)}.html`);
  writeFileSync(file, renderHtml(result));
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...contextOptions,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const address = pathToFileURL(file).href;
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("data:")) faults.push(`request: ${url}`);
  });
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]", { timeout: 20_000 });
  return { page, faults, [Symbol.asyncDispose]: () => context.close() };
}

export async function shown(page: Page): Promise<readonly string[]> {
  return page.locator(".card:visible .name").allTextContents();
}

/** How much wider the page is than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Where the two sides of a field begin; asked for at once, since a page that scrolls moves in between. */
export function tops(row: Locator): Promise<readonly [before: number, after: number]> {
  return row.evaluate((element) => {
    const top = (side: string): number =>
      element.querySelector(side)?.getBoundingClientRect().top ?? Number.NaN;
    return [top(".before"), top(".after")];
  });
}
