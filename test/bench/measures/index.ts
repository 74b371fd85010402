import { columns } from "./columns.ts";
import type { Measure } from "./measure.ts";
import { memory, million, rollbackMemory } from "./memory.ts";
import { recording } from "./recording.ts";
import { millionRows, rowsMemory, rowsWall } from "./rows.ts";
import { start } from "./start.ts";
import { waiting } from "./waiting.ts";
import { wall } from "./wall.ts";
import { whole } from "./whole.ts";

export const measures: readonly Measure[] = [
  { key: "whole", what: "requests, and processor time an object", take: whole },
  { key: "waiting", what: "waiting against the critical path", take: waiting },
  { key: "wall", what: "wall time against a bare client", take: wall },
  { key: "memory", what: "peak memory", take: memory },
  { key: "recording", what: "journal and mapping", take: recording },
  { key: "rows-wall", what: "rows against a bare client", take: rowsWall },
  { key: "rows-memory", what: "peak memory of rows", take: rowsMemory },
  { key: "columns", what: "memory and requests of described columns", take: columns },
  { key: "start", what: "start-up", take: start },
  {
    key: "rollback",
    what: "peak memory of a rollback; only when it is named",
    take: rollbackMemory,
    onlyNamed: true,
  },
  {
    key: "million",
    what: "a million objects; only when it is named",
    take: million,
    onlyNamed: true,
  },
  {
    key: "rows-million",
    what: "a million rows of each kind; only when it is named",
    take: millionRows,
    onlyNamed: true,
  },
];
