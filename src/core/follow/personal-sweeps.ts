import { type Alert, namedWallets } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import type { Exit } from '../alerts/exits/exit.ts';
import { newestOfThreads } from '../alerts/ledger/thread.ts';
import type { MarketSettlement } from '../alerts/settlement.ts';
import { allPages, paged } from '../base/async/paged.ts';
import type { Clock } from '../base/time/clock.ts';
import type { EpochMs } from '../base/time/duration.ts';
import { customerIdOf, type NewChatMessage, type PersonalAlertMessage } from '../chat/chat-message.ts';
import type { ChatStore } from '../chat/chat-store.ts';
import { isMuted } from './active-follows.ts';
import type { Follow } from './follower.ts';
import type { MatchIndex } from './match-index.ts';
import { addressedTo, type PeopleStores, type Person, peopleInBatches, personalFactsOf } from './people.ts';

const ROWS_PER_PAGE = 500;

/** Dependencies of the functions below. */
export interface PersonalSweepDeps extends PeopleStores {
  readonly store: Pick<ChatStore, 'personalOfThread'>;
  readonly alerts: Pick<AlertStore, 'ofMarket'>;
  readonly index: Pick<MatchIndex, 'followersOf' | 'size'>;
  readonly freeDelayMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** The fields of an alert's message to a person that matter here. */
type Told = Pick<PersonalAlertMessage, 'id' | 'state'> &
  Pick<PersonalAlertMessage['facts'], 'alertId' | 'threadId' | 'platform'>;

/**
 * An exit, to those to whom an alert of its thread went or will go, and to those who follow its wallet or market. An order by which
 * a wallet leaves its own bet and that of a cluster to the same level is one message: both have the same id.
 */
export async function exitMessages(deps: PersonalSweepDeps, exit: Exit): Promise<readonly NewChatMessage[]> {
  const { store, index, clock } = deps;
  const { number, level, wallet, marketId, outcomeIndex, threadId, tradedAt } = exit;
  if (exit.isHistory || index.size === 0) return [];
  const told = await toldOf(store, [threadId]);
  const ids = new Set([...told.keys(), ...index.followersOf({ wallets: [wallet], marketId })]);
  const messages: NewChatMessage[] = [];
  for await (const { people } of peopleInBatches(deps, [...ids], clock))
    for (const person of people) {
      const own = told.get(person.customer.id)?.at(-1);
      const followed = followedIn(person.follows, { wallets: [wallet], marketId });
      const isWanted = own !== undefined || followed.length > 0;
      if (!isWanted || isMuted(person.follower, exit, clock.now())) continue;
      const alertId = own?.alertId ?? exit.alertIds.at(-1) ?? threadId;
      messages.push({
        id: `pexit:${level}:${marketId}:${outcomeIndex}:${wallet}:${tradedAt}@${person.customer.id}`,
        kind: 'personal_exit',
        facts: {
          exit: number,
          alertId,
          threadId,
          marketId,
          wallet,
          ...newsOf(own, followed),
          ...personalFactsOf(person),
        },
        ...addressedTo(person, { createdAt: exit.createdAt, freeDelayMs: deps.freeDelayMs }),
      });
    }
  return messages;
}

/**
 * The outcome of a market, once for each thread of which a person was or will be told, with the sign for each of its messages
 * that were sent; and once for those who only follow one of its wallets, or the market. A correction is sent again.
 */
export async function resultMessages(
  deps: PersonalSweepDeps,
  { marketId, at: settledAt, log: { seq } }: MarketSettlement,
): Promise<readonly NewChatMessage[]> {
  const { store, index, clock, freeDelayMs } = deps;
  if (index.size === 0) return [];
  const threads = await settledThreads(deps.alerts, marketId);
  const told = await toldOf(
    store,
    threads.map(({ threadId }) => threadId),
  );
  const wallets = threads.flatMap(namedWallets);
  const ids = new Set([...told.keys(), ...index.followersOf({ wallets, marketId })]);
  const messages: NewChatMessage[] = [];
  for await (const { people } of peopleInBatches(deps, [...ids], clock))
    for (const person of people) {
      const own = told.get(person.customer.id) ?? [];
      const at = { createdAt: settledAt, freeDelayMs };
      messages.push(...marksOf(own, person, { marketId, seq, ...at }));
      for (const thread of toldThreads(threads, own, person.follows))
        if (!isMuted(person.follower, { wallet: thread.wallet, marketId }, clock.now()))
          messages.push({
            id: `presult:${thread.threadId}:${seq}@${person.customer.id}`,
            kind: 'personal_result',
            facts: { ...thread, seq, marketId, ...personalFactsOf(person) },
            ...addressedTo(person, at),
          });
    }
  return messages;
}

/** The newest alerts of the threads of a market whose outcome is known. */
async function settledThreads(
  alerts: PersonalSweepDeps['alerts'],
  marketId: string,
): Promise<readonly Alert[]> {
  const all = await allPages<Alert>(
    (last) => alerts.ofMarket(marketId, ROWS_PER_PAGE, last?.id),
    ROWS_PER_PAGE,
  );
  return newestOfThreads(all.filter(({ isHistory, resolution }) => !isHistory && resolution !== null));
}

/** The threads whose outcome a person is told, each with the newest alert they were sent, or the newest of all. */
function toldThreads(threads: readonly Alert[], own: readonly Told[], follows: readonly Follow[]) {
  const ofThread = new Map(own.map((row) => [row.threadId, row]));
  return threads
    .filter(({ threadId }) => ofThread.has(threadId))
    .concat(
      followedThreads(threads, follows, own.length > 0).filter(({ threadId }) => !ofThread.has(threadId)),
    )
    .map((thread) => {
      const { id, threadId, wallet, marketId } = thread;
      const row = ofThread.get(threadId);
      const followed = followedIn(follows, { wallets: namedWallets(thread), marketId });
      return { threadId, wallet, alertId: row?.alertId ?? id, ...newsOf(row, followed) };
    });
}

/**
 * The threads of followed wallets, or else the first cluster with one of them; for a followed market, the best thread, unless the
 * person is told anyway.
 */
function followedThreads(
  threads: readonly Alert[],
  follows: readonly Follow[],
  isTold: boolean,
): readonly Alert[] {
  const wallets = new Set(
    follows.flatMap(({ subject }) => (subject.kind === 'wallet' ? [subject.wallet] : [])),
  );
  const own = threads.filter(({ type, wallet }) => type !== 'cluster' && wallets.has(wallet));
  if (own.length > 0) return own;
  const joined = threads.find(({ details }) => details.wallets?.some((wallet) => wallets.has(wallet)));
  if (joined !== undefined) return [joined];
  const [first] = threads;
  if (isTold || first === undefined) return [];
  if (followedIn(follows, { wallets: [], marketId: first.marketId }).length === 0) return [];
  return [threads.reduce((best, thread) => (thread.score > best.score ? thread : best), first)];
}

/** Edits of the messages that were sent. They can wait: alerts to others are sent first. */
function marksOf(
  own: readonly Told[],
  person: Person,
  { marketId, seq, ...at }: { marketId: string; seq: number; createdAt: EpochMs; freeDelayMs: number },
): readonly NewChatMessage[] {
  return own
    .filter(({ state, platform }) => (state === 'sent' || state === 'sending') && platform !== 'terminal')
    .map(({ id: alertMessageId, alertId, threadId, platform }) => ({
      id: `pmark:${alertId}:${seq}@${person.customer.id}`,
      kind: 'personal_mark',
      facts: { alertId, threadId, marketId, alertMessageId, seq, platform, isRealtime: false },
      ...addressedTo(person, at),
    }));
}

/**
 * The message that is answered, and the follows. One that waits may still be listed instead of sent: who follows the wallet or
 * the market is told in any case, in a message of its own.
 */
function newsOf(own: Told | undefined, followed: readonly Follow[]) {
  const isOfItsOwn = own === undefined || (own.state === 'pending' && followed.length > 0);
  return { alertMessageId: isOfItsOwn ? null : own.id, followIds: followed.map(({ id }) => id) };
}

/** The follows of one of the wallets, or of the market. */
function followedIn(
  follows: readonly Follow[],
  { wallets, marketId }: { readonly wallets: readonly string[]; readonly marketId: string },
): readonly Follow[] {
  return follows.filter(({ subject }) =>
    subject.kind === 'wallet'
      ? wallets.includes(subject.wallet)
      : subject.kind === 'market' && subject.marketId === marketId,
  );
}

/** The messages of alerts of these threads by customer, the oldest alert first. */
async function toldOf(
  store: PersonalSweepDeps['store'],
  threadIds: readonly number[],
): Promise<ReadonlyMap<string, readonly Told[]>> {
  const told: (Told & { readonly customerId: string })[] = [];
  for (const threadId of threadIds) {
    const rows = paged<PersonalAlertMessage>(
      (after) => store.personalOfThread(threadId, ROWS_PER_PAGE, after),
      ROWS_PER_PAGE,
    );
    for await (const { id, state, recipient, facts } of rows)
      told.push({
        id,
        state,
        threadId,
        alertId: facts.alertId,
        platform: facts.platform,
        customerId: customerIdOf(recipient),
      });
  }
  told.sort((one, other) => one.alertId - other.alertId);
  return Map.groupBy(told, ({ customerId }) => customerId);
}
