import { FailureLimit } from '../keys/failure-limit.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecords } from './customer-records.ts';
import { CUSTOMER_LIMITS, type CustomerService, type LinkResult } from './customer-service.ts';
import type { CustomerRecord } from './customer-store.ts';
import { LINK_CODE_LENGTH, linkCode } from './link-code.ts';

/** Wrong codes that a customer may give within the life of a code; of so many customers at once. */
const GUESSES = { most: 5, windowMs: CUSTOMER_LIMITS.linkCodeMs, addresses: 10_000 } as const;
const UNKNOWN = { ok: false, reason: 'unknown_code' } as const;

/** Codes that make two customers one. They are kept hashed; guesses are counted in this process. */
export function createLinking(
  deps: Pick<CustomerServiceDeps, 'customers' | 'keys' | 'random' | 'clock' | 'digest'>,
  customerRecords: CustomerRecords,
): Pick<CustomerService, 'startLink' | 'link'> {
  const { customers, keys, random, clock, digest } = deps;
  const guesses = new FailureLimit(GUESSES);

  async function join(customerId: string, hash: string): Promise<LinkResult> {
    const known = await customers.code(hash);
    if (known === null || known.expiresAt <= clock.now()) return UNKNOWN;
    for (let isTaken = false; ; ) {
      const giver = await customerRecords.resolve(customerId);
      const maker = await customerRecords.resolve(known.customerId);
      if (giver === null || maker === null) return UNKNOWN;
      // The other merge of two at once was quicker.
      if (giver.id === maker.id) return isTaken ? joined(giver) : { ok: false, reason: 'own_code' };
      if (giver.bannedAt !== null || maker.bannedAt !== null) return { ok: false, reason: 'banned' };
      if (!isTaken && (await holdTooMany(giver, maker))) return { ok: false, reason: 'too_many_keys' };
      if (!isTaken && !(await customers.takeCode(hash))) return UNKNOWN;
      isTaken = true;
      await customerRecords.merge(giver, maker);
    }
  }

  async function holdTooMany(...both: readonly CustomerRecord[]): Promise<boolean> {
    const held = await Promise.all(both.map(({ id }) => keys.byCustomer(id)));
    return held.flat().length > CUSTOMER_LIMITS.activeKeys;
  }

  async function joined(record: CustomerRecord): Promise<LinkResult> {
    const [customer] = await customerRecords.shown([record]);
    return customer === undefined ? UNKNOWN : { ok: true, customer };
  }

  return {
    async startLink(customerId) {
      const code = linkCode(random);
      const expiresAt = clock.now() + CUSTOMER_LIMITS.linkCodeMs;
      const record = await customerRecords.resolve(customerId);
      if (record !== null) await customers.putCode({ customerId: record.id, hash: digest(code), expiresAt });
      return { code, expiresAt };
    },
    async link(customerId, text) {
      if (guesses.isSpent(customerId, clock.now())) return UNKNOWN;
      const hash = digest(
        text
          .replaceAll(/[\s-]/g, '')
          .slice(0, 2 * LINK_CODE_LENGTH)
          .toUpperCase(),
      );
      const result = await join(customerId, hash);
      if (result === UNKNOWN) guesses.record(customerId, clock.now());
      return result;
    },
  };
}
