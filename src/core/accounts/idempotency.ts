import type { Clock } from '../base/time/clock.ts';
import { DAY_MS, type EpochMs } from '../base/time/duration.ts';
import type { Refused } from './keys/api-key.ts';

/** How long a request can be repeated under its name. */
export const IDEMPOTENCY_KEPT_MS = DAY_MS;

/** A request that a client has named, so that it can be repeated (`Idempotency-Key`). */
export interface NamedRequest {
  readonly keyId: string;
  /** From the client; unique for the key. */
  readonly name: string;
  /** Equal for equal requests. */
  readonly fingerprint: string;
}

/** A named request with what it creates. */
export interface StoredRequest extends NamedRequest {
  readonly resourceId: string;
  readonly createdAt: EpochMs;
  /** Whether the resource was stored. It may have been changed or deleted since then. */
  readonly isCreated: boolean;
}

/** Named requests of the last day. */
export interface IdempotencyStore {
  /** Stores a request if its name is free, or was taken at `freeUntil` or before. Returns the request that holds the name. */
  take(request: StoredRequest, freeUntil: EpochMs): Promise<StoredRequest>;
  markCreated(request: NamedRequest): Promise<void>;
  prune(before: EpochMs): Promise<number>;
  /** Removes the requests of a key: their names are the client's own text. */
  removeOf(keyId: string): Promise<void>;
}

/** What is stored under the id of a created resource. `unchanged`: it is still as it was created. */
export type StoredResource = 'unchanged' | 'changed' | 'missing';

/** Creates a resource under an id that is chosen first. */
export interface Creation {
  newId(): string;
  find(id: string): Promise<StoredResource>;
  /** False if the key has reached its maximum. Throws if the id is taken. */
  insert(id: string): Promise<boolean>;
}

/**
 * `reused`: the name belongs to another request. `changed`, `missing`: state of the resource that this request created before.
 */
export type CreationResult =
  | { readonly ok: true; readonly id: string; readonly isReplay: boolean }
  | Refused<'full'>
  | Refused<'reused'>
  | (Refused<'changed' | 'missing'> & { readonly id: string });

/**
 * Creates one resource for each named request, however often it is sent, even concurrently or after a crash between any two
 * writes: the request is stored first with the id that the resource gets, and every repetition completes the same resource. A
 * resource that was changed or deleted since is not created again, and the repetition is refused: the original answer, such as a
 * secret, is no longer true. A request refused at the maximum can be repeated and is then evaluated again.
 */
export class Idempotency {
  readonly #store: Pick<IdempotencyStore, 'take' | 'markCreated'>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: Pick<IdempotencyStore, 'take' | 'markCreated'>, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `request`: null without a name. Throws what the stores throw; a repetition then continues. */
  async create(request: NamedRequest | null, creation: Creation): Promise<CreationResult> {
    const newId = creation.newId();
    if (request === null) return (await creation.insert(newId)) ? created(newId) : FULL;
    const createdAt = this.#clock.now();
    const stored = await this.#store.take(
      { ...request, resourceId: newId, createdAt, isCreated: false },
      createdAt - IDEMPOTENCY_KEPT_MS,
    );
    if (stored.fingerprint !== request.fingerprint) return { ok: false, reason: 'reused' };
    const id = stored.resourceId;
    if (stored.isCreated) return repeated(id, await creation.find(id));
    const result = await insertOnce(id, creation);
    if (result === 'full') return FULL;
    await this.#store.markCreated(request);
    return result === 'inserted' ? created(id) : repeated(id, result);
  }
}

const FULL: CreationResult = { ok: false, reason: 'full' };

function created(id: string): CreationResult {
  return { ok: true, id, isReplay: false };
}

function repeated(id: string, found: StoredResource): CreationResult {
  return found === 'unchanged' ? { ok: true, id, isReplay: true } : { ok: false, reason: found, id };
}

/** Inserts the resource unless an earlier or a concurrent request has done so. */
async function insertOnce(id: string, creation: Creation): Promise<'inserted' | 'full' | StoredResource> {
  const earlier = await creation.find(id);
  if (earlier !== 'missing') return earlier;
  try {
    if (await creation.insert(id)) return 'inserted';
  } catch (error) {
    const concurrent = await creation.find(id);
    if (concurrent === 'missing') throw error;
    return concurrent;
  }
  // The concurrent request may have taken the last one of the maximum.
  const concurrent = await creation.find(id);
  return concurrent === 'missing' ? 'full' : concurrent;
}
