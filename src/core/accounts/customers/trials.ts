import { DAY_MS, type EpochMs } from '../../base/time/duration.ts';
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
    if (await this.#wasUsed(record.id, trial)) return 'used';
    const isReplaced = await this.#deps.customers.replace({ ...record, trial: { ...trial, request } });
    return isReplaced ? { endsAt } : 'changed';
  }

  /** Whether a Pro key requested now would be in the trial, which each person gets once. */
  async isOpen(customerId: string): Promise<boolean> {
    const record = await this.#records.resolve(customerId);
    if (record === null) return false;
    const { trial } = record;
    if (trial === null) return !(await this.#hadPastTrial(record));
    return this.#deps.clock.now() < trial.endsAt && !(await this.#wasUsed(record.id, trial));
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

  /** The operator may have given the key of the request another end. */
  async #wasUsed(
    customerId: string,
    { request, endsAt }: NonNullable<CustomerRecord['trial']>,
  ): Promise<boolean> {
    const key = await this.#deps.keys.byRequest(request);
    return key?.handover?.isShown === true || this.wasSeen(customerId, endsAt);
  }

  /** Whether the person had a trial before their data was erased. */
  async #hadPastTrial(person: HandleId): Promise<boolean> {
    const { customers, markOf } = this.#deps;
    return customers.hasPastTrial(await markOf(person));
  }
}
