/** What the main thread asks of the archive's thread: a method by name. Call 0 is answered to nobody. */
export interface ArchiveCall {
  readonly call: number;
  readonly name: 'search' | 'hotMarkets' | 'stats' | 'preview' | 'forgetResolved';
  readonly args: readonly unknown[];
}

export type ArchiveReply =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly error: string };
