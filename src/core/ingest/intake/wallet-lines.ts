import type { Clock } from '../../clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../duration.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Knowledge, LiveRow } from '../../ports/source.ts';
import type { EpochMs } from '../../trade.ts';
import type { FactsDesk } from './facts-desk.ts';

/** How late a trade may grow by waiting, in the source's time; what is older than 24 hours is not judged any more. */
const LONGEST_WAIT_MS = 20 * HOUR_MS;
/** So long others of the same outcome wait behind a wallet whose facts are asked for. */
const PATIENCE_MS = 15 * MINUTE_MS;
/** And so long when the market answered that it knows no age: it may be slow to learn it, or never do. */
const UNSETTLED_PATIENCE_MS = MINUTE_MS;
/** How far others may be ahead in the source's time: when days are read in minutes, what waits must not grow too late. */
const MOST_AHEAD_MS = 12 * HOUR_MS;

/** A wallet with trades that wait. */
export interface WalletLine {
  readonly wallet: string;
  trades: number;
  oldestAt: EpochMs;
  /** `doubtful`: long in coming, so that others of the same outcome do not wait for them. */
  facts: 'asked' | 'doubtful' | 'settled';
  /** They may never come: nobody waits for them at all. */
  isHopeless: boolean;
  /** What goes before its next trade. */
  row: LiveRow | null;
}

/** The wallets that have trades waiting. */
export interface WalletLines {
  get(wallet: string): WalletLine | undefined;
  /** `mustAsk`: its facts are asked for; else its trades only wait behind others. */
  open(wallet: string, at: EpochMs, mustAsk: boolean): WalletLine;
  /** One more trade waits in the line. */
  add(line: WalletLine, at: EpochMs): void;
  close(line: WalletLine): void;
  /** No trade later than this is to be handed over, so that those whose facts may be hoped for can still be judged. */
  horizon(): EpochMs;
  readonly size: number;
  /** Wallets whose facts did not come in 20 hours. */
  readonly givenUp: number;
}

/** What the lines stand on. */
export interface WalletLinesDeps {
  readonly desk: FactsDesk;
  readonly knowledge: Knowledge;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends every wait. */
  readonly signal: AbortSignal;
}

/** No lines. `onChange`: facts of one came, or are doubtful now. */
export function createWalletLines(deps: WalletLinesDeps, onChange: () => void): WalletLines {
  const { desk, knowledge, clock, logger, signal } = deps;
  const lines = new Map<string, WalletLine>();
  let givenUp = 0;
  /** Time of the oldest trade whose facts may be hoped for; null when it has to be looked for. */
  let oldestHoped: EpochMs | null = null;

  function change(): void {
    oldestHoped = null;
    onChange();
  }

  async function ask(line: WalletLine, before: EpochMs): Promise<void> {
    const { wallet } = line;
    const isAnswered = new AbortController();
    let isUnsettled = false;
    const after = (ms: number, doubt: () => void) =>
      void clock.sleep(ms, AbortSignal.any([signal, isAnswered.signal])).then(() => {
        if (line.facts === 'settled') return;
        doubt();
        change();
      });
    const isTooLate = () => knowledge.time - line.oldestAt >= LONGEST_WAIT_MS;
    const onUnsettled = () => {
      if (isUnsettled) return;
      isUnsettled = true;
      after(UNSETTLED_PATIENCE_MS, () => Object.assign(line, { facts: 'doubtful' }));
      after(PATIENCE_MS, () => Object.assign(line, { isHopeless: true }));
    };
    after(PATIENCE_MS, () => Object.assign(line, { facts: 'doubtful' }));
    line.row = await desk.ask({ wallet, before, isTooLate, onUnsettled });
    line.facts = 'settled';
    isAnswered.abort();
    if (line.row === null && isTooLate()) {
      givenUp += 1;
      logger.warn({ wallet, trades: line.trades }, 'no facts of a wallet in 20 hours; judged without');
    }
    change();
  }

  return {
    get: (wallet) => lines.get(wallet),
    open(wallet, at, mustAsk) {
      const facts = mustAsk ? 'asked' : 'settled';
      const line: WalletLine = { wallet, trades: 0, oldestAt: at, facts, isHopeless: false, row: null };
      lines.set(wallet, line);
      if (mustAsk) void ask(line, at);
      return line;
    },
    add(line, at) {
      line.trades += 1;
      line.oldestAt = Math.min(line.oldestAt, at);
      if (oldestHoped !== null && isHoped(line)) oldestHoped = Math.min(oldestHoped, at);
    },
    close: (line) => void lines.delete(line.wallet),
    horizon() {
      oldestHoped ??= oldestOf(lines.values());
      return oldestHoped + MOST_AHEAD_MS;
    },
    get size() {
      return lines.size;
    },
    get givenUp() {
      return givenUp;
    },
  };
}

function isHoped({ facts, isHopeless }: WalletLine): boolean {
  return facts !== 'settled' && !isHopeless;
}

function oldestOf(lines: Iterable<WalletLine>): EpochMs {
  let oldest = Number.POSITIVE_INFINITY;
  for (const line of lines) if (isHoped(line)) oldest = Math.min(oldest, line.oldestAt);
  return oldest;
}
