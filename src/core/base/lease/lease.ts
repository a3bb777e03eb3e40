import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Declaration, Documents, OpenDocuments } from '../documents/documents.ts';
import type { EpochMs } from '../time/duration.ts';

/** A lease held by one process. `epoch` grows each time that a process acquires it. */
export interface Lease {
  readonly epoch: number;
}

/** A write was refused: another process holds the lease now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The only lease: that of the process that does all work. */
const WORKER = 'worker';

const schema = z.strictObject({
  id: z.literal(WORKER),
  epoch: z.int(),
  /** Null after a release. The document stays, so that the next epoch is larger. */
  owner: z.string().nullable(),
  expiresAt: z.int(),
  /** What its holders keep with it: one update both checks the epoch and replaces the text. */
  text: z.string().nullable(),
});
type LeaseDocument = z.infer<typeof schema>;

const LEASE: Declaration<LeaseDocument> = { kind: 'lease', schema };

interface Renewal {
  readonly owner: string;
  readonly now: EpochMs;
  readonly ttlMs: number;
}

interface Claim extends Renewal {
  isGone(owner: string): boolean;
}

/**
 * The lease of the work that only one process does at a time. It is free when it has expired, or when this process saw no renewal
 * for its whole length.
 */
export class WorkerLease {
  readonly #documents: Documents<LeaseDocument>;
  #seen: { readonly document: LeaseDocument; readonly at: number } | null = null;

  constructor(open: OpenDocuments) {
    this.#documents = open(LEASE);
  }

  /** Null while another owner holds an unexpired lease, unless `isGone(owner)`. */
  async acquire(claim: Claim): Promise<Lease | null> {
    const held = { owner: claim.owner, expiresAt: claim.now + claim.ttlMs };
    const found = await this.#documents.get(WORKER);
    if (found === null) {
      const inserted = await this.#documents.insertMissing([{ id: WORKER, epoch: 1, ...held, text: null }]);
      return inserted.length === 1 ? { epoch: 1 } : null;
    }
    const isSilent = this.#unchangedMs(found) >= claim.ttlMs;
    if (!isSilent && !isFree(found, claim)) return null;
    // Only from the state that was found free: a renewal or another process that takes it in between wins.
    const { text, ...seen } = found;
    const epoch = found.epoch + 1;
    return (await this.#documents.update(seen, { set: { epoch, ...held } })) === 1 ? { epoch } : null;
  }

  /** False if the lease is no longer held. */
  async renew({ epoch }: Lease, { owner, now, ttlMs }: Renewal): Promise<boolean> {
    const set = { expiresAt: now + ttlMs };
    return (await this.#documents.update({ id: WORKER, epoch, owner }, { set })) === 1;
  }

  /** Ends the lease if it is still held. The epoch is kept, so that the next holder gets a larger one. */
  async release({ epoch }: Lease): Promise<void> {
    await this.#documents.update({ id: WORKER, epoch }, { set: { owner: null } });
  }

  async isHeld(lease: Lease): Promise<boolean> {
    return (await this.#documents.count(heldBy(lease))) === 1;
  }

  /** What the holders keep with the lease; null before the first `write`. */
  async read(): Promise<string | null> {
    return (await this.#documents.get(WORKER))?.text ?? null;
  }

  /** Replaces what the holders keep with the lease. False, and nothing written, when the lease is no longer held. */
  async write(lease: Lease, text: string): Promise<boolean> {
    return (await this.#documents.update(heldBy(lease), { set: { text } })) === 1;
  }

  /** How long this process has seen the document as it is. */
  #unchangedMs(document: LeaseDocument): number {
    const now = performance.now();
    if (this.#seen === null || !isDeepStrictEqual(this.#seen.document, document))
      this.#seen = { document, at: now };
    return now - this.#seen.at;
  }
}

function isFree({ owner, expiresAt }: LeaseDocument, claim: Claim): boolean {
  return owner === null || owner === claim.owner || claim.now >= expiresAt || claim.isGone(owner);
}

function heldBy({ epoch }: Lease) {
  return { id: WORKER, epoch, owner: { gt: '' } } as const;
}
