import pLimit from 'p-limit';
import type { Clock } from '../../../core/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../../core/duration.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { LiveRow } from '../../../core/source/source.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { TokenCatalogue } from '../markets/token-catalogue.ts';
import { throttleLog } from '../trades/throttle-log.ts';
import type { BlockFill } from './chain-block.ts';
import { rowOf } from './chain-row.ts';
import { UnknownTokens } from './unknown-tokens.ts';

const LOOK_EVERY_MS = SECOND_MS / 4;
const LOG_EVERY_MS = MINUTE_MS;

interface DescribedFillsDeps {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'rowDropped'>;
  readonly tokens: Pick<TokenCatalogue, 'get' | 'lookUp'>;
  onBlock(block: { readonly at: EpochMs; readonly rows: readonly LiveRow[] }): Promise<void>;
}

/** Hands fills on as rows once their token is known. A fill that waits for its token holds up no other. */
export class DescribedFills {
  readonly #deps: DescribedFillsDeps;
  readonly #unknown = new UnknownTokens();
  readonly #oneAtATime = pLimit(1);
  readonly #logGivenUp: () => void;
  #givenUp = 0;
  #isAsking = false;

  constructor(deps: DescribedFillsDeps) {
    this.#deps = deps;
    this.#logGivenUp = throttleLog(deps.clock, LOG_EVERY_MS, () =>
      deps.logger.warn(
        { fills: this.#givenUp },
        'fills of unknown tokens were given up and are left to polling',
      ),
    );
  }

  get waiting(): Pick<UnknownTokens, 'size' | 'oldest'> {
    return this.#unknown;
  }

  /** Fills of one block. Resolves when those whose token is known were taken. */
  async handOn(at: EpochMs, fills: readonly BlockFill[]): Promise<void> {
    const { clock, metrics, tokens, onBlock } = this.#deps;
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
    this.#giveUp(now);
    if (rows.length > 0) await this.#oneAtATime(() => onBlock({ at, rows }));
  }

  /** Its block was replaced before it was handed on. */
  drop(fill: BlockFill): void {
    this.#unknown.remove(fill);
  }

  /** Asks for unknown tokens, and hands on what is known by now, whoever found it out, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, tokens } = this.#deps;
    while (!signal.aborted) {
      const known = this.#unknown.takeWhere((tokenId) => tokens.get(tokenId) !== null);
      for (const [at, fills] of Map.groupBy(known, (fill) => fill.at)) await this.handOn(at, fills);
      this.#giveUp(clock.now());
      void this.#ask(signal);
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** The catalogue decides how often a token that stays unknown is asked for. */
  async #ask(signal: AbortSignal): Promise<void> {
    if (this.#unknown.size === 0 || this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#deps.tokens.lookUp(this.#unknown.tokenIds, signal);
    } finally {
      this.#isAsking = false;
    }
  }

  #giveUp(now: EpochMs): void {
    const count = this.#unknown.giveUp(now);
    if (count === 0) return;
    this.#givenUp += count;
    this.#logGivenUp();
  }
}
