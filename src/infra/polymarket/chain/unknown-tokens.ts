import { HOUR_MS } from '../../../core/duration.ts';
import type { EpochMs } from '../../../core/trade.ts';
import type { BlockFill } from './chain-block.ts';

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
