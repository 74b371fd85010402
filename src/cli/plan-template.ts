import { stringify } from "yaml";

export interface PlanSide {
  readonly name: string;
  readonly baseUrl: string;
  readonly realm: string;
}

export interface PlanAnswers {
  readonly source: PlanSide;
  readonly target: PlanSide;
}

/** What stands there where nobody says otherwise. */
export const usualAnswers: PlanAnswers = {
  source: { name: "dev", baseUrl: "https://dev.example.com", realm: "acme" },
  target: { name: "prod", baseUrl: "https://prod.example.com", realm: "acme" },
};

/** Beside the plans, in a folder that is none of theirs. */
export const schemaFile = ".schema/plan.json";

/** The variables that such a plan names. */
export function variablesOf({ source, target }: PlanAnswers): readonly string[] {
  return [source, target].flatMap(({ name }) => [
    `${prefix(name)}_CLIENT_ID`,
    `${prefix(name)}_CLIENT_SECRET`,
  ]);
}

function prefix(name: string): string {
  const word = name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  return /^\d/.test(word) ? `_${word}` : word;
}

/** A value as YAML has it, and its comment in the column of the others. */
function line(key: string, value: string, comment = ""): string {
  const text = `  ${key}: ${stringify(value, { lineWidth: 0 }).trim()}`;
  return comment === "" ? text : `${text.padEnd(42)} # ${comment}`;
}

/** What `ferry init` writes: a plan that explains itself. */
export function planTemplate({ source, target }: PlanAnswers = usualAnswers): string {
  const [from, to] = [prefix(source.name), prefix(target.name)];
  return `# yaml-language-server: $schema=${schemaFile}
# Editors complete and check this file by that schema; renew it with: ferry init --schema > plans/${schemaFile}
#
# A plan for ferry: what to move, from where to where, and how.
# Check it with:  ferry doctor <this file>
# Look with:      ferry diff <this file>
# Do it with:     ferry apply <this file>
version: 1

source:
${line("name", source.name, "names the folder in mappings/")}
${line("baseUrl", source.baseUrl)}
  # authUrl: https://dev.example.com       # where tokens come from; baseUrl when left out
${line("realm", source.realm, "the tenant's name")}
${line("clientId", `\${${from}_CLIENT_ID}`, "from the environment; nothing else of it is read")}
${line("clientSecret", `\${${from}_CLIENT_SECRET}`)}
  # masterData: { baseUrl: "https://mdm-dev.example.com", username: "\${${from}_MDM_USER}", password: "\${${from}_MDM_PASSWORD}" }

target:
${line("name", target.name)}
${line("baseUrl", target.baseUrl)}
${line("realm", target.realm)}
${line("clientId", `\${${to}_CLIENT_ID}`)}
${line("clientSecret", `\${${to}_CLIENT_SECRET}`)}
${line("confirm", target.name, "what a person types before anything is written")}

select:
  kinds: [terms, rules, monitors, dashboards]   # also: folders, sql-items, entities, term-assignments,
                                           # term-denylist, item-metadata, attribute-metadata, stewardship,
                                           # reference-data, master-data
  # entityTypes: [ dataProduct ]           # which types of entities, as the metadata model names them
  # include: [ { kind: rules, name: "Email*" } ]
  # exclude: [ { kind: monitors, name: "*sandbox*" } ]
  dependencies: include                    # what the selected objects refer to comes along; or: mapped-only

pairing:                                   # what exists on both sides and is called otherwise; ferry doctor
                                           # prints this section with what has no twin yet
  sources: {}                              # "Snowflake DEV": "Snowflake PROD"
  connections: {}                          # "dev-wh": "prod-wh"
  paths: []                                # - { pattern: "^DEV_", replace: "PROD_" }
  queries: []                              # - { pattern: "DEV_SALES", replace: "PROD_SALES" } in SQL
  parentProperties: {}                     # "parentType/type": property, where the metadata model leaves several
  groups: {}                               # "<source uuid>": "<target uuid>"

policy:
  adopt: identical                         # an object of the same name at the target: by-name | never
  drift: report                            # changed at the target since: overwrite
  conflict: report                         # changed on both sides: source-wins | merge
  missingTarget: report                    # removed at the target: recreate
  schedules: keep                          # disable: monitors do not run until a person turns them on
  targetOnly: keep                         # remove: parts that only the target has
  missingGroup: block                      # drop: leave out groups that have no pair
  missingProperty: block                   # drop: leave out what the target's metadata model has no place for
  ignoreFields: {}                         # rules: [checkedAt]: what no document names and the service fills itself
  previousSteward: viewMetadata            # what a steward keeps who is replaced
  replace: manual                          # allow: where nothing can be updated, create a new one beside it
  termLinks: pending                       # done: the rules are linked to their terms at the target

acknowledged: []                           # what a person knows and accepts (ferry ack writes it):
                                           # - { kind: rules, name: "Supplier*", reason: "builder", until: 2027-03-31 }
                                           # - { kind: terms, urn: "urn:...", reason: "known", print: "..." }

limits:
  concurrency: 8                           # most requests in flight for each environment
  requestTimeout: 60s
  quietPeriod: 90s                         # before a create whose answer was lost may be sent again
  answerSize: 64MB                         # no answer is read beyond it, packed or unpacked
  attributesWait: 30s                      # how long the attributes of a new SQL item are waited for
  badRows: none                            # or a share such as 1%: more rows that cannot be sent, and the run stops
  publishWait: 2m                          # how long published rows may take to show
  workflow: 2h                             # how long a run waits for one workflow of the service

# records:                                 # tables whose rows are moved, with kinds: [reference-data]
#   referenceData:
#     - { table: Countries, targetTable: Countries, key: [code], publish: direct }   # or: review, approve
#   masterData:
#     - layer: instance
#       entity: party
#       origins: { "crm#party#Dev": "crm#party#Prod" }
#       columns: ["src_*"]                 # what is computed is never sent
#       filter: {}
#       relationships: []                  # by their roles; made when both ends are there
#       overrides: false                   # true: a request for each record, on both sides
#       activity: false
#       view: masters                      # where ferry diff --identify looks; without it the only one there is
#     - layer: master                      # what people have authored, in the order in which it is related
#       view: masters
#       entity: party
#       key: [cmo_code]                    # by which it is known on both servers
#       columns: ["cmo_*"]
#       filter: { published_by: "steward*" }   # what is merged of instances must not pass, or
#       # authored: all                    # nothing there is merged of instances
#   remove: false                          # rows that only the target has: true, and --allow-delete

flows:                                     # documentation flows at the target, by its names or URNs:
  before: []                               # - { configuration: Import, connection: prod-wh, paths: [SALES], run: always }
  after: []                                # the same, when everything is applied; run: when-changed
`;
}
