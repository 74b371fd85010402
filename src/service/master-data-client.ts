import type { MasterDataReads } from "./master-data-reads.ts";
import { masterDataReads } from "./master-data-reads.ts";
import type { MasterDataWrites } from "./master-data-writes.ts";
import { masterDataWrites } from "./master-data-writes.ts";
import type { ClientOptions, MasterDataEnvironment } from "./options.ts";
import { Session } from "./session.ts";

/** A client of the master-data server that cannot write: it has no such method, nor a way to send one. */
export interface MasterDataReadClient {
  readonly environment: { readonly name: string; readonly baseUrl: string };
  readonly records: MasterDataReads;
  /** Requests sent until now, each attempt counted. */
  requests(): { readonly reads: number; readonly writes: number };
  /** Stops reads and waits; resolves when the writes in flight are finished. */
  close(): Promise<void>;
}

export interface MasterDataWriteClient extends MasterDataReadClient {
  readonly records: MasterDataReads & MasterDataWrites;
}

/** For a source, and for the target of a dry run. Throws ServiceError when the address is not usable. */
export function openMasterDataReadClient(
  environment: MasterDataEnvironment,
  options: ClientOptions,
): MasterDataReadClient {
  const session = new Session(environment, options);
  return clientOf(environment, session, masterDataReads(session.reader()));
}

/** For a target that is written. Throws ServiceError when the address is not usable. */
export function openMasterDataWriteClient(
  environment: MasterDataEnvironment,
  options: ClientOptions,
): MasterDataWriteClient {
  const session = new Session(environment, options);
  const writes = masterDataWrites(session.writer());
  return clientOf(environment, session, { ...masterDataReads(session.reader()), ...writes });
}

function clientOf<T extends MasterDataReads>(
  { name }: MasterDataEnvironment,
  session: Session,
  records: T,
): MasterDataReadClient & { readonly records: T } {
  return Object.freeze({
    environment: { name, baseUrl: session.baseUrl },
    records: Object.freeze(records),
    requests: () => ({ ...session.sent }),
    close: () => session.close(),
  });
}
