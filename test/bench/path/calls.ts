/** A request as the service received it, with what decides when it could be sent at the earliest. */
export interface Call {
  /** The name of the environment: each has places of its own. */
  readonly environment: string;
  /** Method and template. */
  readonly route: string;
  readonly writes: boolean;
  /** Two calls that ask the very same have the same text. */
  readonly asks: string;
  /** Pages of one list share it; a page can be asked for when the one before it has come. */
  readonly list?: string;
  /** What it creates, by name: names are unique in the estates of the bench, whatever their kind. */
  readonly makes: readonly string[];
  /** What it refers to at the target, by name. */
  readonly needs: readonly string[];
  /** It asks for given things by their ids, which have to be read somewhere first. */
  readonly byId: boolean;
}
