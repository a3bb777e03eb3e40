import type { HandleId } from '../accounts/customers/customer-store.ts';
import type { EpochMs } from '../base/time/duration.ts';

/** A question that a person was asked in chat: the next line of text answers it. A person has one at most. */
export interface OpenQuestion extends HandleId {
  /** The action that gets the line. */
  readonly action: string;
  readonly expiresAt: EpochMs;
}

/** Open questions, by person. */
export interface QuestionStore {
  /** Replaces the person's former question. */
  put(question: OpenQuestion): Promise<void>;
  /** Expired questions included. */
  get(person: HandleId): Promise<OpenQuestion | null>;
  remove(person: HandleId): Promise<void>;
  /** Removes expired questions. Returns how many. */
  prune(now: EpochMs): Promise<number>;
}
