/**
 * The instants at which a crash is worth trying. The crash suite stops the process, or throws, when one is
 * reached; production code passes no hooks.
 */
export const storePoints = [
  "lock:after-acquire",
  "journal:before-write",
  "journal:after-write",
  "journal:after-sync",
  "compact:before-rename",
  "compact:after-rename",
  "mapping:before-rename",
  "mapping:after-rename",
  "snapshot:before-swap",
  "snapshot:mid-swap",
  "snapshot:after-swap",
  "rows:before-rename",
  "rows:after-rename",
  "comparison:before-keep",
  "comparison:after-keep",
  "comparison:before-rename",
  "comparison:after-rename",
] as const;
export type StorePoint = (typeof storePoints)[number];

export interface StoreHooks {
  reached(point: StorePoint): void | Promise<void>;
}
