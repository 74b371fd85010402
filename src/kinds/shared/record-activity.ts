import type { MasterDataWriteClient, RecordEntity } from "../../service/index.ts";
import { ServiceError } from "../../service/index.ts";
import { isAnswered } from "./answers.ts";

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
  const isThere = async (): Promise<boolean> => (await records.record(of, { id }))?.isActive === true;
  try {
    await records.removeActivity(of, id);
    if (await isThere()) return;
  } catch (error) {
    const isFatal = ["sign-in", "permission", "aborted"];
    if (!(error instanceof ServiceError) || isFatal.includes(error.kind)) throw error;
    // Whatever became of it: it is active after the next request.
  }
  try {
    await records.activate(of, id);
  } catch (error) {
    // The override may be gone all the same, also where nobody has seen what came of that.
    if (!isAnswered(error) || !(await isThere())) throw error;
  }
}
