/** What was promised, line by line, and the faults that break it. */
export const promises: readonly { readonly line: string; readonly mutants: readonly string[] }[] = [
  {
    line: "1. What was last known survives every way in which a pair changes hands",
    mutants: ["rollback-forgets-drift"],
  },
  { line: "2. First contact keeps what only the target has", mutants: ["silence-clears"] },
  {
    line: "3. Nothing is deleted that something refers to",
    mutants: ["users-not-looked-for", "unlisted-users-left-out", "parts-referred-left-out"],
  },
  {
    line: "4. What is changed or deleted is read once more before it is",
    mutants: ["no-second-look-at-deletes", "no-second-look-at-changes", "not-looked-at-over-new"],
  },
  { line: "5. A recreate looks for a twin like anything new", mutants: ["recreated-without-looking"] },
  { line: "6. A rollback takes back the last run that wrote", mutants: ["rollback-of-any-run"] },
  { line: "7. Source and target are two environments", mutants: ["one-environment-accepted"] },
  { line: "8. Primary monitors that no list shows are found", mutants: ["unlisted-primaries-left-out"] },
  { line: "9. What cannot be true is a doubt", mutants: ["impossible-answer-believed"] },
  { line: "10. A journal is a chain", mutants: ["gap-in-journal", "torn-tail-kept"] },
  { line: "11. Namesakes are told apart by their users", mutants: ["users-tell-nothing"] },
  { line: "12. A list that does not hold what it says is an error", mutants: ["page-missing"] },
  { line: "13. A refused list is not an empty one", mutants: ["refused-list-is-empty"] },
  { line: "14. What cannot be carried blocks that one object", mutants: ["depth-not-told"] },
  { line: "15. No error quotes a plan, and nothing tells a secret", mutants: ["plan-quoted", "secret-told"] },
  { line: "16. Exit codes say the truth", mutants: ["rosy-exit-code"] },
  { line: "17. A disk that runs full ends a run in order", mutants: ["failed-journal-goes-on"] },
  { line: "18. After a recreate its dependents are not changed", mutants: ["anew-is-changed"] },
  // Real sockets, and the environment of a process: nothing of that is here (test/cli/network, test/service).
  { line: "19. Proxies, certificates, plain http", mutants: [] },
  {
    line: "20. One run at a time for a target, whatever its plan",
    mutants: ["lock-of-the-plan", "lock-does-nothing"],
  },
  { line: "21. The key of an object is its kind and its id", mutants: ["kind-not-in-key"] },
];
