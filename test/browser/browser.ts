import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

const candidates = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"];

/** Where a browser is, or why there is none. */
export function findBrowser(): { readonly path: string } | { readonly missing: string } {
  const path = candidates.find((candidate) => candidate !== undefined && existsSync(candidate));
  if (path !== undefined) return { path };
  return { missing: "no browser: CHROMIUM_PATH names no file and /usr/bin/chromium is not there" };
}

/** The title of a skipped test; also written out, since a reporter may show the number of skipped tests only. */
export function skipped(what: string, missing: string): string {
  const title = `${what}: skipped, ${missing}`;
  process.stderr.write(`${title}\n`);
  return title;
}

export function launch(path: string): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", ...quiet];
  return chromium.launch({ executablePath: path, args });
}
