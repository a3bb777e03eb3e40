/** Requests from several addresses (127.0.0.x) that are meant to keep others from their answers; bounded in number and time. */
export interface Attack {
  readonly name: string;
  strike(address: string): Promise<{
    readonly figures: readonly string[];
    readonly problems: readonly string[];
  }>;
}
