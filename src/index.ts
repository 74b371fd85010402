/**
 * The programming interface: what the command does, for programs. Load a plan, make a migration of it, run operations on
 * the migration; each gives the same result that the command prints as JSON.
 *
 *     const { plan } = loadPlan({ plan: "plans/prod.yaml", folder: "plans", env: process.env, selectable: registry.selectable(), sections: registry.sections() });
 *     const store = fileStore({ plan: plan.name, parties: partiesOf(plan), workDir: "plans", mappingsDir: "mappings", tool: "my-tool 1.0.0" });
 *     const migration = new Migration({ plan, registry, store, tool: "my-tool 1.0.0", version: "1.0.0" });
 *     const result = await diffPlan(migration);
 *     await migration.close();
 *
 * Expected trouble is thrown as `PlanError`, `EngineError`, `LockedError`, `ServiceError` or `StoreError`, each with a `suggestion` for
 * people where there is one; whatever else is thrown is a defect.
 */
export { registry } from "./kinds/index.ts";
export type { EntityKind, GivenKind, Kind, LinkKind, OverlayKind } from "./kinds/kind.ts";
export { Registry } from "./kinds/registry.ts";
export * from "./operations/index.ts";
export { EngineError } from "./engine/progress.ts";
export type { AppliedChange, Change, FieldChange } from "./model/change.ts";
export type { DiagnosticCode } from "./model/codes/index.ts";
export type { Diagnostic } from "./model/diagnostic.ts";
export type { MappingEntry } from "./model/mapping.ts";
export type { Plan } from "./model/plan.ts";
export type { ExitCode, Result, Summary } from "./model/result.ts";
export { exitCodes } from "./model/result.ts";
export { loadPlan } from "./plan/load.ts";
export { PlanError } from "./plan/plan-error.ts";
export { renderHtml, renderJson, renderMarkdown, renderText } from "./report/index.ts";
export { ServiceError } from "./service/index.ts";
export type { Store } from "./store/index.ts";
export { fileStore, memoryStore, StoreError } from "./store/index.ts";
