import type { ChatFacts } from '../chat/chat-message.ts';

/** Most alerts that a person is sent from one evening to the next, and most of them from filters. The rest come in the next list. */
export const DAILY_LIMITS = { all: 20, filters: 15 } as const;
/** The limits in words, without a full stop. */
export const DAILY_LIMIT_WORDS = `Up to ${DAILY_LIMITS.all} alerts a day: at most ${DAILY_LIMITS.filters} from filters, so that follows still reach you`;

/** An alert that takes a place, or has taken one. */
export interface Claim {
  readonly facts: Pick<ChatFacts['personal_alert'], 'isFollow'>;
}

/** The alerts of a person's current day, read when the first asks for a place. */
export class Day {
  readonly #read: () => Promise<readonly Claim[]>;
  #taken: Claim[] | null = null;

  constructor(read: () => Promise<readonly Claim[]>) {
    this.#read = read;
  }

  /** Null if it got a place; otherwise why not: `full` for filters only, or `over` for everything. */
  async take(claim: Claim): Promise<'full' | 'over' | null> {
    this.#taken ??= [...(await this.#read())];
    const { isFollow } = claim.facts;
    if (this.#taken.length >= DAILY_LIMITS.all) return 'over';
    const fromFilters = this.#taken.filter(({ facts }) => !facts.isFollow).length;
    if (!isFollow && fromFilters >= DAILY_LIMITS.filters) return 'full';
    this.#taken.push(claim);
    return null;
  }
}
