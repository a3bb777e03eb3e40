import { DAY_MS } from '../duration.ts';
import type { KeyLimits } from '../keys/api-key.ts';
import { KeyService } from '../keys/key-service.ts';
import type { Customer } from './customer.ts';
import type { CustomerRecords } from './customer-records.ts';
import type { CustomerService, CustomerServiceDeps } from './customer-service.ts';
import type { CustomerQuery } from './customer-store.ts';

type Operating = Pick<
  CustomerService,
  | ('ban' | 'unban' | 'extendTrial' | 'setTier' | 'provision' | 'page' | 'trialsEnding')
  | ('endedTrials' | 'settleTrial' | 'resumeInterrupted' | 'pruneLinkCodes' | 'count')
>;

/** Operations for the operator and the scheduled jobs. */
export function createOperating(deps: CustomerServiceDeps, records: CustomerRecords): Operating {
  const { customers, keys, clock } = deps;
  const service = new KeyService(deps);

  return {
    async ban(customerId) {
      const bannedAt = clock.now();
      const record = await records.change(customerId, (found) =>
        found.bannedAt === null ? { ...found, bannedAt } : null,
      );
      if (record === null) return false;
      for (const { id } of await keys.byCustomer(record.id)) await keys.revoke(id, clock.now());
      return true;
    },
    async unban(customerId) {
      const record = await records.change(customerId, (found) =>
        found.bannedAt === null ? null : { ...found, bannedAt: null },
      );
      return record !== null;
    },
    async setTier(keyId, tier) {
      const result = await service.setTier(keyId, tier);
      return result.ok ? result.key : result.reason;
    },
    async provision({ customerId, name, limits }) {
      if (limits !== null && !areLimits(limits)) return { ok: false, reason: 'bad_limits' };
      const record = customerId === null ? null : await records.resolve(customerId);
      if (customerId !== null && record === null) return { ok: false, reason: 'unknown_customer' };
      const owner = record?.id ?? null;
      const issued = await service.issue({ tier: 'enterprise', name, customerId: owner, limits });
      if (!issued.ok) return { ok: false, reason: 'bad_name' };
      // The customer may have been merged meanwhile: the key follows.
      const current = owner === null ? null : await records.resolve(owner);
      if (owner !== null && current !== null && current.id !== owner) await keys.moveAll(owner, current.id);
      return issued;
    },
    extendTrial: (customerId, days) => extendTrial(deps, records, { customerId, days }),
    page: (query) => reachablePage(deps, records, query),
    trialsEnding: async ({ from, until, ...query }) =>
      records.shown(await customers.page({ ...query, trialEnds: { from, until } })),
    endedTrials: (limit) => keys.endedTrials(clock.now(), limit),
    async settleTrial({ id, trialEndsAt }) {
      if (trialEndsAt !== null) await keys.moveTrial(id, trialEndsAt, { tier: 'free', trialEndsAt });
    },
    resumeInterrupted: () => records.finish(),
    pruneLinkCodes: () => customers.pruneCodes(clock.now()),
    count: customers.count,
  };
}

interface Extension {
  readonly customerId: string;
  readonly days: number;
}

async function extendTrial(
  { keys, clock, customers }: CustomerServiceDeps,
  records: CustomerRecords,
  { customerId, days }: Extension,
): Promise<Customer | 'unknown_customer' | 'no_trial'> {
  for (;;) {
    const record = await records.resolve(customerId);
    if (record === null) return 'unknown_customer';
    const { trial } = record;
    if (trial === null) return 'no_trial';
    const endsAt = Math.max(trial.endsAt, clock.now()) + days * DAY_MS;
    // Keys first: otherwise a crash in between would leave keys that no longer match the trial.
    for (const { id, trialEndsAt } of await keys.byCustomer(record.id)) {
      if (trialEndsAt === null || trialEndsAt < trial.endsAt || trialEndsAt >= endsAt) continue;
      await keys.moveTrial(id, trialEndsAt, { tier: 'pro', trialEndsAt: endsAt });
    }
    const extended = { ...record, trial: { ...trial, endsAt } };
    if (!(await customers.replace(extended))) continue;
    const [customer] = await records.shown([extended]);
    if (customer !== undefined) return customer;
  }
}

/** Reachable customers. A page shorter than `limit` is the last one. */
async function reachablePage(
  { customers }: Pick<CustomerServiceDeps, 'customers'>,
  records: CustomerRecords,
  { limit, after }: CustomerQuery,
): Promise<readonly Customer[]> {
  const found: Customer[] = [];
  for (let from = after; ; ) {
    const page = await customers.page({ limit, ...(from !== undefined && { after: from }) });
    const shown = await records.shown(page);
    const reachable = shown.filter(({ handles }) => handles.some(({ isReachable }) => isReachable));
    found.push(...reachable.slice(0, limit - found.length));
    from = page.at(-1)?.id;
    if (found.length === limit || page.length < limit) return found;
  }
}

function areLimits({ requestsPerMinute, maxSockets }: KeyLimits): boolean {
  return [requestsPerMinute, maxSockets].every(
    (most) => most === null || (Number.isInteger(most) && most >= 1),
  );
}
