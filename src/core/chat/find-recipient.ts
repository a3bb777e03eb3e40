import type { Customer, Handle } from '../customers/customer.ts';
import type { CustomerService } from '../customers/customer-service.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { CHANNELS, type Channel, type Recipient } from './chat-message.ts';

/** Address of a private message. */
export interface Target {
  readonly platform: Channel;
  readonly userId: string;
  readonly chat: string;
}

/** Dependencies of `routeTo`. */
export interface RouteDeps {
  readonly customers: Pick<CustomerService, 'byId'>;
  readonly keys: Pick<KeyStore, 'byId'>;
  /** Whether the platform has a bot. */
  readonly isServed: (platform: Channel) => boolean;
}

/**
 * Address of a person now. Null for unknown, banned and blocked recipients, and for platforms without a bot. Of several
 * addresses the first by platform.
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

/** Address of an operator, who need not be a customer: their private chat. */
export function operatorTarget(recipient: Extract<Recipient, `operator:${string}`>): Target {
  const [, platform, userId = ''] = recipient.split(':');
  return { platform: platform as Channel, userId, chat: userId };
}

function targetOf(customer: Customer | null, isServed: RouteDeps['isServed']): Target | null {
  // Messages from before a ban are not sent either.
  if (customer === null || customer.bannedAt !== null) return null;
  for (const handle of customer.handles) {
    const { isReachable, userId, chat } = handle;
    const platform = channelOf(handle);
    if (isReachable && platform !== undefined && isServed(platform)) return { platform, userId, chat };
  }
  return null;
}

/** Undefined for a terminal, which receives no messages. */
function channelOf({ platform }: Handle): Channel | undefined {
  return CHANNELS.find((channel) => channel === platform);
}

function splitOnce(recipient: string): readonly [string, string] {
  const colon = recipient.indexOf(':');
  return [recipient.slice(0, colon), recipient.slice(colon + 1)];
}
