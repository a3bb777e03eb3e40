import { onTestFinished } from 'vitest';
import type { ChatMessage, NewChatMessage } from '../../src/core/chat/chat-message.ts';
import type { PersonalVerdict } from '../../src/core/chat/personal-choice.ts';
import type { Database } from '../../src/core/database.ts';
import type { Follower } from '../../src/core/follow/follower.ts';
import { PersonalChoices } from '../../src/core/follow/personal-choices.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { keyOf } from '../infra/database/api-key.ts';
import { fakeCustomers, handleOn } from './chat/chat-engine-fixture.ts';
import { createFakeClock } from './clock.ts';
import { followerOf, followOf, walletOf } from './followers.ts';
import { START } from './rows.ts';

export const FREE_DELAY_MS = 900_000;
export const ANN = 'customer:cus_a' as const;

interface Given {
  readonly database?: Database;
  /** Of Ann, who follows one wallet with a Pro key, on Telegram. */
  readonly follower?: Partial<Follower>;
  readonly isPro?: boolean;
  readonly handle?: ReturnType<typeof handleOn>;
  readonly isBanned?: boolean;
  readonly isStored?: boolean;
}

/** The choices for Ann over a database; without one, over SQLite in memory. */
export async function openChoices(given: Given = {}) {
  const database = given.database ?? (await openDatabase('sqlite::memory:'));
  if (given.database === undefined) onTestFinished(() => database.close());
  const { chat, followers, keys } = database;
  const clock = createFakeClock(START);
  const handle = given.handle ?? handleOn('telegram', 'ann');
  const customers = fakeCustomers({ cus_a: handle }, given.isBanned === true ? ['cus_a'] : []);
  const follows = [followOf('a1', walletOf(1))];
  const follower = followerOf('cus_a', { follows, nextFollow: 2, ...given.follower });
  if (given.isStored ?? true) await followers.put(follower);
  if (given.isPro ?? true) await keys.insert(keyOf({ customerId: 'cus_a', trialEndsAt: null }));
  const choices = new PersonalChoices({
    chat,
    followers,
    customers,
    keys,
    alerts: database.alerts,
    hiddenWallets: database.hiddenWallets,
    clock,
    freeDelayMs: FREE_DELAY_MS,
  });
  return {
    ...{ database, chat, clock, customers, choices, follower },
    /** Adds messages to Ann, and judges those that are pending, in their order. */
    async judge(...messages: readonly NewChatMessage[]): Promise<readonly PersonalVerdict[]> {
      await chat.add(messages);
      const stored = await Promise.all(messages.map(({ id }) => chat.byId(id)));
      return choices.judge(
        ANN,
        stored.filter((message): message is ChatMessage => message !== null),
      );
    },
    async change(change: Partial<Follower>): Promise<void> {
      const [stored] = await followers.byIds(['cus_a']);
      if (stored !== undefined) await followers.put({ ...stored, ...change });
    },
  };
}

/** What a verdict says, in short: `send`, `wait`, or `fold: quiet hours`. */
export function said(verdict: PersonalVerdict | undefined): string {
  if (verdict === undefined) return 'nothing';
  return 'why' in verdict ? `${verdict.act}: ${verdict.why}` : verdict.act;
}
