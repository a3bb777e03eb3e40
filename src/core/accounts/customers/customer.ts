import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../../base/documents/documents.ts';
import type { RandomText } from '../../base/random.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Keys } from '../keys/api-key.ts';
import type { Hasher } from '../keys/key-text.ts';
import type { Presets } from '../presets/preset.ts';

/** Platforms with bots and channels. */
export const BOT_PLATFORMS = ['telegram', 'discord'] as const;
/** Platforms of the chat. `terminal` is `tipoff chat`. */
export const PLATFORMS = [...BOT_PLATFORMS, 'terminal'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Display names of the platforms. */
export const PLATFORM_LABELS: Readonly<Record<Platform, string>> = {
  telegram: 'Telegram',
  discord: 'Discord',
  terminal: 'this terminal',
};

/** The person who writes, as the platform describes them. */
export interface Visitor {
  readonly platform: Platform;
  readonly userId: string;
  /** Public name on the platform, without `@`; null without one. */
  readonly name: string | null;
  /** Address of private messages: the id of a chat, or of the person. */
  readonly chat: string;
}

const schema = z.strictObject({
  /** `cus_` and 16 characters. */
  id: z.string(),
  platform: z.enum(PLATFORMS),
  userId: z.string(),
  name: z.string().nullable(),
  /** By which a person is found. */
  nameLower: z.string().nullable(),
  chat: z.string(),
  /** False after the platform reports that the person blocked the bot, until they write again. */
  isReachable: z.boolean(),
  trial: z
    .strictObject({
      /** The request that started it (`Handover.request`). */
      request: z.string(),
      startedAt: z.int(),
      endsAt: z.int(),
    })
    .nullable(),
  bannedAt: z.int().nullable(),
  createdAt: z.int(),
  /** When its erasure began; null without one. */
  erasingAt: z.int().nullable(),
  /** Number of changes by `replace`, for optimistic locking. */
  version: z.int(),
});
type CustomerDocument = z.infer<typeof schema>;

/** A stored customer. */
export type CustomerRecord = Readonly<Omit<CustomerDocument, 'nameLower'>>;

/** A customer: a person on one platform. (platform, userId) is one customer at most. */
export type Customer = Omit<CustomerRecord, 'erasingAt' | 'version'>;

/** Most active keys of a customer. */
export const CUSTOMER_KEYS_MAX = 3;

/** Identifies a person on a platform. */
export type HandleId = Pick<Visitor, 'platform' | 'userId'>;

const ERASING = { erasingAt: { gte: 0 } } as const;

const CUSTOMERS: Declaration<CustomerDocument> = {
  kind: 'customers',
  schema,
  indexes: {
    customers_by_person: { fields: ['platform', 'userId'], isUnique: true },
    customers_by_name: { fields: ['nameLower'], where: { nameLower: { gt: '' } } },
    customers_by_trial_end: { fields: ['trial.endsAt'], where: { 'trial.endsAt': { gte: 0 } } },
    customers_by_age: { fields: ['createdAt'] },
    customers_erasing: { fields: ['erasingAt'], where: ERASING },
  },
};

/** `id` is the mark of a person. */
const pastTrialSchema = z.strictObject({ id: z.string() });
const PAST_TRIALS: Declaration<z.infer<typeof pastTrialSchema>> = {
  kind: 'past_trials',
  schema: pastTrialSchema,
};

/** A page of customers by id, after that of `after`. */
export interface CustomerPage {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of customers by the ends of their trials, which are after `from` and at or before `until`. */
export interface TrialPage {
  readonly from: EpochMs;
  readonly until: EpochMs;
  /** The last of the page before. */
  readonly after?: Pick<Customer, 'id' | 'trial'> | undefined;
  readonly limit: number;
}

/** Customers. Each write is atomic. */
export class Customers {
  readonly #customers: Documents<CustomerDocument>;
  readonly #pastTrials: Documents<z.infer<typeof pastTrialSchema>>;

  constructor(open: OpenDocuments) {
    this.#customers = open(CUSTOMERS);
    this.#pastTrials = open(PAST_TRIALS);
  }

  /** Stores a person's name and chat, as reachable; a new person as `candidate`. Gives the id. Concurrent calls agree. */
  async touch(visitor: Visitor, candidate: Pick<Customer, 'id' | 'createdAt'>): Promise<string> {
    const { platform, userId, name, chat } = visitor;
    const facts = { name, nameLower: name?.toLowerCase() ?? null, chat, isReachable: true };
    for (;;) {
      const known = await this.byPerson(visitor);
      // Most visits change nothing, and need not wait for the disk.
      if (known?.name === name && known.chat === chat && known.isReachable) return known.id;
      if (known !== null) {
        await this.#customers.update({ id: known.id }, { set: facts });
        return known.id;
      }
      const { id, createdAt } = candidate;
      const empty = { trial: null, bannedAt: null, erasingAt: null, version: 0 };
      const added = { id, platform, userId, ...facts, createdAt, ...empty };
      // Otherwise a concurrent visit inserted the person.
      if ((await this.#customers.insertMissing([added])).length === 1) return id;
    }
  }

  async byPerson({ platform, userId }: HandleId): Promise<CustomerRecord | null> {
    const [found] = await this.#customers.find({ where: { platform, userId } });
    return found === undefined ? null : toRecord(found);
  }

  /** By name, ignoring case. */
  async byName(name: string, limit: number): Promise<readonly CustomerRecord[]> {
    const where = { nameLower: name.toLowerCase() };
    return (await this.#customers.find({ where, order: 'id', limit })).map(toRecord);
  }

  /** No effect for an unknown person. */
  async markUnreachable(platform: Platform, userId: string): Promise<void> {
    await this.#customers.update({ platform, userId }, { set: { isReachable: false } });
  }

  async get(id: string): Promise<CustomerRecord | null> {
    const found = await this.#customers.get(id);
    return found && toRecord(found);
  }

  /** The existing ones, in any order. */
  async byIds(ids: readonly string[]): Promise<readonly CustomerRecord[]> {
    return (await this.#customers.find({ where: { id: { in: ids } } })).map(toRecord);
  }

  /** Stores trial, ban and erasure if the version is the stored one, and increments it; false otherwise. */
  async replace({ id, version, trial, bannedAt, erasingAt }: CustomerRecord): Promise<boolean> {
    const set = { trial, bannedAt, erasingAt, version: version + 1 };
    return (await this.#customers.update({ id, version }, { set })) === 1;
  }

  /** Removes the name of a person. */
  async blank(id: string): Promise<void> {
    await this.#customers.update({ id }, { set: { name: null, nameLower: null } });
  }

  async remove(id: string): Promise<void> {
    await this.#customers.delete({ id });
  }

  /** Customers whose erasure began, in any order. */
  async erasing(limit: number): Promise<readonly CustomerRecord[]> {
    return (await this.#customers.find({ where: ERASING, limit })).map(toRecord);
  }

  /** Customers that are neither banned nor being erased. */
  async page({ after, limit }: CustomerPage): Promise<readonly CustomerRecord[]> {
    const where = { erasingAt: null, bannedAt: null };
    const beyond = after === undefined ? undefined : { id: after };
    return (await this.#customers.find({ where, order: 'id', after: beyond, limit })).map(toRecord);
  }

  /** The same of those whose trials end in a span. */
  async trialsEnding({ from, until, after, limit }: TrialPage): Promise<readonly CustomerRecord[]> {
    const found = await this.#customers.find({
      where: { 'trial.endsAt': { gt: from, lte: until }, erasingAt: null, bannedAt: null },
      order: 'trial.endsAt',
      after: after?.trial ? { value: after.trial.endsAt, id: after.id } : undefined,
      limit,
    });
    return found.map(toRecord);
  }

  /** Number of customers that are not being erased: all, and those created at `since` or later. */
  async count(since: EpochMs): Promise<{ readonly total: number; readonly new: number }> {
    const all = await this.#customers.count();
    const erasing = await this.#customers.count(ERASING);
    const recent = await this.#customers.count({ createdAt: { gte: since }, erasingAt: null });
    return { total: all - erasing, new: recent };
  }

  /** Records that a person used their trial, by their mark; never removed. */
  async addPastTrial(mark: string): Promise<void> {
    await this.#pastTrials.insertMissing([{ id: mark }]);
  }

  async hasPastTrial(mark: string): Promise<boolean> {
    return (await this.#pastTrials.get(mark)) !== null;
  }
}

function toRecord({ nameLower, ...record }: CustomerDocument): CustomerRecord {
  return record;
}

/** Dependencies of `CustomerService`. */
export interface CustomerServiceDeps {
  readonly customers: Customers;
  readonly keys: Keys;
  readonly presets: Pick<Presets, 'listByKey' | 'remove'>;
  readonly webhooks: {
    listByKey(keyId: string): Promise<readonly { readonly id: string }[]>;
    remove(keyId: string, id: string): Promise<unknown>;
  };
  readonly chat: {
    removeOf(recipients: readonly (`customer:${string}` | `key:${string}`)[]): Promise<unknown>;
  };
  readonly followers: { remove(customerId: string): Promise<unknown> };
  readonly questions: { remove(person: HandleId): Promise<unknown> };
  readonly keyMessages: { removeInChats(chats: readonly string[]): Promise<unknown> };
  /** Slow: it runs one hash at a time. */
  readonly hasher: Hasher;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
  /** Clears what the database files still contain of deleted rows. Never rejects. */
  readonly purgeDeleted: () => Promise<void>;
  /** Salted hash of a person, kept after their data is erased. */
  readonly markOf: (person: HandleId) => Promise<string>;
}
