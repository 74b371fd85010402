export { AbandonedList } from "./abandoned-list.ts";
export type { AppliedTree, AppliedTrees, TreeToKeep } from "./applied-trees.ts";
export { choices, DecidedList } from "./decided-list.ts";
export type { Choice, Decided } from "./decided-list.ts";
export type { Abandoned } from "./abandoned-list.ts";
export {
  describeParty,
  explainIo,
  fileStore,
  makeFolders,
  mergeMappingFiles,
  nodeDisk,
  openEventLog,
  placesOf,
  readJsonFile,
  sameParty,
  writeAtomic,
  writeJsonFile,
} from "./files/index.ts";
export type {
  Disk,
  DiskLock,
  EventLog,
  FileStoreOptions,
  MergedFiles,
  MergeFiles,
  Places,
  WriteOptions,
} from "./files/index.ts";
export { storePoints } from "./hooks.ts";
export type { StoreHooks, StorePoint } from "./hooks.ts";
export { MemoryPlace, memoryStore } from "./memory/index.ts";
export { mergedPrints } from "./merged-prints.ts";
export type * from "./rows.ts";
export type {
  Archive,
  Holder,
  Journal,
  Lease,
  Report,
  RunOfPlan,
  SnapshotFinish,
  SnapshotObject,
  SnapshotReader,
  SnapshotWriter,
  Store,
  Work,
} from "./store.ts";
export { inOrder, timeInName } from "./kept-run.ts";
export type { KeptRun, RunBy } from "./kept-run.ts";
export { StoreError } from "./store-error.ts";
export type { StoreErrorCode } from "./store-error.ts";
