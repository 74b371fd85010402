import type { MasterDataWriteClient, RecordEntity } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";

/**
 * Brings a record's activity about (document 3, "Activate and deactivate"). What was deactivated over the word of its
 * source is active again without that override, and goes on following its source; what it shows then is not documented,
 * so it is read. Nothing shows whether there is one: a 500 may mean that there is none.
 */
export async function setActive(
  { records }: MasterDataWriteClient,
  of: RecordEntity,
  id: string,
  isActive: boolean,
): Promise<void> {
  if (!isActive) {
    await records.deactivate(of, id);
    return;
  }
  try {
    await records.removeActivity(of, id);
    const now = await records.record(of, { id });
    if (now?.isActive === true) return;
  } catch (error) {
    const isFatal = ["sign-in", "permission", "aborted"];
    if (!(error instanceof ServiceError) || isFatal.includes(error.kind)) throw error;
    // Whatever became of it: it is active after the next request.
  }
  await records.activate(of, id);
}
