import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { ratio } from "../figure.ts";
import { excess, leastReads, leastWrites, sum } from "../least.ts";
import { stage } from "../stage.ts";

/** Requests of a first run against the pages and batches that it cannot do without. */
export async function requests(pace: Pace): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const size of pace.quick ? [200] : [2_000, 10_000]) {
    const at = await stage(`large:${size}`, { keepLog: true });
    try {
      const { emulator } = at;
      const [source, target] = [emulator.tenant("dev"), emulator.tenant("prod")];
      // Before the run: the target holds primary monitors and nothing else.
      const least = {
        dev: leastReads(source, "source"),
        prod: { ...leastReads(target, "target"), ...leastWrites(source) },
      };
      await at.run();
      const token = "POST /auth/realms/:realm/protocol/openid-connect/token";
      const sent = emulator.log.count() - emulator.log.count({ route: token });
      const needed = sum(least.dev) + sum(least.prod);
      const more = [...excess(emulator, "dev", least.dev), ...excess(emulator, "prod", least.prod)];
      const share = sent / needed;
      figures.push({
        what: `requests, large:${size}`,
        value: ratio(share),
        goal: { text: "<= 1.05 x", met: share <= 1.05 },
        from: `${sent} sent, ${needed} pages and batches${more.length === 0 ? "" : `; ${more.join("; ")}`}`,
      });
    } finally {
      await at.close();
    }
  }
  return figures;
}
