/** What `ferry init` writes: a plan that explains itself. */
export const planTemplate = `# A plan for ferry: what to move, from where to where, and how.
# Check it with:  ferry doctor <this file>
# Look with:      ferry diff <this file>
# Do it with:     ferry apply <this file>
version: 1

source:
  name: dev                                # names the folder in mappings/
  baseUrl: https://dev.example.com
  # authUrl: https://dev.example.com       # where tokens come from; baseUrl when left out
  realm: acme                              # the tenant's name
  clientId: \${DEV_CLIENT_ID}               # from the environment; nothing else of it is read
  clientSecret: \${DEV_CLIENT_SECRET}
  # masterData: { baseUrl: "https://mdm-dev.example.com", username: "\${DEV_MDM_USER}", password: "\${DEV_MDM_PASSWORD}" }

target:
  name: prod
  baseUrl: https://prod.example.com
  realm: acme
  clientId: \${PROD_CLIENT_ID}
  clientSecret: \${PROD_CLIENT_SECRET}
  confirm: prod                            # what a person types before anything is written

select:
  kinds: [terms, rules, monitors, dashboards]   # also: folders, sql-items, entities, term-assignments,
                                           # term-denylist, item-metadata, attribute-metadata, stewardship
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
  conflict: report                         # changed on both sides: source-wins
  missingTarget: report                    # removed at the target: recreate
  schedules: keep                          # disable: monitors do not run until a person turns them on
  targetOnly: keep                         # remove: parts that only the target has
  missingGroup: block                      # drop: leave out groups that have no pair
  missingProperty: block                   # drop: leave out what the target's metadata model has no place for
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
`;
