import type { Customer } from '../accounts/customers/customer.ts';
import type { CustomerService } from '../accounts/customers/customer-service.ts';
import { paged } from '../base/async/paged.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Channel, NewChatMessage } from './chat-message.ts';
import type { ChatStore } from './chat-store.ts';

const PAGE = 200;

/** Dependencies of a broadcast. */
export interface BroadcastDeps {
  readonly store: Pick<ChatStore, 'add'>;
  readonly customers: Pick<CustomerService, 'page'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly platforms: readonly Channel[];
}

/** How many customers a broadcast would reach, by platform. */
export type BroadcastAudience = Readonly<Record<Channel, number>>;

/** Number of customers that a broadcast would reach now, by platform. */
export async function countBroadcast({ customers, platforms }: BroadcastDeps): Promise<BroadcastAudience> {
  const audience = { telegram: 0, discord: 0 } satisfies Record<Channel, number>;
  for await (const customer of everyone(customers)) {
    const platform = platformOf(customer, platforms);
    if (platform !== undefined) audience[platform] += 1;
  }
  return audience;
}

/** Adds a message for every reachable customer to the outbox, idempotent by `id`. Returns how many. */
export async function broadcast(
  { store, customers, clock, platforms }: BroadcastDeps,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<number> {
  const now = clock.now();
  const times = { createdAt: now, dueAt: now };
  let count = 0;
  let messages: NewChatMessage[] = [];
  const flush = async () => {
    count += (await store.add(messages)).length;
    messages = [];
  };
  for await (const customer of everyone(customers)) {
    if (platformOf(customer, platforms) === undefined) continue;
    const recipient = `customer:${customer.id}` as const;
    messages.push({
      id: `broadcast:${id}:${customer.id}`,
      recipient,
      kind: 'broadcast',
      facts: { text },
      ...times,
    });
    if (messages.length === PAGE) await flush();
  }
  await flush();
  return count;
}

function everyone(customers: BroadcastDeps['customers']): AsyncGenerator<Customer, void> {
  return paged((last) => customers.page({ limit: PAGE, after: last?.id }), PAGE);
}

/** Where messages to a customer go. Banned and unreachable customers get none. */
function platformOf(
  { platform, isReachable, bannedAt }: Customer,
  platforms: readonly Channel[],
): Channel | undefined {
  return isReachable && bannedAt === null ? platforms.find((one) => one === platform) : undefined;
}
