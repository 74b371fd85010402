import { catalogReads } from "./catalog-reads.ts";
import type { CatalogReads } from "./catalog-reads.ts";
import { catalogWrites } from "./catalog-writes.ts";
import type { CatalogWrites } from "./catalog-writes.ts";
import type { ClientOptions, Environment } from "./options.ts";
import { processingReads } from "./processing-reads.ts";
import type { ProcessingReads } from "./processing-reads.ts";
import { processingWrites } from "./processing-writes.ts";
import type { ProcessingWrites } from "./processing-writes.ts";
import { qualityReads } from "./quality-reads.ts";
import type { QualityReads } from "./quality-reads.ts";
import { qualityWrites } from "./quality-writes.ts";
import type { QualityWrites } from "./quality-writes.ts";
import { referenceDataReads } from "./reference-data-reads.ts";
import type { ReferenceDataReads } from "./reference-data-reads.ts";
import { referenceDataWrites } from "./reference-data-writes.ts";
import type { ReferenceDataWrites } from "./reference-data-writes.ts";
import { Session } from "./session.ts";
import type { AskedFor, Heard } from "./tape.ts";

/** A client that cannot write: it has no such method, nor a way to send one (README, promise 2). */
export interface ReadClient {
  readonly environment: { readonly name: string; readonly baseUrl: string; readonly realm: string };
  readonly catalog: CatalogReads;
  readonly quality: QualityReads;
  readonly processing: ProcessingReads;
  readonly referenceData: ReferenceDataReads;
  /** Requests sent until now, each attempt counted, those for tokens not. */
  requests(): { readonly reads: number; readonly writes: number };
  /**
   * Asks as it was asked before, and gives what came as it came, whatever its status. Throws ServiceError where nothing came,
   * and where what is to be asked is no read of the documents.
   */
  hear(asked: AskedFor): Promise<Heard & { readonly text: string }>;
  /** Obtains a token, or throws the ServiceError that any call would throw. */
  signIn(): Promise<void>;
  /** Stops reads and waits; resolves when the writes in flight are finished. */
  close(): Promise<void>;
}

export interface WriteClient extends ReadClient {
  readonly catalog: CatalogReads & CatalogWrites;
  readonly quality: QualityReads & QualityWrites;
  readonly processing: ProcessingReads & ProcessingWrites;
  readonly referenceData: ReferenceDataReads & ReferenceDataWrites;
}

type Common = Pick<ReadClient, "environment" | "requests" | "hear" | "signIn" | "close">;

function common({ name, realm }: Environment, session: Session): Common {
  return {
    environment: { name, baseUrl: session.baseUrl, realm },
    requests: () => ({ ...session.sent }),
    hear: (asked) => session.hear(asked),
    signIn: () => session.signIn(realm),
    close: () => session.close(),
  };
}

/** For a source, and for the target of a dry run. Throws ServiceError when the address is not usable. */
export function openReadClient(environment: Environment, options: ClientOptions): ReadClient {
  const session = new Session(environment, options);
  const reader = session.reader();
  return Object.freeze({
    ...common(environment, session),
    catalog: Object.freeze(catalogReads(reader)),
    quality: Object.freeze(qualityReads(reader)),
    processing: Object.freeze(processingReads(reader)),
    referenceData: Object.freeze(referenceDataReads(reader)),
  });
}

/** For a target that is written. Throws ServiceError when the address is not usable. */
export function openWriteClient(environment: Environment, options: ClientOptions): WriteClient {
  const session = new Session(environment, options);
  const reader = session.reader();
  const writer = session.writer();
  return Object.freeze({
    ...common(environment, session),
    catalog: Object.freeze({ ...catalogReads(reader), ...catalogWrites(reader, writer) }),
    quality: Object.freeze({ ...qualityReads(reader), ...qualityWrites(reader, writer) }),
    processing: Object.freeze({ ...processingReads(reader), ...processingWrites(writer) }),
    referenceData: Object.freeze({ ...referenceDataReads(reader), ...referenceDataWrites(writer) }),
  });
}
