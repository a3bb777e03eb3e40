import { keyName } from '../keys/key-service.ts';
import { createOneAtATime } from '../one-at-a-time.ts';
import type { CustomerServiceDeps } from './customer-deps.ts';
import type { CustomerKeyResult, CustomerService } from './customer-service.ts';
import { createFinding } from './finding.ts';
import { createIssuing } from './issuing.ts';
import { createLinking } from './linking.ts';
import { createOperating } from './operating.ts';
import { createPeople, type People } from './people.ts';
import { createRotating } from './rotating.ts';
import { createTrials } from './trials.ts';

/**
 * Customers and their keys. What is asked for one customer is done one after the other in this process, so that a
 * double tap costs one hash at a time; what several processes do at once is set right by the store.
 */
export function createCustomerService(deps: CustomerServiceDeps): CustomerService {
  const people = createPeople(deps);
  const issue = createIssuing(deps, people);
  const rotate = createRotating(deps, people);
  const linking = createLinking(deps, people);
  const trials = createTrials(deps);
  const inTurn = createOneAtATime();
  const { customers, keys } = deps;

  return {
    ...createFinding(deps, people),
    ...createOperating(deps, people),
    ...createOwnKeys(deps, people),
    async visit(visitor) {
      const [customer] = await people.shown([await people.visit(visitor)]);
      if (customer === undefined) throw new Error('a customer cannot be shown');
      return customer;
    },
    async byId(id) {
      const record = await people.resolve(id);
      return record === null ? null : ((await people.shown([record]))[0] ?? null);
    },
    async mayHaveTrial(customerId) {
      const record = await people.resolve(customerId);
      return record !== null && trials.isOpen(record);
    },
    requestKey: (request) => inTurn(request.customerId, () => issue(request)),
    rotate: (request) => inTurn(request.customerId, () => rotate(request)),
    confirmShown: async (keyId, request) => void (await keys.confirmShown(keyId, request)),
    startLink: linking.startLink,
    link: (customerId, code) => inTurn(customerId, () => linking.link(customerId, code)),
    erase: (customerId) => inTurn(customerId, () => people.erase(customerId)),
    markUnreachable: customers.markUnreachable,
  };
}

/** What owners do with their keys. */
function createOwnKeys(
  { keys, clock }: Pick<CustomerServiceDeps, 'keys' | 'clock'>,
  people: Pick<People, 'resolve'>,
): Pick<CustomerService, 'keysOf' | 'rename' | 'revoke'> {
  async function change(
    customerId: string,
    keyId: string,
    write: () => Promise<boolean>,
  ): Promise<CustomerKeyResult> {
    const owner = await people.resolve(customerId);
    const key = await keys.byId(keyId);
    const isOwn = owner !== null && key?.customerId === owner.id && key.revokedAt === null;
    const changed = isOwn && (await write()) ? await keys.byId(keyId) : null;
    return changed === null ? { ok: false, reason: 'unknown_key' } : { ok: true, key: changed };
  }

  return {
    async keysOf(customerId) {
      const owner = await people.resolve(customerId);
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
