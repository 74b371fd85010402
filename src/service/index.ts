/** The client of the service: what the rest of the program may use of it. */
export type { BatchAnswer, BatchResult } from "./batch.ts";
export { certificateAdvice } from "./certificate.ts";
export type { CatalogReads, EntityWanted, Wanted } from "./catalog-reads.ts";
export type { AttributeTerms, CatalogWrites } from "./catalog-writes.ts";
export type { ReadClient, WriteClient } from "./client.ts";
export { openReadClient, openWriteClient } from "./client.ts";
/** Master data (document 3): another server, another way to sign in, records of two layers. */
export type {
  InstanceEntity,
  InstanceKey,
  MasterEntity,
  RecordAddress,
  RecordEntity,
} from "./master-data-address.ts";
export type { RecordChange, Written } from "./master-data-answers.ts";
export type { MasterDataReadClient, MasterDataWriteClient } from "./master-data-client.ts";
export { openMasterDataReadClient, openMasterDataWriteClient } from "./master-data-client.ts";
export type { Identified, IdentifyInput, Match } from "./master-data-identify.ts";
export type { ListedPage, RecordPage, RecordQuery, RecordRange } from "./master-data-lists.ts";
export type { EntityMetadata, NamedThing } from "./master-data-metadata.ts";
export type {
  Directory,
  MasterDataReads,
  Override,
  Period,
  Wanted as WantedRecords,
} from "./master-data-reads.ts";
export type { HistoricalRecord, StoredRecord } from "./master-data-records.ts";
export { preloaded } from "./master-data-records.ts";
export type {
  InstanceContent,
  MasterContent,
  MasterDataWrites,
  RelatedInstance,
} from "./master-data-writes.ts";
export { sourceTimestamp } from "./master-data-writes.ts";
export type { Clock } from "./clock.ts";
export type { Arrived, Problem, ProblemEntry, ServiceErrorKind } from "./error.ts";
export { ServiceError } from "./error.ts";
export type { ClientEvent } from "./events.ts";
export type { ClientOptions, Environment, MasterDataEnvironment } from "./options.ts";
export type { AskedFor, Heard, Tape } from "./tape.ts";
export type { Page } from "./pages.ts";
export type { ProcessingReads, RunQuery, WorkflowState } from "./processing-reads.ts";
export type { ProcessingWrites } from "./processing-writes.ts";
export type { QualityReads } from "./quality-reads.ts";
export { tooLarge } from "./network-failure.ts";
export { primary } from "./quality-reads.ts";
export type { QualityWrites } from "./quality-writes.ts";
export type { MonitorPlace, RunPlace } from "./result-reads.ts";
export { isTooShort, maskOf, redact, redactJson } from "./redact.ts";
export type { ReferenceDataReads } from "./reference-data-reads.ts";
export type { ReferenceDataWrites, ReviewRequest } from "./reference-data-writes.ts";
export type { Deleted } from "./requests.ts";
