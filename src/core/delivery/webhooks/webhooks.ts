import { z } from 'zod';
import type { Change, Declaration, Documents, OpenDocuments } from '../../base/documents/documents.ts';
import { insertInSlot } from '../../base/documents/insert-in-slot.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import { CATEGORIES } from '../../trades/trade.ts';
import {
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookChange,
  type WebhookCounts,
  type WebhookRefusal,
} from './webhook.ts';
import { WEBHOOK_FORMATS } from './webhook-format.ts';

const schema = z.strictObject({
  id: z.string(),
  keyId: z.string(),
  url: z.string(),
  format: z.enum(WEBHOOK_FORMATS),
  categories: z.array(z.enum(CATEGORIES)).readonly().nullable(),
  minScore: z.int().nullable(),
  /** JSON of a `LastingFilter`. */
  filters: z.string().nullable(),
  events: z.array(z.enum(WEBHOOK_EVENTS)).readonly().nullable(),
  secretVersion: z.int(),
  rotatedAt: z.int().nullable(),
  isPaused: z.boolean(),
  createdAt: z.int(),
  delivered: z.int(),
  failed: z.int(),
  failuresInRow: z.int(),
  slot: z.int(),
});
type WebhookDocument = z.infer<typeof schema>;

const WEBHOOKS: Declaration<WebhookDocument> = {
  kind: 'webhooks',
  schema,
  indexes: {
    webhooks_by_slot: { fields: ['keyId', 'slot'], isUnique: true },
    webhooks_by_url: { fields: ['keyId', 'url'], isUnique: true },
  },
};

interface WebhookTotals {
  readonly webhooks: number;
  readonly paused: number;
  readonly delivered: number;
  readonly failed: number;
}

/** The webhooks of all keys: a few thousand at most. Each belongs to a key; under another key's id it is missing. */
export class Webhooks {
  readonly #documents: Documents<WebhookDocument>;
  /** Counts may be too low after a power cut. */
  readonly #counts: Documents<WebhookDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(WEBHOOKS);
    this.#counts = open(WEBHOOKS, { isQuick: true });
  }

  /** Refused, also among concurrent calls, when the key has a webhook with the URL, or `cap` webhooks. Throws when the id is taken. */
  async insert(webhook: Webhook, cap: number): Promise<{ readonly ok: true } | WebhookRefusal> {
    const { id, keyId, url } = webhook;
    const document = { ...webhook, filters: filtersText(webhook.filters), slot: 0 };
    const result = await insertInSlot(this.#documents, document, { where: { keyId }, most: cap });
    if (result === 'inserted') return { ok: true };
    const [holder] = await this.#documents.find({ where: { keyId, url } });
    if (holder !== undefined) return { ok: false, reason: 'url_taken', id: holder.id };
    if (result === 'too_many') return { ok: false, reason: 'too_many' };
    if ((await this.#documents.get(id)) !== null) throw new Error(`${id} is taken`);
    // The webhook that had the URL was removed in between.
    return this.insert(webhook, cap);
  }

  /** Oldest first, ties by id. */
  async listByKey(keyId: string): Promise<readonly Webhook[]> {
    const found = await this.#documents.find({ where: { keyId } });
    return found.toSorted(byCreation).map(toWebhook);
  }

  /** All that are not paused, of every key. */
  async active(): Promise<readonly Webhook[]> {
    return (await this.#documents.find()).filter(({ isPaused }) => !isPaused).map(toWebhook);
  }

  /** Those that exist, in any order. */
  async byIds(ids: readonly string[]): Promise<readonly Webhook[]> {
    return (await this.#documents.find({ where: { id: { in: ids } } })).map(toWebhook);
  }

  /** Returns the changed webhook; null when the key has none with this id. */
  update(keyId: string, id: string, { filters, ...given }: WebhookChange): Promise<Webhook | null> {
    const set = filters === undefined ? given : { ...given, filters: filtersText(filters) };
    return this.#change(keyId, id, { set });
  }

  /** Raises the secret's version; the webhook as it is then, or null. */
  rotate(keyId: string, id: string, rotatedAt: EpochMs): Promise<Webhook | null> {
    return this.#change(keyId, id, { set: { rotatedAt }, inc: { secretVersion: 1 } });
  }

  /** Adds to counts, each webhook at most once in a call. Returns those whose last attempt failed, as they are then, in any order. */
  async addCounts(counts: readonly WebhookCounts[]): Promise<readonly Webhook[]> {
    if (counts.length === 0) return [];
    await this.#counts.updateEach(counts.map(toUpdate));
    const failing = counts.filter(({ failuresAtEnd }) => failuresAtEnd > 0);
    return failing.length === 0 ? [] : this.byIds(failing.map(({ id }) => id));
  }

  /** False when there was none. */
  async remove(keyId: string, id: string): Promise<boolean> {
    return (await this.#documents.delete({ id, keyId })) === 1;
  }

  /** Sums over all webhooks, for the operator. */
  async totals(): Promise<WebhookTotals> {
    const all = await this.#documents.find();
    return {
      webhooks: all.length,
      paused: all.filter(({ isPaused }) => isPaused).length,
      delivered: all.reduce((sum, { delivered }) => sum + delivered, 0),
      failed: all.reduce((sum, { failed }) => sum + failed, 0),
    };
  }

  async #change(keyId: string, id: string, change: Change<WebhookDocument>): Promise<Webhook | null> {
    const isEmpty = Object.keys({ ...change.set, ...change.inc }).length === 0;
    if (!isEmpty) await this.#documents.update({ id, keyId }, change);
    const found = await this.#documents.get(id);
    return found?.keyId === keyId ? toWebhook(found) : null;
  }
}

function toWebhook({ slot, filters, ...document }: WebhookDocument): Webhook {
  return { ...document, filters: filters === null ? null : JSON.parse(filters) };
}

function byCreation(one: WebhookDocument, other: WebhookDocument): number {
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

function filtersText(filters: Webhook['filters']): string | null {
  return filters === null ? null : JSON.stringify(filters);
}

function toUpdate({ id, delivered, failed, failuresAtEnd }: WebhookCounts) {
  const inc = { delivered, failed };
  const change =
    delivered > 0
      ? { inc, set: { failuresInRow: failuresAtEnd } }
      : { inc: { ...inc, failuresInRow: failuresAtEnd } };
  return { where: { id }, change };
}
