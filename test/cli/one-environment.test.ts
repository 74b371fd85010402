import { afterEach, expect, test } from "vitest";
import { startProxy } from "./support/proxy.ts";
import { useStage } from "./support/stage.ts";

const stage = useStage("demo");
let gateway: Awaited<ReturnType<typeof startProxy>> | undefined;

afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});

test.each(["diff", "apply --yes", "sync --yes --allow-delete", "verify", "doctor", "mappings suggest"])(
  "%s: a gateway before the source is no target",
  async (words) => {
    gateway = await startProxy(stage().emulator.url, () => undefined);
    const source = stage().environment("dev");
    stage().plan({ target: { ...source, name: "prod", baseUrl: `${gateway.url}/dev` } });
    const [command = "", ...flags] = words.split(" ");
    const argv = command === "mappings" ? ["mappings", "move", ...flags] : [command, "move", ...flags];
    const { exitCode, diagnostics } = await stage().json(argv);
    expect(exitCode).toBe(64);
    const found = diagnostics.find(({ code }) => code === "one-environment");
    expect(found?.summary).toContain(stage().emulator.baseUrl("dev"));
    expect(found?.summary).toContain(`${gateway.url}/dev`);
    expect(stage().writes("dev")).toEqual([]);
  },
);
