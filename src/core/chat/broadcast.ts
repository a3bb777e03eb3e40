import type { Customer } from '../accounts/customers/customer.ts';
import type { CustomerService } from '../accounts/customers/customer-service.ts';
import type { Clock } from '../base/time/clock.ts';
import type { Channel } from './chat-message.ts';
import type { ChatOutbox } from './chat-queue.ts';

const PAGE = 200;

/** Dependencies of a broadcast. */
export interface BroadcastDeps {
  readonly store: ChatOutbox;
  readonly customers: Pick<CustomerService, 'page'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Platforms that have a bot. */
  readonly platforms: readonly Channel[];
}

/** Who a broadcast would reach. A customer with accounts on several platforms counts where the message goes. */
export type BroadcastAudience = Readonly<Record<Channel, number>>;

/** Number of customers that a broadcast would reach now, by platform. */
export async function countBroadcast({ customers, platforms }: BroadcastDeps): Promise<BroadcastAudience> {
  const audience = { telegram: 0, discord: 0 } satisfies Record<Channel, number>;
  for await (const page of pages(customers)) {
    for (const customer of page) {
      const platform = platformOf(customer, platforms);
      if (platform !== undefined) audience[platform] += 1;
    }
  }
  return audience;
}

/**
 * Adds a message with the text for every reachable customer to the outbox. Idempotent by `id`, so that an interrupted
 * broadcast can be repeated. Returns the number of new messages.
 */
export async function broadcast(
  { store, customers, clock, platforms }: BroadcastDeps,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<number> {
  const now = clock.now();
  let count = 0;
  for await (const page of pages(customers)) {
    const messages = reached(page, platforms).map((customer) => ({
      id: `broadcast:${id}:${customer.id}`,
      recipient: `customer:${customer.id}` as const,
      kind: 'broadcast' as const,
      facts: { text },
      createdAt: now,
      dueAt: now,
    }));
    count += (await store.add(messages)).length;
  }
  return count;
}

async function* pages(customers: Pick<CustomerService, 'page'>): AsyncGenerator<readonly Customer[]> {
  for (let after: string | undefined; ; ) {
    const page = await customers.page(after === undefined ? { limit: PAGE } : { limit: PAGE, after });
    yield page;
    after = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

function reached(page: readonly Customer[], platforms: readonly Channel[]): readonly Customer[] {
  return page.filter((customer) => platformOf(customer, platforms) !== undefined);
}

/** Where a customer is written to: the first account that can be reached. Banned customers get no messages. */
function platformOf({ handles, bannedAt }: Customer, platforms: readonly Channel[]): Channel | undefined {
  if (bannedAt !== null) return undefined;
  for (const { platform, isReachable } of handles) {
    const served = platforms.find((one) => one === platform);
    if (isReachable && served !== undefined) return served;
  }
  return undefined;
}
