import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { registry } from "../../src/kinds/index.ts";
import { planJsonSchema } from "../../src/plan/json-schema.ts";
import { manualPage, programOf } from "./manual.ts";

/** What the package holds beside the program: its launcher, its manual page, the schema of plans. */
const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const { version } = JSON.parse(readFileSync(at("package.json"), "utf8")) as { readonly version: string };

copyFileSync(at("src/ferry.js"), at("dist/ferry.js"));
writeFileSync(at("dist/ferry.1"), manualPage(programOf(version), version));
const schema = planJsonSchema(registry.sections(), registry.selectable());
writeFileSync(at("dist/plan.schema.json"), `${JSON.stringify(schema, undefined, 2)}\n`);
