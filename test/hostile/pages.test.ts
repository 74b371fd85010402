import { answered } from "./support/answered.ts";
import type { Answer } from "./support/front.ts";
import * as a from "./support/answers.ts";

const urn = (number: number): string =>
  `urn:data:dev:data-quality:rule:00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const rule = (number: number): object => ({ urn: urn(number), name: `Rule ${number}` });

/** Pages of a list: each is made from how many were asked for before it. */
const pages =
  (page: (before: number) => object): Answer =>
  ({ before }, out) => {
    a.body(JSON.stringify(page(before)))({ ...nothing, before }, out);
  };
const nothing = { status: 200, type: "", body: "", url: "", asked: "" };
/** The first page for ever, each time with the same cursor. */
const again = (): Answer => {
  let page = "";
  return (given, out) => {
    page ||= given.body.replace('"meta":{', '"meta":{"next":"again",').replace(/"next":null,?/, "");
    a.body(page)({ ...given, status: 200 }, out);
  };
};
const list = (data: readonly unknown[], meta: object): object => ({ meta, data });

// oxfmt-ignore
answered("pages without an end", [
  ["the same cursor and the same page", "dev rules", pages(() => list([rule(1)], { next: "again" })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: its cursor was given before. It cannot be completed.'],
  ["the same cursor and other objects", "dev rules", pages((n) => list([rule(n)], { next: "again" })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: its cursor was given before. It cannot be completed.'],
  ["fresh cursors and the same page", "dev rules", pages((n) => list([rule(1)], { next: `c${n}` })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: a page repeats the one before. It cannot be completed.'],
  ["fresh cursors and a round of three pages", "dev rules", pages((n) => list([rule(n % 3)], { next: `c${n}` })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: a page brings only objects that came before. It cannot be completed.'],
  ["fresh cursors and more objects than there are", "dev rules", pages((n) => list([rule(n)], { next: `c${n}`, total: 5 })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: 106 objects came, it has 5 by its own account, and there is a next page. It'],
  ["two cursors by turns", "dev rules", pages((n) => list([rule(n)], { next: `c${n % 2}` })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: its cursor was given before. It cannot be completed.'],
  ["an empty page with a next one", "dev rules", pages((n) => list([], { next: `c${n}` })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: a page is empty and yet there is a next one. It cannot be completed.'],
  ["an empty page with a next one, after a full one", "dev rules", pages((n) => list(n === 0 ? [rule(1)] : [], { next: `c${n}` })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing does not advance: a page is empty and yet there is a next one. It cannot be completed.'],
  ["the same page of a list that is asked for with POST", "dev items", again(), "diff move", 1, 'POST /api/catalog/v1/catalog-items/filter at "dev": the listing does not advance: its cursor was given before. It cannot be completed.'],
  ["the same page of the metadata model", "dev GET /api/catalog/v1/metadata-model/entities", again(), "diff move", 1, 'GET /api/catalog/v1/metadata-model/entities at "dev": the listing does not advance: its cursor was given before. It cannot be completed.'],
  ["the same page at the target", "prod terms", pages(() => list([{ urn: "urn:data:prod:catalog:term:00000000-0000-4000-8000-000000000001", name: "x", type: "businessTerm" }], { next: "again" })), "apply move --yes", 1, 'GET /api/catalog/v1/terms at "prod": the listing does not advance: its cursor was given before. It cannot be completed.'],
  ["the same page for the doctor", "dev rules", pages(() => list([rule(1)], { next: "again" })), "doctor move", 0, "dev rules ok can be read, 1 on the first page"],
]);

// oxfmt-ignore
answered("a list that says something else of itself", [
  ["a total that is too large", "dev rules", a.changed((body) => { body.meta.total = 7; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing ended after 1 of 7. It is not complete.'],
  ["a total that is too large, at the target", "prod rules", a.changed((body) => { body.meta.total = 7; }), "apply move --yes", 1, 'GET /api/data-quality/v1/rules at "prod": the listing ended after 0 of 7. It is not complete.'],
  ["a total that is too small", "dev terms", a.changed((body) => { body.meta.total = 1; }), "diff move --kinds terms", 0, "2 changes to make. Nothing was written."],
  ["a total of nothing", "dev terms", a.changed((body) => { body.meta.total = 0; }), "diff move --kinds terms", 0, "2 changes to make. Nothing was written."],
  ["a total of null", "dev terms", a.changed((body) => { body.meta.total = null; }), "diff move --kinds terms", 0, "2 changes to make. Nothing was written."],
  ["no total", "dev terms", a.changed((body) => { delete body.meta.total; }), "diff move --kinds terms", 0, "2 changes to make. Nothing was written."],
  ["a negative total", "dev rules", a.changed((body) => { body.meta.total = -1; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the answer (200) is unreadable: /meta/total is not valid'],
  ["half a total", "dev rules", a.changed((body) => { body.meta.total = 1.5; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the answer (200) is unreadable: /meta/total is no int'],
  ["a total that is a text", "dev rules", a.changed((body) => { body.meta.total = "1"; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the answer (200) is unreadable: /meta/total is no number'],
  ["a total beyond all numbers", "dev rules", a.text((body) => body.replace(/"total":\d+/, '"total":1e400')), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the answer (200) is unreadable: /meta/total is no number'],
  ["a total with an exponent", "dev rules", a.text((body) => body.replace(/"total":\d+/, '"total":1e0')), "diff move --kinds rules", 0, "1 change to make. Nothing was written."],
  ["a total that grows from page to page", "dev rules", pages((n) => list([rule(n)], { total: n + 2, ...(n < 3 ? { next: `c${n}` } : {}) })), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing ended after 4 of 5. It is not complete.'],
  ["a next that is a number", "dev rules", a.changed((body) => { body.meta.next = 2; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the answer (200) is unreadable: /meta/next is no string'],
  ["a next that is an object", "dev rules", a.changed((body) => { body.meta.next = { page: 2 }; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the answer (200) is unreadable: /meta/next is no string'],
  ["a next that is empty", "dev rules", a.changed((body) => { body.meta.next = ""; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the answer (200) is unreadable: /meta/next is not valid'],
  ["a next that is null", "dev rules", a.changed((body) => { body.meta.next = null; }), "diff move --kinds rules", 0, "1 change to make. Nothing was written."],
  ["a next that is a path", "dev rules", pages((n) => list([rule(n)], n === 0 ? { next: "../../../etc?x=1&y#z" } : {})), "diff move --kinds rules", 0, "2 changes to make. Nothing was written."],
  ["a next that holds half a character", "dev rules", a.text((body) => body.replace('"meta":{', '"meta":{"next":"\\ud800",')), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": refused (400): after is not a cursor of this list.; after is not a cursor of this list.'],
  ["a next of 10,000 characters", "dev rules", pages((n) => list([rule(n)], n === 0 ? { next: "n".repeat(10_000) } : {})), "diff move --kinds rules", 0, "2 changes to make. Nothing was written."],
  ["a second page that is refused", "dev rules", a.after(1, a.status(400, { title: "Bad cursor" }), pages(() => list([rule(1)], { next: "c" }))), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": refused (400): Bad cursor'],
]);

// oxfmt-ignore
answered("a list of other objects", [
  ["one object twice on a page", "dev rules", a.changed((body) => { body.data.push(body.data[0]); }), "diff move --kinds rules", 0, "1 change to make. Nothing was written."],
  ["one object twice, with other content", "dev rules", a.changed((body) => { body.data.push({ ...body.data[0], name: "Other" }); }), "diff move --kinds rules", 0, "1 change to make. Nothing was written."],
  ["one object twice in the place of another", "dev rules", a.changed((body) => { body.data.push({ ...body.data[0], name: "Other" }); body.meta.total = 2; }), "diff move --kinds rules", 1, 'GET /api/data-quality/v1/rules at "dev": the listing ended after 1 of 2. It is not complete.'],
  ["one object twice, on two pages", "dev rules", pages((n) => list([rule(1), rule(n + 2)], n === 0 ? { next: "c" } : {})), "diff move --kinds rules", 0, "3 changes to make. Nothing was written."],
  ["one object twice at the target", "prod items", a.changed((body) => { body.data.push(body.data[0]); }), "diff move", 0, "ferry diff move: dev -> prod 5 create, 40 unchanged Create (5)"],
  ["a monitor among the rules", "dev rules", a.changed((body) => { body.data.push({ urn: "urn:data:dev:data-quality:dq-monitor:00000000-0000-4000-8000-000000000001", name: "x" }); }), "diff move --kinds rules", 0, "2 changes to make. Nothing was written."],
  ["a term of another tenant", "dev terms", a.changed((body) => { body.data[0].urn = "urn:data:other:catalog:term:00000000-0000-4000-8000-000000000001"; }), "diff move --kinds terms", 0, "2 changes to make. Nothing was written."],
  ["the source's own objects at the target", "prod terms", a.changed(() => list([{ urn: "urn:data:dev:catalog:term:00000000-0000-4000-8000-000000000001", name: "x", type: "businessTerm" }], { total: 1 })), "diff move", 0, "5 changes to make. Nothing was written."],
  ["a term that is a rule by its URN", "dev terms", a.changed((body) => { body.data[0].urn = urn(1); }), "diff move --kinds terms", 0, "2 changes to make. Nothing was written."],
  ["a URN that is a path", "dev terms", a.changed((body) => { body.data[0].urn = "../../../admin"; }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN that is two dots", "dev terms", a.changed((body) => { body.data[0].urn = ".."; }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN with blanks and quotes", "dev terms", a.changed((body) => { body.data[0].urn = `urn:data:dev:catalog:term:a "b' c`; }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN with a line feed", "dev terms", a.changed((body) => { body.data[0].urn = "urn:data:dev:catalog:term:a\nb"; }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN that colours a terminal", "dev terms", a.changed((body) => { body.data[0].urn = "urn:data:dev:catalog:term:\u001b[31mred"; }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN of 10,000 characters", "dev terms", a.changed((body) => { body.data[0].urn = `urn:data:dev:catalog:term:${"x".repeat(10_000)}`; }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN named __proto__", "dev terms", a.changed((body) => { body.data[0].urn = "__proto__"; }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN in capital letters", "dev terms", a.changed((body) => { body.data[0].urn = body.data[0].urn.toUpperCase(); }), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
  ["a URN with half a character", "dev terms", a.text((body) => body.replace('"urn":"urn:data:dev:catalog:term:', '"urn":"urn:data:dev:catalog:term:\\ud800')), "apply move --yes --kinds terms", 0, "2 changes made.", "writes"],
]);
