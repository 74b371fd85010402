import { lose } from "./lose.ts";
import { changes, losses } from "./lost-answers.ts";
const writes = changes.filter(({ name }) => name.startsWith("a rule is changed") || name.startsWith("a rule is asked"));
const work = writes.flatMap((write) => losses.filter((l) => l.batchOnly !== true).flatMap((loss) => [false, true].map((kill) => ({ write, loss, kill })))).values();
await Promise.all([1, 2, 3].map(async () => { for (const { write, loss, kill } of work) { const r = await lose(write, loss, { kill }); console.log(write.name, "|", loss.name, "|", kill, "|", r.happened, JSON.stringify(r.problems).slice(0, 600)); } }));
