import { describe, expect, test } from 'vitest';
import { createLeakGuard } from '../../../bots/shared/create-leak-guard.ts';
import type { CustomerService } from '../../../src/core/accounts/customers/customer-service.ts';
import { PLAIN_KEY } from '../../../src/core/accounts/keys/api-key.ts';
import type { NewChatMessage } from '../../../src/core/chat/chat-message.ts';
import { customerOf } from '../../support/customer-fixture.ts';
import { forgedKey } from '../../support/key-fixture.ts';
import { recordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';

const SECRET = `sk_live_${'A'.repeat(10)}${'b'.repeat(33)}`;
const CUSTOMER = customerOf('cus_1');
const OWN_KEY = {
  ...PLAIN_KEY,
  id: 'key_1',
  lookup: 'A'.repeat(10),
  hash: 'x',
  name: 'mine',
  tier: 'pro',
  createdAt: START,
  trialEndsAt: null,
  revokedAt: null,
} as const;

type Owned = Awaited<ReturnType<CustomerService['ownerOfSecret']>>;

function openGuard(
  ownerOf: (secret: string) => Owned | Promise<Owned> = () => null,
  remove = async () => true,
) {
  const messages: NewChatMessage[] = [];
  const asked: string[] = [];
  const { logger, log } = recordingLogger();
  const guard = createLeakGuard({
    customers: {
      async ownerOfSecret(secret) {
        asked.push(secret);
        return ownerOf(secret);
      },
    },
    outbox: {
      async add(added) {
        messages.push(...added);
        return added.map(({ id }) => id);
      },
    },
    clock: { now: () => START },
    logger,
  });
  return {
    guard,
    messages,
    asked,
    log,
    inspect: (text: string) => guard.inspect({ text, place: 'the Telegram channel', remove }),
  };
}

const mine = (secret: string) => (secret === SECRET ? { key: OWN_KEY, customer: CUSTOMER } : null);

describe('keys where others can read them', () => {
  test('the owner of a real key is warned, by an id that names the key and its state', async () => {
    const { messages, inspect, log } = openGuard(mine);
    expect(await inspect(`my key is ${SECRET}, is it good?`)).toBe(true);
    expect(messages).toEqual([
      {
        id: `key_leaked:key_1:${'A'.repeat(10)}`,
        recipient: 'customer:cus_1',
        kind: 'key_leaked',
        facts: { keyId: 'key_1', name: 'mine', place: 'the Telegram channel', isDeleted: true },
        createdAt: START,
        dueAt: START,
      },
    ]);
    expect(log.join()).not.toContain('bbb');
  });

  test('the owner reads that a message that may not be deleted is still there', async () => {
    const { messages, inspect } = openGuard(mine, async () => false);
    expect(await inspect(SECRET)).toBe(true);
    expect(messages).toMatchObject([{ facts: { isDeleted: false } }]);
  });

  test('a message with a key is deleted before its owner is found, and others are not deleted', async () => {
    const order: string[] = [];
    const remove = async () => order.push('deleted') > 0;
    const { inspect } = openGuard(() => {
      order.push('owner');
      return null;
    }, remove);
    await inspect('no key');
    await inspect(SECRET);
    expect(order).toEqual(['deleted', 'owner']);
  });

  test('the warning about a key without a chat customer is addressed to the key', async () => {
    const { messages, inspect } = openGuard(() => ({ key: OWN_KEY, customer: null }));
    await inspect(SECRET);
    expect(messages.map(({ recipient }) => recipient)).toEqual(['key:key_1']);
  });

  test('a key that does not exist or is revoked is removed without a warning', async () => {
    const revoked = { key: { ...OWN_KEY, revokedAt: START }, customer: CUSTOMER };
    const { messages, inspect } = openGuard((secret) => (secret === SECRET ? revoked : null));
    expect(await inspect(forgedKey())).toBe(true);
    expect(await inspect(SECRET)).toBe(true);
    expect(messages).toEqual([]);
  });

  test('of many keys in one text 10 are checked, each once, and the text is removed', async () => {
    const { asked, inspect } = openGuard();
    const text = Array.from({ length: 30 }, () => forgedKey()).join(' ');
    expect(await inspect(`${text} ${text}`)).toBe(true);
    expect(asked).toHaveLength(10);
    expect(new Set(asked).size).toBe(10);
  });

  test('a key is removed also when its owner cannot be found; the failure is logged without the key', async () => {
    const { inspect, log } = openGuard(() => Promise.reject(new Error('the database is away')));
    expect(await inspect(SECRET)).toBe(true);
    expect(log).toEqual([expect.stringContaining('the database is away')]);
    expect(log.join()).not.toContain('AAAAAAAAAA');
  });
});
