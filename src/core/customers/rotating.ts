import { DAY_MS } from '../duration.ts';
import type { ApiKey, FormerSecret } from '../keys/api-key.ts';
import { mintSecret } from '../keys/mint-key.ts';
import type { EpochMs } from '../trade.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecords } from './customer-records.ts';
import type { RotateRequest, RotateResult } from './customer-service.ts';
import { wasShown } from './trials.ts';

const ATTEMPTS = 20;
/** Lifetime of the old secret. */
const OLD_SECRET_MS = DAY_MS;

/** Rotates the secrets of keys. Throws after 20 attempts that failed because of concurrent changes. */
export function createRotating(
  deps: Pick<CustomerServiceDeps, 'keys' | 'clock' | 'hasher' | 'random'>,
  records: CustomerRecords,
): (request: RotateRequest) => Promise<RotateResult> {
  const { keys, clock } = deps;

  async function rotate(key: ApiKey, { keepOld, request }: RotateRequest): Promise<RotateResult | 'retry'> {
    const { secret, ...made } = await mintSecret(deps);
    const previous = formerOf(key, keepOld, clock.now());
    const handover = { request, isShown: false };
    const rotation = { from: key.lookup, ...made, previous, handover };
    if ((await keys.rotate(key.id, rotation)) !== 'rotated') return 'retry';
    return { ok: true, key: { ...key, ...made, previous, handover }, secret };
  }

  return async (asked) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const record = await records.resolve(asked.customerId);
      if (record === null) return { ok: false, reason: 'unknown_customer' };
      if (record.bannedAt !== null) return { ok: false, reason: 'banned' };
      const key = await keys.byId(asked.keyId);
      if (key === null || key.customerId !== record.id || key.revokedAt !== null) {
        return { ok: false, reason: 'unknown_key' };
      }
      const same = await keys.byRequest(asked.request);
      if (same !== null && same.id !== key.id) throw new Error('the request is of another key');
      if (same !== null && wasShown(same, asked.request)) return { ok: false, reason: 'already_shown', key };
      const result = await rotate(key, asked);
      if (result !== 'retry') return result;
    }
    throw new Error(`a key could not be rotated in ${ATTEMPTS} attempts`);
  };
}

/** The owner's former secret and its end. A secret that was never shown is none. */
function formerOf(key: ApiKey, keepOld: boolean, now: EpochMs): FormerSecret | null {
  const { lookup, hash, handover, previous } = key;
  if (handover === null || handover.isShown) {
    return { lookup, hash, endsAt: keepOld ? now + OLD_SECRET_MS : now };
  }
  if (previous === null || keepOld) return previous;
  return { ...previous, endsAt: Math.min(previous.endsAt, now) };
}
