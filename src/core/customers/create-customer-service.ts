import { FairQueue } from '../async/fair-queue.ts';
import { keyName } from '../keys/key-service.ts';
import { CustomerRecords } from './customer-records.ts';
import type { CustomerKeyResult, CustomerService, CustomerServiceDeps } from './customer-service.ts';
import { createFinding } from './find-customers.ts';
import { createRotating, Issuing } from './issuing.ts';
import { Linking } from './linking.ts';
import { createOperating } from './operating.ts';
import { Trials } from './trials.ts';

/**
 * Customers and their keys. Requests of one customer run one after the other in this process, so that a double tap costs
 * one hash at a time; the store resolves conflicts between processes.
 */
export function createCustomerService(deps: CustomerServiceDeps): CustomerService {
  const records = new CustomerRecords(deps);
  const trials = new Trials(deps);
  const issuing = new Issuing(deps, records, trials);
  const rotate = createRotating(deps, records);
  const linking = new Linking(deps, records);
  const queue = new FairQueue({ runningPerCaller: 1 });
  const oneAtATime = <T>(customerId: string, task: () => Promise<T>) =>
    queue.run(task, { caller: customerId });
  const { customers, keys } = deps;

  return {
    ...createFinding(deps, records),
    ...createOperating(deps, records),
    ...createOwnKeys(deps, records),
    async visit(visitor) {
      const [customer] = await records.shown([await records.visit(visitor)]);
      if (customer === undefined) throw new Error('a customer cannot be shown');
      return customer;
    },
    async byId(id) {
      const record = await records.resolve(id);
      return record === null ? null : ((await records.shown([record]))[0] ?? null);
    },
    async mayHaveTrial(customerId) {
      const record = await records.resolve(customerId);
      return record !== null && trials.isOpen(record);
    },
    requestKey: (request) => oneAtATime(request.customerId, () => issuing.issue(request)),
    rotate: (request) => oneAtATime(request.customerId, () => rotate(request)),
    confirmShown: async (keyId, request) => void (await keys.confirmShown(keyId, request)),
    startLink: linking.startLink,
    link: (customerId, code) => oneAtATime(customerId, () => linking.link(customerId, code)),
    erase: (customerId) => oneAtATime(customerId, () => records.erase(customerId)),
    markUnreachable: customers.markUnreachable,
  };
}

/** Operations of owners on their keys. */
function createOwnKeys(
  { keys, clock }: Pick<CustomerServiceDeps, 'keys' | 'clock'>,
  records: CustomerRecords,
): Pick<CustomerService, 'keysOf' | 'rename' | 'revoke'> {
  async function change(
    customerId: string,
    keyId: string,
    write: () => Promise<boolean>,
  ): Promise<CustomerKeyResult> {
    const owner = await records.resolve(customerId);
    const key = await keys.byId(keyId);
    const isOwn = owner !== null && key?.customerId === owner.id && key.revokedAt === null;
    const changed = isOwn && (await write()) ? await keys.byId(keyId) : null;
    return changed === null ? { ok: false, reason: 'unknown_key' } : { ok: true, key: changed };
  }

  return {
    async keysOf(customerId) {
      const owner = await records.resolve(customerId);
      return owner === null ? [] : keys.byCustomer(owner.id);
    },
    async rename(customerId, keyId, text) {
      const name = keyName(text);
      if (name === null) return { ok: false, reason: 'bad_name' };
      return change(customerId, keyId, () => keys.rename(keyId, name));
    },
    revoke: (customerId, keyId) => change(customerId, keyId, () => keys.revoke(keyId, clock.now())),
  };
}
