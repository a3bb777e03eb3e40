import type { EpochMs } from '../trade.ts';
import type { Handle, Platform, Trial, Visitor } from './customer.ts';

/** A customer as it rests in the store; the handles are rows of their own. */
export interface CustomerRecord {
  readonly id: string;
  readonly trial: Trial | null;
  readonly bannedAt: EpochMs | null;
  readonly createdAt: EpochMs;
  /** The customer this one became a part of; null while it is one of its own. */
  readonly mergedInto: string | null;
  /** Whether keys and handles have followed. */
  readonly isMoved: boolean;
  /** Since when everything of it is being removed; null: it is not. */
  readonly erasingAt: EpochMs | null;
  /** Counts the changes. */
  readonly version: number;
}

/** A handle, and whose it is. */
export interface OwnedHandle extends Handle {
  readonly customerId: string;
}

/** A code that links, by its hash. */
export interface LinkCode {
  readonly customerId: string;
  readonly hash: string;
  readonly expiresAt: EpochMs;
}

/** Names a person of a platform. */
export type HandleId = Pick<Visitor, 'platform' | 'userId'>;

/** Which customers are asked for: those that are neither merged, nor banned, nor being removed; by id. */
export interface CustomerQuery {
  /** Only ids after this one. */
  readonly after?: string;
  readonly limit: number;
  /** Only those whose trial ends after `from` and at or before `until`. */
  readonly trialEnds?: { readonly from: EpochMs; readonly until: EpochMs };
}

/** Where customers rest. Each write of one row happens whole or not at all; several rows are not written together. */
export interface CustomerStore {
  /**
   * Writes what the platform tells of a person, as reachable; a person not known yet becomes the customer of the id
   * `candidate`. Whose they are: many at once get the same answer.
   */
  touch(visitor: Visitor, candidate: string): Promise<string>;
  handle(id: HandleId): Promise<OwnedHandle | null>;
  /** In the order in which their platforms are listed. */
  handlesOf(customerIds: readonly string[]): Promise<readonly OwnedHandle[]>;
  /** By name, whatever its case. */
  handlesByName(name: string, limit: number): Promise<readonly OwnedHandle[]>;
  /** Nothing when there is no such person. */
  markUnreachable(platform: Platform, userId: string): Promise<void>;
  moveHandles(from: string, to: string): Promise<void>;
  /** Forgets the names of a customer's handles. */
  blankHandles(customerId: string): Promise<void>;
  removeHandles(customerId: string): Promise<void>;

  /** False when the id is taken. */
  insert(record: CustomerRecord): Promise<boolean>;
  get(id: string): Promise<CustomerRecord | null>;
  /** Puts the record in the place of the one with its id and version, one version on; false when there is none. */
  replace(record: CustomerRecord): Promise<boolean>;
  remove(id: string): Promise<void>;
  /** Those that became a part of this one, by their own last word. */
  mergedInto(id: string): Promise<readonly CustomerRecord[]>;
  /** Merges and removals that began and did not end, in any order. */
  unfinished(limit: number): Promise<readonly CustomerRecord[]>;
  page(query: CustomerQuery): Promise<readonly CustomerRecord[]>;
  /** Customers that are neither merged nor being removed: all, and those made at the moment or later. */
  count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }>;

  /** The one code of the customer from now on. */
  putCode(code: LinkCode): Promise<void>;
  code(hash: string): Promise<LinkCode | null>;
  /** True for exactly one of those who take it. */
  takeCode(hash: string): Promise<boolean>;
  removeCodesOf(customerId: string): Promise<void>;
  /** Removes codes that are over. Returns how many. */
  pruneCodes(now: EpochMs): Promise<number>;

  /** Remembers people who had a trial, by the marks of their ids, for good. */
  addPastTrials(marks: readonly string[]): Promise<void>;
  /** Whether any of them is remembered. */
  hasPastTrial(marks: readonly string[]): Promise<boolean>;
}
