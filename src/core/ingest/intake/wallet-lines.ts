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
/**
 * How far others may be ahead of what waits, and the stream of polling, in the source's time: when days are read in minutes,
 * what is still to be judged must not grow too late (24 hours).
 */
export const MOST_AHEAD_MS = 12 * HOUR_MS;

/** A wallet with trades that wait. */
export interface WalletLine {
  readonly wallet: string;
  trades: number;
  oldestAt: EpochMs;
  /** `doubtful`: long in coming, so that others of the same outcome do not wait for them. */
  facts: 'not asked' | 'asked' | 'doubtful' | 'settled';
  /** The market answered and knows no age (yet), or fails to answer: it may never. */
  isUnsettled: boolean;
  /** They may never come, and were waited for: nobody waits for them any more. */
  isHopeless: boolean;
  /** Its trades go on without facts. */
  isGivenUp: boolean;
  /** What goes before its next trade. */
  row: LiveRow | null;
}

/** The wallets that have trades waiting. */
export interface WalletLines {
  get(wallet: string): WalletLine | undefined;
  /** Without a question: its trades wait for a market, or behind others. */
  open(wallet: string, at: EpochMs): WalletLine;
  /** Asks for its facts as of the oldest trade that waits, before which they go; once. */
  ask(line: WalletLine): void;
  /** So many more trades of one moment wait in the line. */
  add(line: WalletLine, more: { readonly at: EpochMs; readonly trades: number }): void;
  /** So many trades of the line wait no longer; without any it is closed. */
  remove(line: WalletLine, trades: number): void;
  /** Of those whose facts may never come, lets the one with the most trades go on without; false when there is none. */
  giveUpLargest(): boolean;
  /** No trade later than this is to be handed over, so that those that wait can still be judged. */
  horizon(): EpochMs;
  readonly size: number;
  /** Trades in all lines. */
  readonly trades: number;
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
  const lines = new Map<string, WalletLine>();
  let givenUp = 0;
  let waiting = 0;
  /** Time of the oldest trade that others wait for; null when it has to be looked for. */
  let oldest: EpochMs | null = null;

  function change(): void {
    oldest = null;
    onChange();
  }

  function giveUp(line: WalletLine, why: string): void {
    const { wallet, trades } = line;
    Object.assign(line, { facts: 'settled', isGivenUp: true });
    givenUp += 1;
    deps.logger.warn({ wallet, trades }, why);
    change();
  }

  return {
    get: (wallet) => lines.get(wallet),
    open(wallet, at) {
      const line = newLine(wallet, at);
      lines.set(wallet, line);
      return line;
    },
    ask(line) {
      if (line.facts === 'not asked') void ask(line, { ...deps, change, giveUp });
    },
    add(line, { at, trades }) {
      line.trades += trades;
      waiting += trades;
      line.oldestAt = Math.min(line.oldestAt, at);
      if (oldest !== null && !line.isHopeless) oldest = Math.min(oldest, at);
    },
    remove(line, trades) {
      line.trades -= trades;
      waiting -= trades;
      if (line.trades > 0) return;
      lines.delete(line.wallet);
      oldest = null;
    },
    giveUpLargest() {
      const line = largestUnsettled(lines.values());
      if (line !== null)
        giveUp(line, 'no more trades can wait; a wallet whose facts do not come is judged without');
      return line !== null;
    },
    horizon() {
      oldest ??= oldestOf(lines.values());
      return oldest + MOST_AHEAD_MS;
    },
    get size() {
      return lines.size;
    },
    get trades() {
      return waiting;
    },
    get givenUp() {
      return givenUp;
    },
  };
}

function newLine(wallet: string, oldestAt: EpochMs): WalletLine {
  const hopes = { isUnsettled: false, isHopeless: false, isGivenUp: false };
  return { wallet, trades: 0, oldestAt, facts: 'not asked', ...hopes, row: null };
}

interface Asking extends WalletLinesDeps {
  change(): void;
  giveUp(line: WalletLine, why: string): void;
}

/** Asks until there is an answer, and tells meanwhile who need not wait for it any longer. */
async function ask(line: WalletLine, asking: Asking): Promise<void> {
  const { desk, knowledge, clock, signal, change, giveUp } = asking;
  const { wallet, oldestAt: before } = line;
  line.facts = 'asked';
  const isAnswered = new AbortController();
  const after = (ms: number, doubt: Partial<WalletLine>) =>
    void clock.sleep(ms, AbortSignal.any([signal, isAnswered.signal])).then(() => {
      if (line.facts === 'settled') return;
      Object.assign(line, doubt);
      change();
    });
  const onUnsettled = () => {
    if (line.isUnsettled) return;
    line.isUnsettled = true;
    after(UNSETTLED_PATIENCE_MS, { facts: 'doubtful' });
    after(PATIENCE_MS, { isHopeless: true });
  };
  after(PATIENCE_MS, { facts: 'doubtful' });
  const isTooLate = () => line.isGivenUp || knowledge.time - line.oldestAt >= LONGEST_WAIT_MS;
  line.row = await desk.ask({ wallet, before, isTooLate, onUnsettled });
  isAnswered.abort();
  if (line.isGivenUp) return;
  if (line.row === null && isTooLate()) {
    giveUp(line, 'no facts of a wallet in 20 hours; judged without');
    return;
  }
  line.facts = 'settled';
  change();
}

function largestUnsettled(lines: Iterable<WalletLine>): WalletLine | null {
  let largest: WalletLine | null = null;
  for (const line of lines)
    if (line.isUnsettled && line.facts !== 'settled' && line.trades > (largest?.trades ?? 0)) largest = line;
  return largest;
}

function oldestOf(lines: Iterable<WalletLine>): EpochMs {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { isHopeless, oldestAt } of lines) if (!isHopeless) oldest = Math.min(oldest, oldestAt);
  return oldest;
}
