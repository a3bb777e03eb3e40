import type { ChatFacts } from '../chat/chat-message.ts';
import { type DayPlaces, hasPlace, type PlaceRights } from '../chat/places.ts';
import { DAILY_CAP } from './filter-preview.ts';

/** The reserved places are for the best alerts, and for followed wallets and markets. */
const PLACES: DayPlaces = { all: DAILY_CAP, kept: { isTop: 5, isFollow: 5 } };

/** An alert that takes a place, or has taken one. */
export interface Claim {
  readonly id: string;
  readonly facts: Pick<ChatFacts['personal_alert'], 'alertId' | 'isFollow' | 'score'>;
}

/** The places of a person's current day, read when the first is asked for. */
export class Day {
  readonly #read: () => Promise<readonly [readonly Claim[], number]>;
  #taken: Claim[] | null = null;
  #topScore = 0;

  constructor(read: () => Promise<readonly [readonly Claim[], number]>) {
    this.#read = read;
  }

  /** Null if it got a place; otherwise why not: `told` by a linked account's message, or the day is `full`. */
  async take(claim: Claim): Promise<'told' | 'full' | null> {
    if (this.#taken === null) {
      const [taken, topScore] = await this.#read();
      this.#topScore = topScore;
      this.#taken = [...taken];
    }
    const { alertId } = claim.facts;
    if (this.#taken.some(({ id, facts }) => facts.alertId === alertId && id !== claim.id)) return 'told';
    const rights = this.#taken.map((one) => this.#rightsOf(one));
    if (!hasPlace(this.#rightsOf(claim), rights, PLACES)) return 'full';
    this.#taken.push(claim);
    return null;
  }

  #rightsOf({ facts: { isFollow, score } }: Claim): PlaceRights {
    return { isFollow, isTop: score >= this.#topScore };
  }
}
