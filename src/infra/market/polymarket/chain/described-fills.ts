import pLimit from 'p-limit';
import { LogThrottle } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { BadRow } from '../../tapes/bad-row.ts';
import type { FeedTools } from '../feed-tools.ts';
import type { TokenCatalogue } from '../markets/token-catalogue.ts';
import type { TokenMarket } from '../markets/token-memory.ts';
import { tradeLine } from '../trades/trade-line.ts';
import type { BlockFill } from './chain-block.ts';
import { UNIT } from './order-filled.ts';

const LOOK_EVERY_MS = SECOND_MS / 4;

export interface DescribedFillsOptions extends Pick<FeedTools, 'clock' | 'logger'> {
  readonly metrics: Pick<Metrics, 'rowDropped'>;
  readonly tokens: Pick<TokenCatalogue, 'get' | 'lookUp'>;
  /**
   * Fills of one block in the order of the chain, each fill once. Blocks come in order, and one without fills may be left
   * out. Fills whose token becomes known later come in a further call, with the time of their block.
   */
  readonly onBlock: (block: { readonly at: EpochMs; readonly rows: readonly LiveRow[] }) => Promise<void>;
}

/** Passes fills on as rows once their token is known. A fill that waits for its token delays no other. */
export class DescribedFills {
  readonly #options: DescribedFillsOptions;
  readonly #unknown = new UnknownTokens();
  readonly #oneAtATime = pLimit(1);
  readonly #dropLog: LogThrottle;
  #dropped = 0;
  #isAsking = false;

  constructor(options: DescribedFillsOptions) {
    this.#options = options;
    this.#dropLog = new LogThrottle(options.clock, MINUTE_MS);
  }

  get waiting(): Pick<UnknownTokens, 'size' | 'oldest'> {
    return this.#unknown;
  }

  /** Fills of one block. Resolves when those whose token is known were taken. */
  async passOn(at: EpochMs, fills: readonly BlockFill[]): Promise<void> {
    const { clock, metrics, tokens, onBlock } = this.#options;
    const now = clock.now();
    const rows: LiveRow[] = [];
    for (const fill of fills) {
      const market = tokens.get(fill.fill.tokenId);
      if (market === null) {
        this.#unknown.add(fill);
        continue;
      }
      const row = rowOf(fill, market, now);
      if ('line' in row) {
        fill.row = row;
        rows.push(row);
      } else metrics.rowDropped(row.reason);
    }
    this.#dropOld(now);
    if (rows.length > 0) await this.#oneAtATime(() => onBlock({ at, rows }));
  }

  /** Removes a fill whose block was replaced before the fill was passed on. */
  remove(fill: BlockFill): void {
    this.#unknown.remove(fill);
  }

  /** Asks for unknown tokens, and passes on the fills of those that have become known, from whichever source. */
  run(signal: AbortSignal): Promise<void> {
    const { clock, tokens } = this.#options;
    const look = async () => {
      const known = this.#unknown.takeWhere((tokenId) => tokens.get(tokenId) !== null);
      for (const [at, fills] of Map.groupBy(known, (fill) => fill.at)) await this.passOn(at, fills);
      this.#dropOld(clock.now());
      void this.#ask(signal);
    };
    return repeat(look, { clock, signal, intervalMs: LOOK_EVERY_MS });
  }

  /** The catalogue decides how often it asks for a token that stays unknown. */
  async #ask(signal: AbortSignal): Promise<void> {
    if (this.#unknown.size === 0 || this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#options.tokens.lookUp(this.#unknown.tokenIds, signal);
    } finally {
      this.#isAsking = false;
    }
  }

  #dropOld(now: EpochMs): void {
    const count = this.#unknown.giveUp(now);
    if (count === 0) return;
    this.#dropped += count;
    if (this.#dropLog.take() === null) return;
    const message = 'fills of unknown tokens dropped; they are left to polling';
    this.#options.logger.warn({ fills: this.#dropped }, message);
  }
}

/** The same row and line of a tape that the market's own APIs give for this fill, with ordinal and role added. */
export function rowOf({ fill, at }: BlockFill, market: TokenMarket, now: EpochMs): LiveRow | BadRow {
  const { transaction, wallet, side, tokenId, shares, usdc, ordinal, role } = fill;
  const { marketId, title, slug, eventSlug, outcome, outcomeIndex } = market;
  const price = Number(usdc) / Number(shares);
  const trade = { proxyWallet: wallet, side, asset: tokenId, size: Number(shares) / UNIT, price };
  const described = { conditionId: marketId, title, slug, eventSlug, outcome, outcomeIndex };
  const origin = { timestamp: at / 1_000, transactionHash: transaction, role };
  const raw = { ...trade, ...described, ...origin, ...(ordinal > 1 && { n: ordinal }) };
  return tradeLine(raw, now);
}

const MOST_FILLS = 20_000;
/** As long as facts of wallets are waited for: a trade of a day ago is no longer judged. */
const WAIT_MS = 20 * HOUR_MS;

/** Fills of tokens whose market is unknown, until it is known. Bounded: the oldest fills are dropped. */
export class UnknownTokens {
  /** In the order of each token's first waiting fill, the oldest first. */
  readonly #tokens = new Map<string, Set<BlockFill>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The token whose first fill has waited longest, and the time of that fill. */
  get oldest(): { readonly tokenId: string; readonly since: EpochMs } | null {
    for (const [tokenId, fills] of this.#tokens) for (const { at } of fills) return { tokenId, since: at };
    return null;
  }

  get tokenIds(): readonly string[] {
    return [...this.#tokens.keys()];
  }

  add(fill: BlockFill): void {
    const { tokenId } = fill.fill;
    const fills = this.#tokens.get(tokenId);
    if (fills === undefined) this.#tokens.set(tokenId, new Set([fill]));
    else fills.add(fill);
    this.#size += 1;
  }

  remove(fill: BlockFill): void {
    const { tokenId } = fill.fill;
    const fills = this.#tokens.get(tokenId);
    if (fills?.delete(fill) !== true) return;
    this.#size -= 1;
    if (fills.size === 0) this.#tokens.delete(tokenId);
  }

  /** Removes and returns the fills of all tokens that have become known. */
  takeWhere(isKnown: (tokenId: string) => boolean): readonly BlockFill[] {
    const taken: BlockFill[] = [];
    for (const [tokenId, fills] of this.#tokens) {
      if (!isKnown(tokenId)) continue;
      taken.push(...fills);
      this.#tokens.delete(tokenId);
    }
    this.#size -= taken.length;
    return taken;
  }

  /** Drops fills that have waited too long, and the oldest of too many. Returns how many. */
  giveUp(now: EpochMs): number {
    const before = this.#size;
    for (const fills of this.#tokens.values()) {
      for (const fill of fills) {
        if (this.#size <= MOST_FILLS && fill.at > now - WAIT_MS) break;
        this.remove(fill);
      }
    }
    return before - this.#size;
  }
}
