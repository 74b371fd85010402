import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/**
 * The command as one file: reading a few hundred modules costs more than all that `ferry --version` does. What programs
 * import (`dist/index.js` and its types) stays as the compiler made it.
 */
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const bundle = await rolldown({
  input: at("src/main.ts"),
  platform: "node",
  external: [/^node:/],
  treeshake: true,
  onLog(level, log) {
    // A warning of the bundler is a mistake of ours, or a library that will not run from one file.
    if (level === "warn") throw new Error(`${log.code ?? "warning"}: ${log.message}`);
  },
});
const { output } = await bundle.write({
  file: at("dist/main.js"),
  format: "esm",
  codeSplitting: false,
  comments: { legal: true },
  minify: false,
});
await bundle.close();

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
