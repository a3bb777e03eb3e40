import type { Clock } from '../clock.ts';
import type { Customer } from '../customers/customer.ts';
import type { CustomerService } from '../customers/customer-service.ts';
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

/** Number of customers that a broadcast would reach now. */
export async function countBroadcast({ customers, platforms }: BroadcastDeps): Promise<number> {
  let count = 0;
  for await (const page of pages(customers)) count += reached(page, platforms).length;
  return count;
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
  const isServed = new Set<string>(platforms);
  return page.filter(({ handles }) =>
    handles.some(({ platform, isReachable }) => isReachable && isServed.has(platform)),
  );
}
