import type { Tenant } from "../../src/emulator/index.ts";
import { removeTerm } from "../../src/emulator/catalog/terms.ts";
import { isArray, isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";
import { Problem } from "../../src/emulator/problem.ts";
import * as seed from "../../src/emulator/seed.ts";
import type { Urn } from "../../src/model/urn.ts";
import { isUuid } from "../../src/model/urn.ts";
import { Side } from "../diff/support/side.ts";
import * as web from "../diff/support/web.ts";
import { edit } from "../properties/estates/editing.ts";
import type { Given } from "../properties/estates/given.ts";
import { Seeding } from "../properties/estates/seeding.ts";
import { Administrator } from "./administrator.ts";
import { type Accounts, labelOf } from "./accounts.ts";
import type { BookKind, Books } from "./books.ts";
import { isPlain, plainKind } from "./kinds/index.ts";
import type { SimulatedKind } from "./kinds/kind.ts";
import { leavesOf, overlaid } from "./leaves.ts";
import type { ObjectAct as Act } from "./story.ts";
import type { At } from "./what-was-sent.ts";

interface Found {
  readonly urn: Urn;
  readonly body: JsonObject;
}

/** Acts as somebody in the web application does, on either side, and says what was done. */
export class Colleague {
  readonly #books: Books;
  readonly #accounts: Accounts;
  readonly #given: { readonly source: Given; readonly target: Given };

  readonly #administrator: Administrator;

  constructor(books: Books, accounts: Accounts, given: { readonly source: Given; readonly target: Given }) {
    this.#books = books;
    this.#administrator = new Administrator(books);
    this.#accounts = accounts;
    this.#given = given;
  }

  /** In words; undefined when there was nothing to do it to, or the service refused it. */
  act(act: Act, at: At = {}): string | undefined {
    const tenant = act.side === "source" ? this.#books.source : this.#books.target;
    return this.#books.asColleague(
      () => {
        try {
          return this.#done(act, tenant, at);
        } catch (error) {
          if (error instanceof Problem || (error instanceof Error && error.message.startsWith("there is no")))
            return undefined;
          throw error;
        }
      },
      act.how === "remove" && act.kind !== "administration" ? act.kind : undefined,
    );
  }

  /** Types and properties that a side's metadata model has otherwise than at the beginning. */
  otherwise(side: "source" | "target"): ReadonlySet<string> {
    return this.#administrator.otherwise(side);
  }

  /** Calm comes: what was forbidden is permitted again, and the models are as they were. */
  rest(): void {
    this.#administrator.rest();
  }

  #done(act: Act, tenant: Tenant, aimed: At): string | undefined {
    const { kind, how, value } = act;
    if (kind === "administration") return this.#administrator.act(act.side, how, act.object, value);
    const given = this.#given[act.side];
    const at = `at the ${act.side}`;
    if (kind === "attributes") return assign(act, tenant, given, aimed.urn);
    const plain = plainKind(kind);
    if (plain !== undefined) return this.#plain(plain, act, tenant, aimed);
    if (isPlain(kind)) return undefined;
    if (how === "create") return `${this.#create(act, tenant, given, aimed.name)} ${at}`;
    const all = this.#all(act);
    const object =
      aimed.urn === undefined
        ? act.object % Math.max(1, all.length)
        : all.findIndex((one) => one.urn === aimed.urn);
    const found = all[object];
    if (found === undefined) return undefined;
    const { urn, body } = found;
    const what = `${labelOf(this.#books, act.side, kind, body)} (${urn.slice(-36, -28)}) ${at}`;
    const side = new Side(tenant);
    switch (how) {
      case "text":
      case "more":
      case "less":
        edit(tenant, given, { side: act.side, kind, object, how, value });
        return `changed ${what} (${how} ${value})`;
      case "remove":
        remove(side, kind, urn);
        return `deleted ${what}`;
      case "recreate":
        remove(side, kind, urn);
        return `deleted ${what} and made it again as ${again(tenant, kind, found).slice(-36, -28)}`;
      case "rename": {
        const name = ["Email", "Phone", "Customer"][value % 3] ?? "";
        rename(side, kind, urn, name);
        return `renamed ${what} to ${name}`;
      }
      case "swap": {
        const other = all[(object + 1 + (value % Math.max(1, all.length - 1))) % all.length];
        if (other === undefined || other.urn === urn) return undefined;
        rename(side, kind, urn, textOf(other.body));
        rename(side, kind, other.urn, textOf(body));
        return `swapped the names of ${what} and ${other.urn.slice(-36, -28)}`;
      }
      case "draft":
      case "draft-delete":
        if (how === "draft-delete" && hasDraft(tenant, kind, urn)) return undefined;
        openDraft(tenant, kind, urn, how === "draft" ? "CHANGE" : "DELETE", value);
        return `opened a draft (${how === "draft" ? "CHANGE" : "DELETE"}) of ${what}`;
      case "publish":
      case "discard":
        return this.#endDraft(act, tenant, urn, aimed.urn !== undefined)
          ? `${how}ed the draft of ${what}`
          : undefined;
      case "use":
        return use(tenant, given, found, kind, value, what);
      case "shed":
      case "map":
        return kind === "rules" ? ofNewest(tenant, given, found, how, value, what) : undefined;
      default:
        return undefined;
    }
  }

  /** Theirs; or what a process that was cut off has in it, which is nobody else's word. */
  #endDraft({ side, kind, how }: Act, tenant: Tenant, urn: Urn, isOurs: boolean): boolean {
    const account = side === "target" ? this.#accounts.account(urn) : undefined;
    const isTheirs = side === "source" || account?.draftTouchedAt !== undefined;
    if ((!isTheirs && !isOurs) || kind === "administration" || kind === "attributes" || isPlain(kind))
      return false;
    const then = leavesOf(this.#books.version(side, urn)?.published);
    if (!endDraft(tenant, kind, urn, how === "publish" ? "publish" : "discard")) return false;
    const now = this.#books.version(side, urn)?.published;
    if (!isTheirs && account !== undefined && now !== undefined)
      account.known = overlaid(account.known ?? then, then, leavesOf(now));
    return true;
  }

  /** What has no drafts. */
  #plain(kind: SimulatedKind, act: Act, tenant: Tenant, aimed: At): string | undefined {
    const { how, value, side } = act;
    const given = this.#given[side];
    const name = aimed.name ?? ["Email", "Phone", "Customer"][value % 3] ?? "";
    if (how === "create") {
      kind.create?.(tenant, given, name, value);
      return `made one of ${kind.name} named ${name} at the ${side}`;
    }
    const places = how === "more" ? kind.places?.(given, tenant) : undefined;
    const all = places ?? kind.urns(tenant);
    const urn = aimed.urn ?? all[act.object % Math.max(1, all.length)];
    const body = urn === undefined ? undefined : kind.body(tenant, urn);
    if (urn === undefined || body === undefined) return undefined;
    const what = `${kind.label(tenant, body, urn)} (${urn.slice(-36, -28)}) at the ${side}`;
    switch (how) {
      case "text":
      case "more":
        kind.put(tenant, urn, kind.change(tenant, body, value, given));
        return `changed ${what} (${how} ${value})`;
      case "less":
        kind.put(tenant, urn, kind.isList === true ? { termDetectionDenylist: [] } : {});
        return `cleared ${what}`;
      case "rename":
        if (kind.named === undefined) return undefined;
        kind.put(tenant, urn, kind.named(body, name));
        return `renamed ${what} to ${name}`;
      case "move": {
        const moved = kind.moved?.(tenant, body, value, given);
        if (moved === undefined) return undefined;
        kind.put(tenant, urn, moved);
        return `moved ${what} to ${kind.label(tenant, moved, urn)}`;
      }
      case "swap": {
        const other = all[(act.object + 1) % all.length];
        const theirs = other === undefined ? undefined : kind.body(tenant, other);
        if (other === undefined || theirs === undefined || other === urn || kind.named === undefined)
          return undefined;
        kind.put(tenant, urn, kind.named(body, calledIn(theirs)));
        kind.put(tenant, other, kind.named(theirs, calledIn(body)));
        return `swapped the names of ${what} and ${other.slice(-36, -28)}`;
      }
      case "remove":
      case "recreate": {
        if (kind.isHeld?.(tenant, urn) === true || kind.remove === undefined) return undefined;
        kind.remove(tenant, urn);
        if (how === "remove") return `deleted ${what}`;
        const fresh = `${urn.slice(0, -36)}${tenant.newUuid()}`;
        kind.put(tenant, fresh, body);
        return `deleted ${what} and made it again as ${fresh.slice(-36, -28)}`;
      }
      default:
        return undefined;
    }
  }

  #all({ side, kind }: Act): readonly Found[] {
    return [...this.#books.published(side)]
      .filter((found) => found.kind === kind)
      .map(({ urn, body }) => ({ urn: urn as Urn, body }));
  }

  #create({ kind, value }: Act, tenant: Tenant, given: Given, sent: string | undefined): string {
    const name = sent ?? ["Email", "Phone", "Customer"][value % 3] ?? "";
    const seeding = new Seeding(tenant, given);
    switch (kind) {
      case "terms":
        seed.seedTerm(tenant, { type: value % 2 === 0 ? "businessTerm" : "securityTerm", name });
        break;
      case "rules": {
        const conditions = [{ expression: "true", result: 0 }];
        const groups = [{ joined: false, inputs: [{ name: "email", trims: false }] }];
        const rest = { description: undefined, dimension: value % 2, parameters: [], group: false };
        seeding.addRule({ name, conditions, groups, ...rest });
        break;
      }
      case "monitors":
        seed.seedMonitor(tenant, {
          catalogItemUrn: given.item(value),
          name,
          overallDqThresholds: { one: { value } },
        });
        break;
      default:
        seed.seedDashboard(tenant, { name, dqMonitorUrns: [given.primary(value)] });
    }
    return `made one of ${kind} named ${name}`;
  }
}

function assign(
  { how, object, value, side }: Act,
  tenant: Tenant,
  given: Given,
  urn: string | undefined,
): string | undefined {
  const attributeUrn = (urn as Urn | undefined) ?? given.attribute(object, value);
  const attribute = tenant.attributes.get(attributeUrn);
  if (attribute === undefined) return undefined;
  const name = `${tenant.items.get(attribute.catalogItemUrn)?.name ?? ""}.${attribute.name} at the ${side}`;
  if (how === "unuse") {
    if (attribute.termAssignments.length === 0) return undefined;
    tenant.attributes.put({ ...attribute, termAssignments: attribute.termAssignments.slice(1) });
    return `took a term from ${name}`;
  }
  const terms = [...tenant.terms.values()].filter(({ published }) => published !== undefined);
  const term = terms[value % Math.max(1, terms.length)];
  if (term === undefined) return undefined;
  seed.seedAssignment(tenant, { attributeUrn, termUrn: term.urn });
  return `assigned the term ${term.published?.name ?? ""} (${term.urn.slice(-36, -28)}) to ${name}`;
}

function remove(side: Side, kind: BookKind, urn: Urn): void {
  if (kind === "terms") removeTerm(side.tenant, urn);
  else if (kind === "rules") web.removeRule(side, urn);
  else if (kind === "monitors") web.removeMonitor(side, urn);
  else if (kind === "dashboards") web.removeDashboard(side, urn);
}

function rename(side: Side, kind: BookKind, urn: Urn, name: string): void {
  if (kind === "terms") web.editTerm(side, urn, { name });
  else if (kind === "rules") web.editRule(side, urn, { name });
  else if (kind === "dashboards") web.editDashboard(side, urn, { name });
  else web.editMonitor(side, urn, { name });
}

/** The same content under a URN and keys of its own. */
function again(tenant: Tenant, kind: BookKind, { urn, body }: Found): Urn {
  const fresh = tenant.newUuid();
  const ids = [urn.slice(-36), ...keysIn(body)];
  const text = ids.reduce(
    (result, id, index) => result.replaceAll(id, index === 0 ? fresh : tenant.newUuid()),
    JSON.stringify(body),
  );
  const made = `${urn.slice(0, -36)}${fresh}` as Urn;
  const row = { urn: made, published: JSON.parse(text) as never, draftType: "NONE" as const };
  if (kind === "terms") tenant.terms.put(row);
  else if (kind === "rules") tenant.rules.put(row);
  else if (kind === "monitors") tenant.monitors.put(row);
  else tenant.dashboards.put(row);
  return made;
}

function keysIn(value: Json): readonly string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, field]) => [...(isUuid(key) ? [key] : []), ...keysIn(field)]);
}

function hasDraft(tenant: Tenant, kind: BookKind, urn: string): boolean {
  const rows = kind === "rules" ? tenant.rules : kind === "dashboards" ? tenant.dashboards : tenant.monitors;
  return rows.get(urn)?.draft !== undefined;
}

function openDraft(tenant: Tenant, kind: BookKind, urn: Urn, type: "CHANGE" | "DELETE", value: number): void {
  if (kind === "rules") seed.leaveRuleDraft(tenant, urn, type, { description: `drafted ${value}` });
  else if (kind === "dashboards")
    seed.leaveDashboardDraft(tenant, urn, type, { description: `drafted ${value}` });
  else seed.leaveMonitorDraft(tenant, urn, type, { overallDqThresholds: { drafted: { value } } });
}

function endDraft(tenant: Tenant, kind: BookKind, urn: Urn, how: "publish" | "discard"): boolean {
  const rows = kind === "rules" ? tenant.rules : kind === "dashboards" ? tenant.dashboards : tenant.monitors;
  const row = rows.get(urn);
  if (row?.draft === undefined) return false;
  if (how === "publish" && row.draftType === "DELETE") remove(new Side(tenant), kind, urn);
  else {
    const published = how === "publish" ? row.draft : row.published;
    if (published === undefined) return false;
    rows.put({ urn, published: published as never, draftType: "NONE" });
  }
  return true;
}

/** Something of the colleague's own comes to refer to it. */
function use(
  tenant: Tenant,
  given: Given,
  { urn }: Found,
  kind: BookKind,
  value: number,
  what: string,
): string | undefined {
  const side = new Side(tenant);
  if (kind === "monitors") {
    const dashboards = [...tenant.dashboards.values()].filter(({ published }) => published !== undefined);
    const dashboard = dashboards[value % Math.max(1, dashboards.length)];
    if (dashboard === undefined) {
      seed.seedDashboard(tenant, { name: "Theirs", dqMonitorUrns: [urn] });
      return `put ${what} on a new dashboard`;
    }
    const shown = dashboard.published?.["dqMonitorUrns"];
    const before = isArray(shown) ? shown : [];
    web.editDashboard(side, dashboard.urn, { dqMonitorUrns: [...new Set([...before, urn])] });
    return `put ${what} on the dashboard ${textOf(dashboard.published ?? {})} (${dashboard.urn.slice(-36, -28)})`;
  }
  if (kind === "rules") {
    const added = { ruleUrn: urn, enabled: true };
    const item = given.item(value);
    seed.seedMonitor(tenant, { catalogItemUrn: item, name: "Theirs", manualRuleInstances: { added } });
    return `made a monitor that applies ${what}`;
  }
  if (kind === "terms") {
    seed.seedTerm(tenant, { name: "Theirs", extraProperties: { related: [urn] } });
    return `made a term that is related to ${what}`;
  }
  return undefined;
}

/** What came to a rule last is taken out of it, or mapped by a monitor of the colleague's own. */
function ofNewest(
  tenant: Tenant,
  given: Given,
  { urn, body }: Found,
  how: "shed" | "map",
  value: number,
  what: string,
): string | undefined {
  const [group, { inputs = {} }] = (Object.entries(body["inputGroups"] ?? {}).at(-1) ?? ["", {}]) as [
    string,
    { readonly inputs?: JsonObject },
  ];
  const input = Object.keys(inputs).at(-1);
  const parameter = Object.keys(body["parameters"] ?? {}).at(-1);
  if (input === undefined || Object.keys(inputs).length < 2) return undefined;
  if (how === "shed") {
    web.editRule(new Side(tenant), urn, {
      inputGroups: { [group]: { inputs: { [input]: null } } },
      ...(parameter === undefined ? {} : { parameters: { [parameter]: null } }),
    });
    return `took what was newest out of ${what}`;
  }
  const named = (map: Json | undefined, key: string): Json =>
    (map as { readonly [key: string]: { readonly urn: string } })[key]?.urn ?? null;
  const item = given.item(value);
  seed.seedMonitor(tenant, {
    catalogItemUrn: item,
    name: "Theirs",
    manualRuleInstances: {
      added: {
        ruleUrn: urn,
        enabled: true,
        ...(parameter === undefined || value % 2 === 0
          ? {
              mappings: {
                mapped: {
                  catalogItemAttributeUrn: given.attribute(value, 0),
                  ruleAttributeUrn: named(inputs, input),
                },
              },
            }
          : {
              parameterValues: {
                given: { value: "theirs", ruleParameterUrn: named(body["parameters"], parameter) },
              },
            }),
      },
    },
  });
  return `made a monitor that maps what is newest of ${what}`;
}

function calledIn(body: JsonObject): string {
  return textOf(isObject(body["properties"]) ? body["properties"] : body);
}

function textOf(body: JsonObject): string {
  const name = body["name"];
  return typeof name === "string" ? name : "";
}
