import { putInstance } from "../../master-data/books.ts";
import type { MasterData } from "../../master-data/master-data.ts";

/** So many parties at the source, of which every tenth is one that another system knows too; none at the target. */
export function prepareManyParties(source: MasterData, target: MasterData, count: number): void {
  for (const [data, stage] of [
    [source, "Dev"],
    [target, "Prod"],
  ] as const) {
    data.quirks.origins = [`crm#party#${stage}`, `erp#party#${stage}`];
  }
  for (let number = 1; number <= count; number += 1) {
    // Every tenth is the one before, as the other system has it.
    const isTwin = number % 10 === 0;
    const person = isTwin ? number - 1 : number;
    putInstance(source, {
      entity: "party",
      origin: isTwin ? "erp#party#Dev" : "crm#party#Dev",
      sourceId: String(number),
      attributes: {
        src_name: `Person ${person}`,
        src_email: `person.${person}@example.org`,
        src_phone: String(10_000_000 + number),
        src_status: number % 3 === 0 ? "dormant" : "active",
        src_credit_limit: number % 5000,
      },
      sourceTime: Date.UTC(2026, 0, 5) + number * 1000,
    });
  }
}
