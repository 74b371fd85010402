import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: z.object({ functionName: z.string(), url: z.string() }),
      children: z.array(z.int()).optional(),
    }),
  ),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});

/** What Node's `--cpu-prof` writes. */
export type Profile = z.infer<typeof profileSchema>;

export function readProfile(folder: string): Profile {
  const name = readdirSync(folder).find((file) => file.endsWith(".cpuprofile"));
  if (name === undefined) throw new Error(`there is no profile in ${folder}`);
  return profileSchema.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
}

export interface Share {
  /** Milliseconds. */
  readonly part: number;
  readonly all: number;
}

/**
 * The time under frames that belong to a part, callees included, of all time that can be ascribed: without idling,
 * collecting garbage and what has no frames, and without loading modules. A stack belongs by any of its frames' files;
 * an awaited function that goes on stands in its own stack again.
 */
export function shareOf(
  { nodes, samples, timeDeltas }: Profile,
  belongs: (urls: readonly string[]) => boolean,
): Share {
  const own = new Map<number, number>();
  for (const [index, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[index] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const share = { part: 0, all: 0 };
  const walk = (id: number, above: readonly string[]): void => {
    const node = byId.get(id);
    if (node === undefined) return;
    const { functionName, url } = node.callFrame;
    if (nowhere.has(functionName) || url.startsWith("node:internal/modules")) return;
    const urls = url === "" || above.at(-1) === url ? above : [...above, url];
    const time = (own.get(id) ?? 0) / 1000;
    share.all += time;
    if (belongs(urls)) share.part += time;
    for (const child of node.children ?? []) walk(child, urls);
  };
  const [root] = nodes;
  if (root !== undefined) walk(root.id, []);
  return share;
}

const nowhere: ReadonlySet<string> = new Set(["(idle)", "(program)", "(garbage collector)"]);
