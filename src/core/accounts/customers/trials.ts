import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { TRIAL_DAYS } from '../keys/key-service.ts';
import type { CustomerRecord, CustomerServiceDeps, HandleId } from './customer.ts';
import type { CustomerRecords } from './customer-records.ts';

/** End of the claimed trial. `used`: the person already had a trial. `changed`: the customer was changed meanwhile. */
type TrialClaim = { readonly endsAt: EpochMs } | 'used' | 'changed';

/** One trial per person (docs/adr/0010-chat.md). */
export class Trials {
  readonly #deps: CustomerServiceDeps;
  readonly #records: CustomerRecords;

  constructor(deps: CustomerServiceDeps, records: CustomerRecords) {
    this.#deps = deps;
    this.#records = records;
  }

  /** Starts or continues the trial of a request, before its key is stored: a crash loses no trial. */
  async claim(record: CustomerRecord, request: string): Promise<TrialClaim> {
    const { trial } = record;
    if (trial === null) return this.#begin(record, request);
    const { endsAt } = trial;
    if (this.#deps.clock.now() >= endsAt) return 'used';
    if (trial.request === request) return { endsAt };
    if (await this.#wasRequestShown(trial.request)) return 'used';
    const isReplaced = await this.#deps.customers.replace({ ...record, trial: { ...trial, request } });
    return isReplaced ? { endsAt } : 'changed';
  }

  /** Whether a Pro key requested now would be in the trial, which each person gets once. */
  async isOpen(customerId: string): Promise<boolean> {
    const record = await this.#records.resolve(customerId);
    if (record === null) return false;
    const { trial } = record;
    if (trial === null) return !(await this.#hadPastTrial(record));
    if (this.#deps.clock.now() >= trial.endsAt) return false;
    if (await this.#wasRequestShown(trial.request)) return false;
    return !(await this.wasSeen(record.id, trial.endsAt));
  }

  /** Whether any key of the customer in the trial with this end was shown, revoked keys included. */
  async wasSeen(customerId: string, endsAt: EpochMs): Promise<boolean> {
    const { keys } = this.#deps;
    const all = await keys.byIds(await keys.idsOf(customerId));
    return all.some(
      ({ trialEndsAt, handover, previous }) =>
        trialEndsAt === endsAt && (handover?.isShown === true || previous !== null),
    );
  }

  async #begin(record: CustomerRecord, request: string): Promise<TrialClaim> {
    if (await this.#hadPastTrial(record)) return 'used';
    const startedAt = this.#deps.clock.now();
    const endsAt = startedAt + TRIAL_DAYS * DAY_MS;
    const trial = { request, startedAt, endsAt };
    return (await this.#deps.customers.replace({ ...record, trial })) ? { endsAt } : 'changed';
  }

  async #wasRequestShown(request: string): Promise<boolean> {
    return wasShown(await this.#deps.keys.byRequest(request), request);
  }

  /** Whether the person had a trial before their data was erased. */
  async #hadPastTrial(person: HandleId): Promise<boolean> {
    const { customers, markOf } = this.#deps;
    return customers.hasPastTrial(await markOf(person));
  }
}

/** Whether the secret of a request was shown; `key` is the key found by the request. */
export function wasShown(key: ApiKey | null, request: string): boolean {
  if (key === null) return false;
  // A later rotation replaced the request of the key.
  return key.handover?.request === request ? key.handover.isShown : !isUnseen(key);
}

/** Whether no secret of the key was ever shown. */
export function isUnseen({ handover, previous }: Pick<ApiKey, 'handover' | 'previous'>): boolean {
  return handover !== null && !handover.isShown && previous === null;
}
