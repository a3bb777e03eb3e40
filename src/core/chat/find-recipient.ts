import type { Customer, Handle } from '../customers/customer.ts';
import type { CustomerService } from '../customers/customer-service.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { CHANNELS, type Channel, type Recipient } from './chat-message.ts';

/** Where a private message goes. */
export interface Target {
  readonly platform: Channel;
  readonly userId: string;
  readonly chat: string;
}

/** What finding the way to a person stands on. */
export interface RouteDeps {
  readonly customers: Pick<CustomerService, 'byId'>;
  readonly keys: Pick<KeyStore, 'byId'>;
  /** Whether there is a bot on the platform. */
  readonly isServed: (platform: Channel) => boolean;
}

/**
 * Where a person can be written to now; null when nowhere: they are unknown or banned, want no messages, or write from
 * where no bot is. With several places it is the first that they came from.
 */
export async function routeTo(
  { customers, keys, isServed }: RouteDeps,
  recipient: Extract<Recipient, `customer:${string}` | `key:${string}`>,
): Promise<Target | null> {
  const [kind, id] = splitOnce(recipient);
  const customerId = kind === 'customer' ? id : (await keys.byId(id))?.customerId;
  if (customerId == null) return null;
  return targetOf(await customers.byId(customerId), isServed);
}

/** Where an operator is written to, who need not be a customer: in private, by their id. */
export function operatorTarget(recipient: Extract<Recipient, `operator:${string}`>): Target {
  const [, platform, userId = ''] = recipient.split(':');
  return { platform: platform as Channel, userId, chat: userId };
}

function targetOf(customer: Customer | null, isServed: RouteDeps['isServed']): Target | null {
  // What was put into the outbox before the ban is not for them any more.
  if (customer === null || customer.bannedAt !== null) return null;
  for (const handle of customer.handles) {
    const { isReachable, userId, chat } = handle;
    const platform = channelOf(handle);
    if (isReachable && platform !== undefined && isServed(platform)) return { platform, userId, chat };
  }
  return null;
}

/** A terminal cannot be written to. */
function channelOf({ platform }: Handle): Channel | undefined {
  return CHANNELS.find((channel) => channel === platform);
}

function splitOnce(recipient: string): readonly [string, string] {
  const colon = recipient.indexOf(':');
  return [recipient.slice(0, colon), recipient.slice(colon + 1)];
}
