import { answered } from "./support/answered.ts";
import * as a from "./support/answers.ts";
import type { Loose } from "./support/loose.ts";

const apply = "apply move --yes --kinds rules,monitors,dashboards";
/** The results of the answer are others; what was asked was done. */
const results = (change: (results: Loose[]) => unknown): ReturnType<typeof a.changed> =>
  a.changed((body) => {
    const other = change(body.results);
    return other === undefined ? body : { ...body, results: other };
  });
const rule = "urn:data:prod:data-quality:rule:00000000-0000-4000-8000-000000000001";

// oxfmt-ignore
answered("an answer about each of many, after it was done", [
  ["no results", "prod create rules", a.first(1, a.body("{}")), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results is no array', "writes"],
  ["results of null", "prod create rules", a.first(1, results(() => null)), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results is no array', "writes"],
  ["results of an object", "prod create rules", a.first(1, results(() => ({}))), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results is no array', "writes"],
  ["results of a text", "prod create rules", a.first(1, results(() => "all")), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results is no array', "writes"],
  ["an empty list of results", "prod create rules", a.first(1, results(() => [])), apply, 0, "the answer of the batch has no result for it", "writes"],
  ["a result of null", "prod create rules", a.first(1, results(() => [null])), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results/0 is no object', "writes"],
  ["a result twice", "prod create rules", a.first(1, results((all) => [...all, ...all])), apply, 0, "3 changes made.", "writes"],
  ["a result of somebody else", "prod create rules", a.first(1, results((all) => [...all, { ...all[0], id: "nobody" }])), apply, 0, "3 changes made.", "writes"],
  ["a result under another id", "prod create rules", a.first(1, results((all) => [{ ...all[0], id: "nobody" }])), apply, 0, "the answer of the batch has no result for it", "writes"],
  ["an id that is a number", "prod create rules", a.first(1, results((all) => [{ ...all[0], id: 7 }])), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results/0/id is no string', "writes"],
  ["no status", "prod create rules", a.first(1, results((all) => { delete all[0].status; })), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results/0/status is no string', "writes"],
  ["a status that nobody knows", "prod create rules", a.first(1, results((all) => { all[0].status = "MAYBE"; })), apply, 0, "MAYBE", "writes"],
  ["a status that is a number", "prod create rules", a.first(1, results((all) => { all[0].status = 200; })), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results/0/status is no string', "writes"],
  ["no data", "prod create rules", a.first(1, results((all) => { delete all[0].data; })), apply, 0, "the answer says OK but names no URN", "writes"],
  ["data of null", "prod create rules", a.first(1, results((all) => { all[0].data = null; })), apply, 0, "the answer says OK but names no URN", "writes"],
  ["data of a list", "prod create rules", a.first(1, results((all) => { all[0].data = []; })), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results/0/data is no object', "writes"],
  ["no URN", "prod create rules", a.first(1, results((all) => { delete all[0].data.urn; })), apply, 0, "the answer says OK but names no URN", "writes"],
  ["a URN of a number", "prod create rules", a.first(1, results((all) => { all[0].data.urn = 7; })), apply, 0, "the answer says OK but names no URN", "writes"],
  ["a URN that is a path", "prod create rules", a.first(1, results((all) => { all[0].data.urn = "../../admin"; })), apply, 0, 'the answer names "../../admin", which is no URN', "writes"],
  ["a URN that is none", "prod create rules", a.first(1, results((all) => { all[0].data.urn = "rule 7"; })), apply, 0, 'the answer names "rule 7", which is no URN', "writes"],
  ["a URN of something else", "prod create rules", a.first(1, results((all) => { all[0].data.urn = rule.replace("rule", "dq-monitor"); })), apply, 0, "the answer names", "writes"],
  ["a URN of the source", "prod create rules", a.first(1, results((all) => { all[0].data.urn = rule.replace("prod", "dev"); })), apply, 0, "the answer names", "writes"],
  ["keys of null", "prod create rules", a.first(1, results((all) => { all[0].data.correlationIds = null; })), apply, 4, "what it refers to is not at the target:", "writes"],
  ["keys of a list", "prod create rules", a.first(1, results((all) => { all[0].data.correlationIds = []; })), apply, 4, "what it refers to is not at the target:", "writes"],
  ["keys that are numbers", "prod create rules", a.first(1, results((all) => { for (const key of Object.keys(all[0].data.correlationIds)) all[0].data.correlationIds[key] = 7; })), apply, 4, "what it refers to is not at the target:", "writes"],
  ["keys that were not sent", "prod create rules", a.first(1, results((all) => { all[0].data.correlationIds["new_00000000-0000-4000-8000-000000000001"] = "00000000-0000-4000-8000-000000000002"; })), apply, 0, "the answer has a key for 00000000-0000-4000-8000-000000000001, which was never sent", "writes"],
  ["a key named __proto__", "prod create rules", a.first(1, a.text((body) => body.replace('"correlationIds":{', '"correlationIds":{"__proto__":"x",'))), apply, 0, "3 changes made.", "writes"],
  ["a refusal that says nothing", "prod create rules", a.first(1, results((all) => [{ id: all[0].id, status: "VALIDATION_ERROR" }])), apply, 4, "VALIDATION_ERROR", "writes"],
  ["a refusal with an error of a text", "prod create rules", a.first(1, results((all) => [{ id: all[0].id, status: "VALIDATION_ERROR", error: "no" }])), apply, 0, 'POST /api/data-quality/v1/rules/batch/create at "prod": the answer (207) is unreadable: /results/0/error is no object', "writes"],
  ["fewer terms than were sent", "prod create terms", a.first(1, a.changed((body) => { body.data.pop(); })), "apply move --yes --kinds terms", 0, 'POST /api/catalog/v1/terms/bulk at "prod": the answer (201) is unreadable: it holds 1 terms for 2 that were sent', "writes"],
  ["more terms than were sent", "prod create terms", a.first(1, a.changed((body) => { body.data.push({ ...body.data[0], urn: "urn:data:prod:catalog:term:00000000-0000-4000-8000-000000000001" }); })), "apply move --yes --kinds terms", 0, 'POST /api/catalog/v1/terms/bulk at "prod": the answer (201) is unreadable: it holds 3 terms for 2 that were sent', "writes"],
  ["one term twice", "prod create terms", a.first(1, a.changed((body) => { body.data[1] = body.data[0]; })), "apply move --yes --kinds terms", 0, "the answer of the bulk request names another term in its place", "writes"],
  ["terms in another order", "prod create terms", a.first(1, a.changed((body) => { body.data.reverse(); })), "apply move --yes --kinds terms", 0, "the answer of the bulk request names another term in its place", "writes"],
  ["terms without URNs", "prod create terms", a.first(1, a.changed((body) => { for (const one of body.data) delete one.urn; })), "apply move --yes --kinds terms", 0, 'POST /api/catalog/v1/terms/bulk at "prod": the answer (201) is unreadable: /data/0/urn is no string', "writes"],
  ["a monitor without a result", "prod create monitors", a.first(1, results(() => [])), apply, 0, "the answer of the batch has no result for it", "writes"],
  ["a dashboard without a URN", "prod create dashboard", a.first(1, a.changed((body) => { delete body.urn; })), apply, 0, 'POST /api/data-quality/v1/dq-dashboards at "prod": the answer (201) is unreadable: /urn is no string', "writes"],
  ["a dashboard that is null", "prod create dashboard", a.first(1, a.body("null")), apply, 0, 'POST /api/data-quality/v1/dq-dashboards at "prod": the answer (201) is unreadable: it is no JSON object', "writes"],
  ["HTML for a dashboard that was published", "prod publish dashboard", a.first(1, a.html), apply, 0, "POST /api/data-quality/v1/dq-dashboards/", "writes"],
  ["nothing for a dashboard that was published", "prod publish dashboard", a.first(1, a.body("")), apply, 0, "3 changes made.", "writes"],
]);
