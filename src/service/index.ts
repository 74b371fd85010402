/** The client of the service: what the rest of the program may use of it. */
export type { BatchAnswer, BatchResult } from "./batch.ts";
export type { CatalogReads, EntityWanted, Wanted } from "./catalog-reads.ts";
export type { AttributeTerms, CatalogWrites } from "./catalog-writes.ts";
export type { ReadClient, WriteClient } from "./client.ts";
export { openReadClient, openWriteClient } from "./client.ts";
export type { Clock } from "./clock.ts";
export type { Arrived, Problem, ProblemEntry, ServiceErrorKind } from "./error.ts";
export { ServiceError } from "./error.ts";
export type { ClientEvent } from "./events.ts";
export type { ClientOptions, Environment } from "./options.ts";
export type { Page } from "./pages.ts";
export type { ProcessingReads, RunQuery, WorkflowState } from "./processing-reads.ts";
export type { ProcessingWrites } from "./processing-writes.ts";
export type { QualityReads } from "./quality-reads.ts";
export { primary } from "./quality-reads.ts";
export type { QualityWrites } from "./quality-writes.ts";
export { redact } from "./redact.ts";
export type { Deleted } from "./requests.ts";
