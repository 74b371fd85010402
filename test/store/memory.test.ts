import { MemoryPlace, memoryStore } from "../../src/store/memory/index.ts";
import { storeContract } from "./contract.ts";
import { parties } from "./files/parties.ts";

storeContract("the memory", () => {
  const place = new MemoryPlace();
  return { open: (plan) => memoryStore({ plan, parties }, place) };
});
