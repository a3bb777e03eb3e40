import type { Customer } from '../../../src/core/customers/customer.ts';
import { effectiveTier } from '../../../src/core/keys/api-key.ts';
import { TIER_POLICIES } from '../../../src/core/tier.ts';
import type { ConversationDeps } from './feature.ts';

/** How old an alert must be before a customer sees it, milliseconds: that of the best of their keys; 0 is real time. */
export async function alertDelay(
  { id }: Customer,
  { customers, clock, freeDelayMs }: Pick<ConversationDeps, 'customers' | 'clock' | 'freeDelayMs'>,
): Promise<number> {
  const keys = await customers.keysOf(id);
  const now = clock.now();
  const isRealtime = keys.some((key) => TIER_POLICIES[effectiveTier(key, now)].isRealtime);
  return isRealtime ? 0 : freeDelayMs;
}
