import { MasterData, type MasterDataOptions } from "./master-data.ts";
import { instanceValue, masterValue } from "./values.ts";

/** An empty server. */
export function openMasterData(options: MasterDataOptions): MasterData {
  return new MasterData(options, { instance: instanceValue, master: masterValue });
}
