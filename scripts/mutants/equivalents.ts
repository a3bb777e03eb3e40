/** A mutant that changes nothing that can be observed, and why. */
interface Equivalent {
  /** Below src/core. */
  readonly file: string;
  /** The line in which it begins. */
  readonly line: string;
  /** As the survivors are printed. */
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'detection/wallet.ts',
    line: 'if (wallet.tradesFrom >= from) return false;',
    original: 'wallet.tradesFrom >= from',
    replacement: 'wallet.tradesFrom > from',
    why: 'a wallet whose earliest trade is at the bound has none before it, so nothing is dropped either way',
  },
  {
    file: 'keys/usage.ts',
    line: 'if (now < start || now >= start + DAY_MS) {',
    original: 'now < start',
    replacement: 'now <= start',
    why: 'in the first millisecond of a day the same name is made again',
  },
  {
    file: 'keys/verified-keys.ts',
    line: "return await this.#suspectReads.run(() => this.#read(lookup), { caller: '' });",
    original: "{ caller: '' }",
    replacement: '{}',
    why: 'all reads for suspects are of one caller, whether its name is empty or undefined',
  },
  {
    file: 'ledger/feed.ts',
    line: 'subscriber.cursor = batch.at(-1)?.id ?? subscriber.cursor;',
    original: 'batch.at(-1)?.id',
    replacement: 'batch.at(-1).id',
    why: 'an empty batch has ended the loop before; the question mark is for the compiler',
  },
  {
    file: 'ledger/ledger.ts',
    line: 'if (resolution !== null) this.#deps.onResolved(resolution);',
    original: 'resolution !== null',
    replacement: 'true',
    why: 'appendWithRow returns what the row function returned, here always a row; the comparison is for the compiler',
  },
];
