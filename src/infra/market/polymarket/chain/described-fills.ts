import pLimit from 'p-limit';
import { LogThrottle } from '../../../../core/base/async/failure-log.ts';
import { repeat } from '../../../../core/base/async/repeat.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import type { LiveRow } from '../../../../core/trades/source/source.ts';
import type { BadRow } from '../../tapes/bad-row.ts';
import type { FeedTools } from '../client/market-client.ts';
import type { TokenCatalogue, TokenMarket } from '../markets/token-catalogue.ts';
import { tradeLine } from '../trades/trade-line.ts';
import type { BlockFill } from './chain-block.ts';
import { UNIT } from './order-filled.ts';

const LOOK_EVERY_MS = SECOND_MS / 4;
/** Fills that wait for their token. The oldest are dropped first. */
const MOST_FILLS = 20_000;
/** As long as facts of wallets are waited for: a trade of a day ago is no longer judged. */
const WAIT_MS = 20 * HOUR_MS;

export interface DescribedFillsOptions extends Pick<FeedTools, 'clock' | 'logger'> {
  readonly metrics: Pick<Metrics, 'rowDropped'>;
  readonly tokens: Pick<TokenCatalogue, 'get' | 'lookUp'>;
  /** Fills of one block in the order of the chain, each once; those whose token was unknown come later. */
  readonly onBlock: (block: { readonly at: EpochMs; readonly rows: readonly LiveRow[] }) => Promise<void>;
}

/** Passes fills on as rows once their token is known. A fill that waits for its token delays no other. */
export class DescribedFills {
  readonly #options: DescribedFillsOptions;
  readonly #unknown = new Set<BlockFill>();
  readonly #oneAtATime = pLimit(1);
  readonly #dropLog: LogThrottle;
  #dropped = 0;
  #isAsking = false;

  constructor(options: DescribedFillsOptions) {
    this.#options = options;
    this.#dropLog = new LogThrottle(options.clock, MINUTE_MS);
  }

  get waiting() {
    const [first] = this.#unknown;
    const oldest = first === undefined ? null : { tokenId: first.fill.tokenId, since: first.at };
    return { size: this.#unknown.size, oldest };
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

  remove(fill: BlockFill): void {
    this.#unknown.delete(fill);
  }

  run(signal: AbortSignal): Promise<void> {
    const { clock, tokens } = this.#options;
    const look = async () => {
      const known = [...this.#unknown].filter(({ fill }) => tokens.get(fill.tokenId) !== null);
      for (const fill of known) this.#unknown.delete(fill);
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
      const tokenIds = [...this.#unknown].map(({ fill }) => fill.tokenId);
      await this.#options.tokens.lookUp(tokenIds, signal);
    } finally {
      this.#isAsking = false;
    }
  }

  #dropOld(now: EpochMs): void {
    for (const fill of this.#unknown) {
      if (this.#unknown.size <= MOST_FILLS && fill.at > now - WAIT_MS) return;
      this.#unknown.delete(fill);
      this.#dropped += 1;
      const message = 'fills of unknown tokens dropped; they are left to polling';
      if (this.#dropLog.take() !== null) this.#options.logger.warn({ fills: this.#dropped }, message);
    }
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
