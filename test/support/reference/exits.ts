import type { FoundExit } from '../../../src/core/detection/found-exit.ts';
import type { DetectionRules } from '../../../src/core/detection/rules.ts';
import type { Market } from '../../../src/core/trades/trade.ts';
import { type Beginning, type Event, type Movement, Story } from './exit-story.ts';

/** A story for each market that an alert named, until it is settled. */
export class Exits {
  readonly #rules: DetectionRules['exits'];
  readonly #stories = new Map<string, Story>();
  readonly #settled = new Set<string>();
  readonly #told = new Map<string, number>();
  /** The wallets that alerts of a market have named: the others change nothing. */
  readonly #named = new Map<string, ReadonlySet<string>>();

  constructor(rules: DetectionRules['exits']) {
    this.#rules = rules;
  }

  /** Whether the position is known. */
  follow(marketId: string, of: Beginning, market: Omit<Extract<Event, { kind: 'market' }>, 'kind'>): boolean {
    if (this.#settled.has(marketId)) return false;
    const known = this.#stories.get(marketId);
    const story = known ?? new Story(marketId, this.#rules);
    if (known === undefined) story.tell({ kind: 'market', ...market });
    this.#stories.set(marketId, story);
    story.tell({ kind: 'alert', of });
    this.#named.set(marketId, new Set([...(this.#named.get(marketId) ?? []), ...of.members.keys()]));
    return !story.isLost(of);
  }

  isFollowed(marketId: string, wallet: string): boolean {
    return this.#stories.get(marketId)?.holdings.has(wallet) === true;
  }

  learn({ id, outcomes, payouts }: Market, endsAt: number | null): void {
    if (payouts !== null) this.#settled.add(id);
    this.#stories.get(id)?.tell({ kind: 'market', isBinary: outcomes.length === 2, endsAt });
    if (payouts === null) return;
    this.#stories.delete(id);
    this.#told.delete(id);
    this.#named.delete(id);
  }

  /** The exits that the orders of one second make, of all markets. */
  judge(second: number, orders: ReadonlyMap<string, readonly Movement[]>): FoundExit[] {
    const followed = [...orders].flatMap(([marketId, all]) => {
      const theirs = all.filter(({ wallet }) => this.#named.get(marketId)?.has(wallet));
      return theirs.length === 0 ? [] : [[marketId, theirs] as const];
    });
    for (const [marketId, theirs] of followed)
      this.#stories.get(marketId)?.tell({ kind: 'orders', second, orders: theirs });
    return sorted(followed.flatMap(([marketId]) => this.#news(marketId)));
  }

  remove(marketId: string, fill: Movement): FoundExit[] {
    if (this.#named.get(marketId)?.has(fill.wallet) !== true) return [];
    this.#stories.get(marketId)?.tell({ kind: 'removed', fill });
    return sorted(this.#news(marketId));
  }

  #news(marketId: string): FoundExit[] {
    const exits = this.#stories.get(marketId)?.exits ?? [];
    const news = exits.slice(this.#told.get(marketId) ?? 0);
    this.#told.set(marketId, exits.length);
    return news;
  }
}

/** Wallets before clusters, then by key; a cluster's exit names the one of its last wallet. */
function sorted(found: readonly FoundExit[]): FoundExit[] {
  const plain = found.filter(({ corrects }) => corrects === null);
  return found
    .map((exit) => {
      const own = plain.find(
        (other) =>
          other.marketId === exit.marketId &&
          other.wallet === exit.wallet &&
          other.outcome === exit.outcome &&
          !other.isCluster,
      );
      return exit.isCluster && exit.corrects === null ? { ...exit, sameSaleAs: own?.key ?? null } : exit;
    })
    .toSorted((a, b) => Number(a.isCluster) - Number(b.isCluster) || (a.key < b.key ? -1 : 1));
}
