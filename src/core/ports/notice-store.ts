import type { EpochMs } from '../trade.ts';

/** Something the owner of a key is to be told in chat, once. */
export interface Notice {
  /** Unique: the same occasion gives the same id. */
  readonly id: string;
  readonly keyId: string;
  readonly kind: 'webhook_failing';
  /** What the words are made of. */
  readonly facts: Readonly<Record<string, string | number>>;
  readonly createdAt: EpochMs;
}

/** The outbox of messages to owners. */
export interface NoticeStore {
  /** False when the occasion is there already. */
  add(notice: Notice): Promise<boolean>;
  /** Oldest first, at most `limit`. */
  list(limit: number): Promise<readonly Notice[]>;
}
