import { FairQueue } from '../async/fair-queue.ts';
import { keyName } from '../keys/key-service.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import { type CustomerRecords, createCustomerRecords } from './customer-records.ts';
import type { CustomerKeyResult, CustomerService } from './customer-service.ts';
import { createFinding } from './find-customers.ts';
import { createIssuing } from './issuing.ts';
import { createLinking } from './linking.ts';
import { createOperating } from './operating.ts';
import { createRotating } from './rotating.ts';
import { createTrials } from './trials.ts';

/**
 * Customers and their keys. What is asked for one customer is done one after the other in this process, so that a
 * double tap costs one hash at a time; what several processes do at once is set right by the store.
 */
export function createCustomerService(deps: CustomerServiceDeps): CustomerService {
  const customerRecords = createCustomerRecords(deps);
  const issue = createIssuing(deps, customerRecords);
  const rotate = createRotating(deps, customerRecords);
  const linking = createLinking(deps, customerRecords);
  const trials = createTrials(deps);
  const queue = new FairQueue({ runningPerCaller: 1 });
  const oneAtATime = <T>(customerId: string, task: () => Promise<T>) =>
    queue.run(task, { caller: customerId });
  const { customers, keys } = deps;

  return {
    ...createFinding(deps, customerRecords),
    ...createOperating(deps, customerRecords),
    ...createOwnKeys(deps, customerRecords),
    async visit(visitor) {
      const [customer] = await customerRecords.shown([await customerRecords.visit(visitor)]);
      if (customer === undefined) throw new Error('a customer cannot be shown');
      return customer;
    },
    async byId(id) {
      const record = await customerRecords.resolve(id);
      return record === null ? null : ((await customerRecords.shown([record]))[0] ?? null);
    },
    async mayHaveTrial(customerId) {
      const record = await customerRecords.resolve(customerId);
      return record !== null && trials.isOpen(record);
    },
    requestKey: (request) => oneAtATime(request.customerId, () => issue(request)),
    rotate: (request) => oneAtATime(request.customerId, () => rotate(request)),
    confirmShown: async (keyId, request) => void (await keys.confirmShown(keyId, request)),
    startLink: linking.startLink,
    link: (customerId, code) => oneAtATime(customerId, () => linking.link(customerId, code)),
    erase: (customerId) => oneAtATime(customerId, () => customerRecords.erase(customerId)),
    markUnreachable: customers.markUnreachable,
  };
}

/** What owners do with their keys. */
function createOwnKeys(
  { keys, clock }: Pick<CustomerServiceDeps, 'keys' | 'clock'>,
  customerRecords: Pick<CustomerRecords, 'resolve'>,
): Pick<CustomerService, 'keysOf' | 'rename' | 'revoke'> {
  async function change(
    customerId: string,
    keyId: string,
    write: () => Promise<boolean>,
  ): Promise<CustomerKeyResult> {
    const owner = await customerRecords.resolve(customerId);
    const key = await keys.byId(keyId);
    const isOwn = owner !== null && key?.customerId === owner.id && key.revokedAt === null;
    const changed = isOwn && (await write()) ? await keys.byId(keyId) : null;
    return changed === null ? { ok: false, reason: 'unknown_key' } : { ok: true, key: changed };
  }

  return {
    async keysOf(customerId) {
      const owner = await customerRecords.resolve(customerId);
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
