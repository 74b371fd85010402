import { queryRename } from "./sql-items.ts";
import { groups, pathRename, sources } from "./sources.ts";

/** The `pairing` section of a plan that fits the demo. */
export interface Pairing {
  readonly sources: Readonly<Record<string, string>>;
  readonly connections: Readonly<Record<string, string>>;
  readonly paths: readonly { readonly pattern: string; readonly replace: string }[];
  /** UUID in the source to UUID in the target. */
  readonly groups: Readonly<Record<string, string>>;
}

/** Under `pairing.queries` of a plan that moves SQL items. */
export const demoQueries = [queryRename] as const;

export const demoPairing: Pairing = {
  sources: Object.fromEntries(sources.map(({ names }) => [names.source, names.target])),
  connections: Object.fromEntries(
    sources.flatMap(({ connections }) => connections.map(({ names }) => [names.source, names.target])),
  ),
  paths: [pathRename],
  groups: Object.fromEntries(groups.map(({ source, target }) => [source, target])),
};
