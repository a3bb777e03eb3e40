import type { Clock } from '../clock.ts';
import { DAY_MS } from '../duration.ts';
import type { EpochMs } from '../trade.ts';

/** For how long a request can be repeated under its name. */
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
  /** Whether the resource was stored. It may have been deleted since then. */
  readonly isCreated: boolean;
}

/** Named requests of the last day. */
export interface IdempotencyStore {
  /**
   * Stores a request if its name is free, or belongs to a request of `freeUntil` or before. Gives the request that has the name
   * then.
   */
  take(request: StoredRequest, freeUntil: EpochMs): Promise<StoredRequest>;
  markCreated(request: NamedRequest): Promise<void>;
  /** Deletes the requests before this time. Returns their number. */
  prune(before: EpochMs): Promise<number>;
}

/** Creates a resource under an id that is chosen first. */
export interface Creation {
  newId(): string;
  exists(id: string): Promise<boolean>;
  /** False if the key has reached its maximum. Throws if the id is taken. */
  insert(id: string): Promise<boolean>;
}

/** `reused`: the name belongs to another request. */
export type CreationResult =
  | { readonly ok: true; readonly id: string; readonly isReplay: boolean }
  | { readonly ok: false; readonly reason: 'full' | 'reused' };

interface IdempotencyOptions {
  readonly store: Pick<IdempotencyStore, 'take' | 'markCreated'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Creates one resource for each named request, however often it is sent, also at the same time and after a crash between any two
 * writes: the request is stored first with the id that the resource gets, and every repetition completes the same resource. A
 * resource that was deleted is not created again. A refused request can be repeated, and is then decided again.
 */
export class Idempotency {
  readonly #options: IdempotencyOptions;

  constructor(options: IdempotencyOptions) {
    this.#options = options;
  }

  /** `request`: null without a name. Throws what the stores throw; a repetition then continues. */
  async create(request: NamedRequest | null, creation: Creation): Promise<CreationResult> {
    const newId = creation.newId();
    if (request === null) return (await creation.insert(newId)) ? created(newId, false) : FULL;
    const { store, clock } = this.#options;
    const createdAt = clock.now();
    const stored = await store.take(
      { ...request, resourceId: newId, createdAt, isCreated: false },
      createdAt - IDEMPOTENCY_KEPT_MS,
    );
    if (stored.fingerprint !== request.fingerprint) return { ok: false, reason: 'reused' };
    if (stored.isCreated) return created(stored.resourceId, true);
    const result = await insertOnce(stored.resourceId, creation);
    if (result === 'full') return FULL;
    await store.markCreated(request);
    return created(stored.resourceId, result === 'found');
  }
}

const FULL: CreationResult = { ok: false, reason: 'full' };

function created(id: string, isReplay: boolean): CreationResult {
  return { ok: true, id, isReplay };
}

/** Inserts the resource unless an earlier or a concurrent request has done so. */
async function insertOnce(id: string, creation: Creation): Promise<'inserted' | 'found' | 'full'> {
  if (await creation.exists(id)) return 'found';
  try {
    if (await creation.insert(id)) return 'inserted';
  } catch (error) {
    if (await creation.exists(id)) return 'found';
    throw error;
  }
  // The concurrent request may have taken the last one of the maximum.
  return (await creation.exists(id)) ? 'found' : 'full';
}
