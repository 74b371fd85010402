/** Whether a person means a run by this: the beginning or the end of its name will do. */
export function isCalled(run: string, named: string): boolean {
  return run.startsWith(named) || run.endsWith(named);
}
