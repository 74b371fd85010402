/** What a command touches of the world around it; tests give their own. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths of arguments start here. */
  readonly cwd: string;
  /** The command line behind the command's name, for the record. */
  readonly words?: readonly string[];
  /** A person can be asked. */
  readonly interactive: boolean;
  /** One line from the person, without its end. */
  ask(question: string): Promise<string>;
  /** Shows a person a file, with whatever the machine shows such files with; false where it has nothing. */
  open?(path: string): Promise<boolean>;
  /** Aborted by the first interrupt; a second one ends the process. */
  readonly stop: AbortSignal;
  /** Says from now on what the person reads who interrupts. */
  onInterrupt?(text: () => string): void;
  /** There are so many objects that memory is dearer than time from now on. */
  saveMemory?(): void;
}

export interface Output {
  write(text: string): void;
  /** Whole lines that are meant as commands to the runner of GitHub; there where it runs the command. */
  command?(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
}
