import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../../base/documents/documents.ts';
import { insertInSlot } from '../../base/documents/insert-in-slot.ts';
import type { RandomText } from '../../base/random.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { EpochMs } from '../../base/time/duration.ts';
import type { Keys } from '../keys/api-key.ts';

/** The value of a filter; null for a filter that is not set. */
export type FilterValue = string | number | boolean | null;

/** Filters by name, as the client sent them. */
export type PresetFilters = Readonly<Record<string, FilterValue>>;

/** Filters saved by a key (contract, Preset). */
export interface Preset {
  /** `preset_` and 16 characters. */
  readonly id: string;
  /** Id of the key, which a rotation keeps. */
  readonly keyId: string;
  readonly name: string;
  readonly filters: PresetFilters;
  /** From the client, or the time of saving. */
  readonly createdAt: EpochMs;
  /** Hash of the token that opens the feed of what it matches to anyone, at the free delay. Null: it has no feed. */
  readonly feedHash: string | null;
}

/** Bounds of presets; lengths are in characters (UTF-16 units). */
export const PRESET_LIMITS = {
  perKey: 100,
  nameLength: 100,
  filters: 50,
  filterNameLength: 64,
  filterTextLength: 200,
} as const;

const schema = z.strictObject({
  id: z.string(),
  keyId: z.string(),
  name: z.string(),
  /** JSON: what clients name their filters cannot be the fields of a document. */
  filters: z.string(),
  createdAt: z.int(),
  feedHash: z.string().nullable(),
  slot: z.int(),
});
type PresetDocument = z.infer<typeof schema>;

const PRESETS: Declaration<PresetDocument> = {
  kind: 'presets',
  schema,
  indexes: {
    presets_by_key: { fields: ['keyId', 'createdAt'] },
    presets_by_slot: { fields: ['keyId', 'slot'], isUnique: true },
    presets_by_feed: { fields: ['feedHash'], isUnique: true, where: { feedHash: { gt: '' } } },
  },
};

/** Stored presets. Each belongs to one key; for other keys it does not exist. */
export class Presets {
  readonly #documents: Documents<PresetDocument>;

  constructor(open: OpenDocuments) {
    this.#documents = open(PRESETS);
  }

  /** False if the key has `cap` presets. Concurrent inserts do not exceed the cap. */
  async insert(preset: Preset, cap: number): Promise<boolean> {
    const where = { keyId: preset.keyId };
    const document = { ...preset, filters: JSON.stringify(preset.filters), slot: 0 };
    const result = await insertInSlot(this.#documents, document, { where, most: cap });
    if (result === 'taken') throw new Error(`${preset.id} is taken`);
    return result === 'inserted';
  }

  /** Oldest first, ties by id. */
  async listByKey(keyId: string): Promise<readonly Preset[]> {
    return (await this.#documents.find({ where: { keyId }, order: 'createdAt' })).map(toPreset);
  }

  async get(keyId: string, id: string): Promise<Preset | null> {
    const found = await this.#documents.get(id);
    return found?.keyId === keyId ? toPreset(found) : null;
  }

  async byFeedToken(token: string): Promise<Preset | null> {
    const [found] = await this.#documents.find({ where: { feedHash: hashOf(token) } });
    return found === undefined ? null : toPreset(found);
  }

  /** Replaces the preset with the same id and key, but not its feed token; false if there is none. */
  async replace({ id, keyId, name, filters, createdAt }: Preset): Promise<boolean> {
    const set = { name, filters: JSON.stringify(filters), createdAt };
    return (await this.#documents.update({ id, keyId }, { set })) === 1;
  }

  /** Stores the hash of the token. The former token is no longer found. False if there is no such preset. */
  async setFeedToken(keyId: string, id: string, token: string | null): Promise<boolean> {
    const set = { feedHash: token === null ? null : hashOf(token) };
    return (await this.#documents.update({ id, keyId }, { set })) === 1;
  }

  /** False if there is none. */
  async remove(keyId: string, id: string): Promise<boolean> {
    return (await this.#documents.delete({ id, keyId })) === 1;
  }
}

function toPreset({ slot, ...document }: PresetDocument): Preset {
  return { ...document, filters: JSON.parse(document.filters) };
}

/** A token is random, so that a fast hash is enough: who reads the database or a backup cannot open the feeds. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** A validated preset from a client. */
export interface PresetRequest {
  readonly name: string;
  readonly filters: PresetFilters;
  /** Null: now for a new preset, unchanged for a replaced one. */
  readonly createdAt: EpochMs | null;
}

/** Gives 16 characters in base64url. */
const ID_BYTES = 12;
/** 128 bits: too many to guess. */
const FEED_TOKEN_BYTES = 16;

interface PresetServiceOptions {
  readonly presets: Presets;
  readonly keys: Pick<Keys, 'byId'>;
  readonly random: RandomText;
  readonly clock: Pick<Clock, 'now'>;
}

/** The presets of keys. A preset of another key does not exist. */
export class PresetService {
  readonly store: Presets;
  readonly #keys: Pick<Keys, 'byId'>;
  readonly #random: RandomText;
  readonly #clock: Pick<Clock, 'now'>;

  constructor({ presets, keys, random, clock }: PresetServiceOptions) {
    this.store = presets;
    this.#keys = keys;
    this.#random = random;
    this.#clock = clock;
  }

  /** The new preset; null if the key has `PRESET_LIMITS.perKey` presets already. */
  async create(keyId: string, { name, filters, createdAt }: PresetRequest): Promise<Preset | null> {
    const preset = {
      id: `preset_${this.#random.base64url(ID_BYTES)}`,
      keyId,
      name,
      filters,
      createdAt: createdAt ?? this.#clock.now(),
      feedHash: null,
    };
    return (await this.store.insert(preset, PRESET_LIMITS.perKey)) ? preset : null;
  }

  /** The new preset; null if there is none to replace. */
  async replace(keyId: string, id: string, request: PresetRequest): Promise<Preset | null> {
    const found = await this.store.get(keyId, id);
    if (found === null) return null;
    const { name, filters, createdAt } = request;
    const preset = { ...found, name, filters, createdAt: createdAt ?? found.createdAt };
    return (await this.store.replace(preset)) ? preset : null;
  }

  /**
   * The preset whose feed the token opens. Null when there is none, or its key is revoked, since nobody could then end the feed.
   */
  async ofFeed(token: string): Promise<Preset | null> {
    const preset = await this.store.byFeedToken(token);
    const key = preset && (await this.#keys.byId(preset.keyId));
    return key?.revokedAt === null ? preset : null;
  }

  /** Gives the preset a new feed token of 22 characters, which ends the former one. Null if there is no such preset. */
  async renewFeed(keyId: string, id: string): Promise<string | null> {
    const token = this.#random.base64url(FEED_TOKEN_BYTES);
    return (await this.store.setFeedToken(keyId, id, token)) ? token : null;
  }
}
