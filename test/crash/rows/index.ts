import { instances, instancesBack, instancesChanged } from "./instances.ts";
import { masters, mastersBack, mastersChanged } from "./masters.ts";
import {
  approvedRows,
  comparedRows,
  reviewedRows,
  shownDrafts,
  tableRows,
  tableRowsBack,
  tableRowsChanged,
} from "./reference.ts";

/** Estates of rows: reference tables in every way of publishing, instances and authored masters; moved, changed, taken back. */
export const rowEstates = [
  tableRows,
  reviewedRows,
  approvedRows,
  comparedRows,
  shownDrafts,
  tableRowsChanged,
  tableRowsBack,
  instances,
  instancesChanged,
  instancesBack,
  masters,
  mastersChanged,
  mastersBack,
] as const;
