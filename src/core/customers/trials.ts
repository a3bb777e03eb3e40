import { DAY_MS } from '../duration.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { TRIAL_DAYS } from '../keys/key-service.ts';
import type { EpochMs } from '../trade.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerRecord } from './customer-store.ts';

/** `used`: the person had the trial. `changed`: the customer is not what it was. Otherwise when the trial ends. */
export type TrialClaim = { readonly endsAt: EpochMs } | 'used' | 'changed';

/** One trial a person (design). */
export interface Trials {
  /**
   * The trial for a key of this request: it begins, or goes on when nobody has seen the key it began with. Written
   * before any key is, under the request, so that a crash loses none.
   */
  claim(record: CustomerRecord, request: string): Promise<TrialClaim>;
  /** Whether a claim that is made now would be met, as far as can be told before. */
  isOpen(record: CustomerRecord): Promise<boolean>;
  /** Whether somebody has seen a key of the customer, revoked ones included, in the trial that ends then. */
  wasSeen(customerId: string, endsAt: EpochMs): Promise<boolean>;
}

/** Trials of the customers in the store. */
export function createTrials(
  deps: Pick<CustomerServiceDeps, 'customers' | 'keys' | 'clock' | 'markOf'>,
): Trials {
  const { customers, keys, clock, markOf } = deps;

  /** Before their data was removed. */
  async function hadOneBefore({ id }: CustomerRecord): Promise<boolean> {
    const handles = await customers.handlesOf([id]);
    return customers.hasPastTrial(await Promise.all(handles.map(markOf)));
  }

  async function begin(record: CustomerRecord, request: string): Promise<TrialClaim> {
    if (await hadOneBefore(record)) return 'used';
    const startedAt = clock.now();
    const endsAt = startedAt + TRIAL_DAYS * DAY_MS;
    const trial = { request, startedAt, endsAt };
    return (await customers.replace({ ...record, trial })) ? { endsAt } : 'changed';
  }

  async function wasSeen(customerId: string, endsAt: EpochMs): Promise<boolean> {
    const all = await keys.byIds(await keys.idsOf(customerId));
    return all.some(
      ({ trialEndsAt, handover, previous }) =>
        trialEndsAt === endsAt && (handover?.isShown === true || previous !== null),
    );
  }

  return {
    async claim(record, request) {
      const { trial } = record;
      if (trial === null) return begin(record, request);
      const { endsAt } = trial;
      if (clock.now() >= endsAt) return 'used';
      if (trial.request === request) return { endsAt };
      if (wasShown(await keys.byRequest(trial.request), trial.request)) return 'used';
      const isTaken = await customers.replace({ ...record, trial: { ...trial, request } });
      return isTaken ? { endsAt } : 'changed';
    },
    async isOpen(record) {
      const { trial } = record;
      if (trial === null) return !(await hadOneBefore(record));
      if (clock.now() >= trial.endsAt) return false;
      if (wasShown(await keys.byRequest(trial.request), trial.request)) return false;
      return !(await wasSeen(record.id, trial.endsAt));
    },
    wasSeen,
  };
}

/** Whether a request has given what somebody has seen, `key` being the one the request is found by. */
export function wasShown(key: ApiKey | null, request: string): boolean {
  if (key === null) return false;
  // A request that is not the latest of its key was followed by a rotation.
  return key.handover?.request === request ? key.handover.isShown : !isUnseen(key);
}

/** Whether nobody has seen any secret of the key. */
export function isUnseen({ handover, previous }: Pick<ApiKey, 'handover' | 'previous'>): boolean {
  return handover !== null && !handover.isShown && previous === null;
}
