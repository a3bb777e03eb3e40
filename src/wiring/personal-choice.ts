import type { Clock } from '../core/base/time/clock.ts';
import { PersonalChoices } from '../core/follow/personal-choices.ts';
import type { AppContext } from './app-context.ts';

/** What people are sent of what they follow, wherever it goes. */
export function wirePersonalChoice({
  database,
  customers,
  clock,
  config: { freeDelayMs },
}: Pick<AppContext, 'database' | 'customers' | 'config'> & { readonly clock: Clock }): PersonalChoices {
  const { chat, followers, keys, alerts, statements } = database;
  return new PersonalChoices({ chat, followers, customers, keys, alerts, statements, clock, freeDelayMs });
}
