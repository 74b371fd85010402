import type { MappingTable } from "../../model/mapping-table.ts";
import type { Policy } from "../../model/plan.ts";
import type { TargetState } from "../read/target.ts";
import type { LiveLookup } from "./live-lookup.ts";

export interface BuildContext {
  readonly live: LiveLookup;
  readonly target: TargetState;
  readonly mapping: MappingTable;
  readonly policy: Policy;
}
