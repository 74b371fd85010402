import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { ratio, seconds } from "../figure.ts";
import { excess, leastReads, sum } from "../least.ts";
import { stage } from "../stage.ts";

/** A second run: it reads both sides once and writes nothing. */
export async function unchanged(pace: Pace): Promise<readonly Figure[]> {
  const size = pace.quick ? 200 : 2_000;
  const at = await stage(`large:${size}`, { keepLog: true });
  try {
    const { emulator } = at;
    await at.run();
    emulator.log.clear();
    const again = await at.run();
    const least = {
      dev: leastReads(emulator.tenant("dev"), "source"),
      prod: leastReads(emulator.tenant("prod"), "target"),
    };
    const sent = again.requests.source.reads + again.requests.target.reads + again.requests.target.writes;
    const needed = sum(least.dev) + sum(least.prod);
    const more = [...excess(emulator, "dev", least.dev), ...excess(emulator, "prod", least.prod)];
    const { writes } = again.requests.target;
    return [
      {
        what: `a run without changes, large:${size}`,
        value: ratio(sent / needed),
        goal: { text: "the listings", met: sent <= needed && writes === 0 },
        from: `${sent} requests, ${needed} pages, ${writes} writes, ${seconds(again.wallMs)}${more.length === 0 ? "" : `; ${more.join("; ")}`}`,
      },
    ];
  } finally {
    await at.close();
  }
}
