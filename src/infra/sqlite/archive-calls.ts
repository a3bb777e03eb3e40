/** A call from the main thread to the archive's thread. Call 0 gets no answer. */
export interface ArchiveCall {
  readonly call: number;
  readonly name: 'search' | 'hotMarkets' | 'stats' | 'preview' | 'forgetResolved';
  readonly args: readonly unknown[];
}

export type ArchiveReply =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly error: string };
