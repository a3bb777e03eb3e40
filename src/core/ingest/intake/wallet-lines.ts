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
/** How far others may be ahead in the source's time: when days are read in minutes, what waits must not grow too late. */
const MOST_AHEAD_MS = 12 * HOUR_MS;

/** A wallet with trades that wait. */
export interface WalletLine {
  readonly wallet: string;
  trades: number;
  oldestAt: EpochMs;
  /** `doubtful`: unsettled, or long in coming, so that nobody else waits for them. */
  facts: 'asked' | 'doubtful' | 'settled';
  /** The market answered and knows no age (yet), or fails to answer: it may never. */
  isUnsettled: boolean;
  /** Its trades go on without facts. */
  isGivenUp: boolean;
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
  /** Of those whose facts may never come, lets the one with the most trades go on without; false when there is none. */
  giveUpLargest(): boolean;
  /** No trade later than this is to be handed over, so that those whose facts are sure to come can still be judged. */
  horizon(): EpochMs;
  readonly size: number;
  /** Wallets whose facts did not come in 20 hours, or while there was room. */
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
  const givenUp = createGivenUp(logger);
  /** Time of the oldest trade whose facts are sure to come; null when it has to be looked for. */
  let oldestSure: EpochMs | null = null;

  function change(): void {
    oldestSure = null;
    onChange();
  }

  function doubt(line: WalletLine, mayNeverCome: boolean): void {
    if (line.facts === 'settled') return;
    line.isUnsettled ||= mayNeverCome;
    line.facts = 'doubtful';
    change();
  }

  async function ask(line: WalletLine, before: EpochMs): Promise<void> {
    const isAnswered = new AbortController();
    void clock
      .sleep(PATIENCE_MS, AbortSignal.any([signal, isAnswered.signal]))
      .then(() => doubt(line, false));
    const isTooLate = () => line.isGivenUp || knowledge.time - line.oldestAt >= LONGEST_WAIT_MS;
    const onUnsettled = () => doubt(line, true);
    line.row = await desk.ask({ wallet: line.wallet, before, isTooLate, onUnsettled });
    isAnswered.abort();
    if (line.row === null && isTooLate())
      givenUp.add(line, 'no facts of a wallet in 20 hours; judged without');
    line.facts = 'settled';
    change();
  }

  return {
    get: (wallet) => lines.get(wallet),
    open(wallet, at, mustAsk) {
      const line = newLine(wallet, at, mustAsk ? 'asked' : 'settled');
      lines.set(wallet, line);
      if (mustAsk) void ask(line, at);
      return line;
    },
    add(line, at) {
      line.trades += 1;
      line.oldestAt = Math.min(line.oldestAt, at);
      if (oldestSure !== null && isSure(line)) oldestSure = Math.min(oldestSure, at);
    },
    close: (line) => void lines.delete(line.wallet),
    giveUpLargest() {
      const line = largestUnsettled(lines.values());
      if (line === null) return false;
      givenUp.add(line, 'no room for the trades of a wallet without facts; judged without');
      change();
      return true;
    },
    horizon() {
      oldestSure ??= oldestOf(lines.values());
      return oldestSure + MOST_AHEAD_MS;
    },
    get size() {
      return lines.size;
    },
    get givenUp() {
      return givenUp.count;
    },
  };
}

/** Counts those that go on without facts, and says which. */
function createGivenUp(logger: Logger) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(line: WalletLine, why: string): void {
      if (line.isGivenUp) return;
      count += 1;
      line.isGivenUp = true;
      line.facts = 'settled';
      logger.warn({ wallet: line.wallet, trades: line.trades }, why);
    },
  };
}

/** Of those whose facts may never come, the one with the most trades. */
function largestUnsettled(lines: Iterable<WalletLine>): WalletLine | null {
  let largest: WalletLine | null = null;
  for (const line of lines)
    if (line.isUnsettled && line.facts !== 'settled' && line.trades > (largest?.trades ?? 0)) largest = line;
  return largest;
}

function newLine(wallet: string, oldestAt: EpochMs, facts: WalletLine['facts']): WalletLine {
  return { wallet, trades: 0, oldestAt, facts, isUnsettled: false, isGivenUp: false, row: null };
}

function isSure({ facts, isUnsettled }: WalletLine): boolean {
  return facts !== 'settled' && !isUnsettled;
}

function oldestOf(lines: Iterable<WalletLine>): EpochMs {
  let oldest = Number.POSITIVE_INFINITY;
  for (const line of lines) if (isSure(line)) oldest = Math.min(oldest, line.oldestAt);
  return oldest;
}
