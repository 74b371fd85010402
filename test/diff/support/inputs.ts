import { child } from "../../../src/emulator/json.ts";
import type { Urn } from "../../../src/model/urn.ts";
import { seedMonitor, seedRule } from "./content.ts";
import { plan } from "./monitors.ts";
import { apply, type Stage, stage, twinOf } from "./run.ts";
import { onlyKey, type Side } from "./side.ts";
import { editMonitor, editRule } from "./web.ts";

/** Inputs that come to a rule and go again, and the monitors that map them. */

export interface MovedRule extends Stage {
  readonly rule: Urn;
  readonly twin: Urn;
  readonly monitor: Urn;
}

/** A rule and its monitor, moved. */
export async function moved(): Promise<MovedRule> {
  const at = await stage();
  const rule = seedRule(at.source, "Email");
  const monitor = seedMonitor(at.source, rule, "Customers");
  await apply(at, plan);
  return { ...at, rule, monitor, twin: (await twinOf(at, rule)) as Urn };
}

/** The same, and an input `phone` of the rule that one more monitor maps; `letGo` has it do so no more at the source. */
export async function movedWithPhone(): Promise<
  MovedRule & { readonly second: Urn; readonly secondTwin: Urn; letGo(): void }
> {
  const at = await moved();
  addInput(at.source, at.rule, "phone");
  const second = seedMonitor(at.source, at.rule, "Second");
  const letGo = mapInput(at.source, second, at.source.part(at.rule, "phone"));
  await apply(at, plan);
  return { ...at, second, secondTwin: (await twinOf(at, second)) as Urn, letGo };
}

/** The source has another input in the place of that one, and the monitor maps it. */
export function replaceInput(at: Awaited<ReturnType<typeof movedWithPhone>>): void {
  at.letGo();
  takeOutInput(at.source, at.rule, "phone");
  addInput(at.source, at.rule, "mobile");
  mapInput(at.source, at.second, at.source.part(at.rule, "mobile"));
}

export function addInput(side: Side, rule: Urn, name: string): void {
  const group = onlyKey(side.body(rule)["inputGroups"]);
  editRule(side, rule, { inputGroups: { [group]: { inputs: { added: { name, dataType: "STRING" } } } } });
}

export function takeOutInput(side: Side, rule: Urn, name: string): void {
  const group = onlyKey(side.body(rule)["inputGroups"]);
  const key = side.part(rule, name).slice(-36);
  editRule(side, rule, { inputGroups: { [group]: { inputs: { [key]: null } } } });
}

/** Maps the input as well, in the monitor's only instance or another one; what is answered lets go of it. */
export function mapInput(
  side: Side,
  monitor: Urn,
  ruleAttributeUrn: string,
  instance = onlyKey(side.body(monitor)["manualRuleInstances"]),
): () => void {
  const edit = (mappings: Record<string, object | null>): void => {
    editMonitor(side, monitor, { manualRuleInstances: { [instance]: { mappings } } } as never);
  };
  const keys = (): readonly string[] =>
    Object.keys(child(child(child(side.body(monitor), "manualRuleInstances"), instance), "mappings"));
  const before = new Set(keys());
  edit({ added: { catalogItemAttributeUrn: side.attribute("CUSTOMER", "EMAIL"), ruleAttributeUrn } });
  const key = keys().find((one) => !before.has(one)) ?? "";
  return () => {
    edit({ [key]: null });
  };
}

/** Names of the monitors of a side that map what no rule there has. */
export function leadingNowhere({ tenant }: Side): readonly string[] {
  const rules = JSON.stringify(Array.from(tenant.rules.values(), ({ published }) => published ?? null));
  return Array.from(tenant.monitors.values(), ({ published }) => published).flatMap((monitor) => {
    const led = Array.from(
      JSON.stringify(monitor ?? null).matchAll(/"rule(?:Attribute|Parameter)Urn":"([^"]+)"/g),
      ([, urn = ""]) => urn,
    );
    const name = monitor?.["name"];
    return typeof name === "string" && led.some((urn) => !rules.includes(urn)) ? [name] : [];
  });
}

/** Nobody can look any more who maps what at the target. */
export function refuseMonitors({ world }: Stage): void {
  world.emulator.faults.add({
    match: { tenant: "prod", route: "GET /api/data-quality/v1/dq-monitors" },
    when: {},
    effect: { type: "status", code: 403 },
  });
}
