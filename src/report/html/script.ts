import { app } from "./client/app.ts";
import type { Modules } from "./client/app.ts";
import { bodies } from "./client/bodies.ts";
import { cards } from "./client/cards.ts";
import { dom } from "./client/dom.ts";
import { filters } from "./client/filters.ts";
import { header } from "./client/header.ts";
import { lists } from "./client/lists.ts";
import { picture } from "./client/picture.ts";
import { toolbar } from "./client/toolbar.ts";
import { values } from "./client/values.ts";
import { words } from "./client/words.ts";

const modules: Modules = { bodies, cards, dom, filters, header, lists, picture, toolbar, values, words };

/**
 * The page's program: the source text of functions that were checked and tested as modules. Each uses nothing
 * from outside of itself (a test holds them to it), so that no bundler is needed to carry them over.
 */
export function script(): string {
  const parts = Object.entries(modules).map(([name, part]: [string, unknown]) => `${name}: ${String(part)}`);
  const data = 'JSON.parse(document.getElementById("data").textContent)';
  return `"use strict";\n(${String(app)})(${data}, {\n${parts.join(",\n")}\n});\n`;
}
