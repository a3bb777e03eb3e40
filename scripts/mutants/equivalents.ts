interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly original: string;
  readonly replacement: string;
  readonly why: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [
  ...['volumes', 'volumeHours'].map((field) => ({
    file: 'detection/market-memory.ts',
    line: `market.${field} = new Array<number>(DAY_HOURS).fill(0);`,
    original: 'new Array<number>(DAY_HOURS)',
    replacement: 'new Array()',
    why: 'a slot without an hour is passed over like one whose hour is long over',
  })),
  {
    file: 'detection/market-memory.ts',
    line: "slug: '',",
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'a market is added with a row or a first trade, which sets the slug immediately',
  },
  {
    file: 'detection/wallet.ts',
    line: 'if (wallet.tradesFrom >= from) return false;',
    original: 'wallet.tradesFrom >= from',
    replacement: 'wallet.tradesFrom > from',
    why: 'a wallet whose earliest trade is at the bound has none before it, so nothing is dropped either way',
  },
  {
    file: 'accounts/keys/verified-keys.ts',
    line: "? this.#suspectReads.run(() => this.#read(lookup), { caller: '' }).catch(busyWhenFull)",
    original: "{ caller: '' }",
    replacement: '{}',
    why: 'all reads for suspects are of one caller, whether its name is empty or undefined',
  },
  {
    file: 'detection/score.ts',
    line: 'const decades = toWinUsdc <= toWin.fromUsdc ? 0 : Math.log10(toWinUsdc / toWin.fromUsdc);',
    original: 'toWinUsdc <= toWin.fromUsdc',
    replacement: 'toWinUsdc < toWin.fromUsdc',
    why: 'the logarithm of 1 is 0 as well',
  },
  {
    file: 'accounts/keys/key-text.ts',
    line: "const inTurn = { caller: '' };",
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'all hashes are of one caller, whatever its name',
  },
  {
    file: 'alerts/ledger/log-heads.ts',
    line: 'if (sequence > this.#newest.sequence) this.#newest = { sequence, hash };',
    original: 'sequence > this.#newest.sequence',
    replacement: 'sequence >= this.#newest.sequence',
    why: 'a position of the log has one entry, so that the same sequence has the same hash',
  },
  {
    file: 'alerts/ledger/log-recorder.ts',
    line: 'until = oldest.startedAt - 1;',
    original: 'oldest.startedAt - 1',
    replacement: 'oldest.startedAt + 1',
    why: 'the oldest window of a page is read a second time, directly after itself, and a window is entered once',
  },
  {
    file: 'delivery/stream/event-stream.ts',
    line: 'if (event !== null) await this.#send(event, clients);',
    original: 'event !== null',
    replacement: 'true',
    why: 'every number up to the last one has an event; the comparison is for the compiler',
  },
  {
    file: 'delivery/webhooks/delivery-engine-options.ts',
    line: 'this.#count += 1;',
    original: 'this.#count += 1',
    replacement: 'this.#count -= 1',
    why: 'names that count down are as unique as those that count up',
  },
  {
    file: 'delivery/webhooks/fan-out.ts',
    line: '.toSorted((one, other) => (one.id < other.id ? -1 : 1));',
    original: 'one.id < other.id',
    replacement: 'one.id <= other.id',
    why: 'the ids of the rows of one write are unique: a webhook and an alert have one row',
  },
];
