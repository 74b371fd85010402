import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { oneFile } from "./one-file.ts";

/**
 * The command as one file: reading a few hundred modules costs more than all that `ferry --version` does. What programs
 * import (`dist/index.js` and its types) stays as the compiler made it.
 */
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const output = await oneFile(at("src/main.ts"), at("dist/main.js"));

/** The licences of what is in the file go with it. */
const packages = new Map<string, string>();
for (const chunk of output) {
  if (chunk.type !== "chunk") continue;
  for (const id of chunk.moduleIds) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.slice(id.lastIndexOf("node_modules/")))?.[1];
    if (name !== undefined) packages.set(name, id.slice(0, id.lastIndexOf(`node_modules/${name}/`)));
  }
}
const notices = [...packages]
  .sort(([one], [other]) => one.localeCompare(other))
  .map(([name, root]) => {
    const folder = `${root}node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Record<
      string,
      string
    >;
    const texts = ["LICENSE", "LICENSE.md", "license", "LICENCE", "LICENSE.txt"].flatMap((file) => {
      try {
        return [readFileSync(`${folder}/${file}`, "utf8").trim()];
      } catch {
        return [];
      }
    });
    return `${name} ${version} (${license})\n\n${texts[0] ?? "No licence text in the package."}\n`;
  });
writeFileSync(at("dist/THIRD-PARTY.txt"), notices.join(`\n${"-".repeat(80)}\n\n`));
