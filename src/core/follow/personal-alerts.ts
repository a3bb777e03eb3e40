import { LRUCache } from 'lru-cache';
import type { Alert } from '../alerts/alert.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { alertAgeFor } from '../alerts/free-delay.ts';
import { FailureLog } from '../base/async/failure-log.ts';
import { repeat } from '../base/async/repeat.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../base/time/duration.ts';
import { isTooOld, type NewChatMessage, personalAlertId } from '../chat/chat-message.ts';
import {
  addInBatches,
  type CursorOutbox,
  isFoundInTime,
  LedgerMessages,
  type LedgerMessagesOptions,
} from '../chat/ledger-messages.ts';
import { isMuted, matchesOf } from './active-follows.ts';
import { followName } from './follow-words.ts';
import type { Follow, Follower, Followers } from './follower.ts';
import { MatchIndex } from './match-index.ts';
import { addressedTo, changedFollowers, type Person, peopleInBatches, personalFactsOf } from './people.ts';
import { exitMessages, type PersonalSweepDeps, resultMessages } from './personal-sweeps.ts';

const REFRESH_EVERY_MS = SECOND_MS;
/** How far the clocks of other processes, which date the changes, may be behind. */
const OVERLAP_MS = MINUTE_MS;
/** How many alerts within the free delay a new follow is compared with at most. */
const UNSEEN_MAX = 500;
/** Most people whose new follows are compared with these in one refresh: some 50 ms of work. */
const NEW_FOLLOWERS_MAX = 50;
/** Followers that are remembered as compared, while their change is read again. */
const COMPARED_MAX = 10_000;

/** Dependencies of `PersonalAlerts`. */
export interface PersonalAlertsOptions
  extends LedgerMessagesOptions,
    Omit<PersonalSweepDeps, 'index' | 'clock'> {
  readonly store: CursorOutbox & PersonalSweepDeps['store'];
  readonly followers: Pick<Followers, 'byIds' | 'changedSince'>;
  readonly alerts: Pick<AlertStore, 'latest'> & PersonalSweepDeps['alerts'];
}

/**
 * Puts alerts, and later their exits and outcomes, into the outbox for the people who follow them. Each alert is at most one
 * message per person, however often it is matched. People are found in an index of all follows, then judged by what is stored
 * about them.
 */
export class PersonalAlerts {
  readonly #options: PersonalAlertsOptions;
  readonly #index = new MatchIndex();
  readonly #messages: LedgerMessages;
  readonly #stop = new AbortController();
  /** By customer id: the version of the follower up to which new follows have been compared with earlier alerts. */
  readonly #compared = new LRUCache<string, number>({ max: COMPARED_MAX });
  /** When the followers in the index were read, by the clock of this process. */
  #readAt: EpochMs = 0;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(options: PersonalAlertsOptions) {
    this.#options = options;
    const deps = { ...options, index: this.#index };
    this.#messages = new LedgerMessages(options, {
      of: 'personal',
      addAlerts: (alerts) => this.#addAlerts(alerts),
      settlementsAfter: (seq, limit) => options.settlements.after(seq, limit),
      ofSettlement: (settlement) => resultMessages(deps, settlement),
      exitsAfter: async (number, limit) => {
        const page = await options.exits.after(number, limit);
        // Who was told of an alert is known when it is handled, which may be after its exit.
        const next = page.findIndex(({ alertIds }) => (alertIds.at(-1) ?? 0) > this.#messages.handled);
        return next === -1 ? page : page.slice(0, next);
      },
      ofExit: (exit) => exitMessages(deps, exit),
    });
  }

  /** Reads all followers, then begins as `LedgerMessages.start`. Throws what the stores throw. */
  async start(position: number): Promise<void> {
    const { clock, logger, followers } = this.#options;
    const { signal } = this.#stop;
    this.#readAt = clock.now();
    for await (const follower of changedFollowers(followers, 0)) this.#index.set(follower);
    await this.#messages.start(position);
    const failures = new FailureLog(logger, 'changed follows unavailable; retrying every second');
    const refresh = () => this.#refresh();
    this.#refreshing = repeat(refresh, { clock, signal, intervalMs: REFRESH_EVERY_MS, failures });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#messages.close(), this.#refreshing]);
  }

  /** Brings what any process changed into the index. */
  async #refresh(): Promise<void> {
    const { clock, followers } = this.#options;
    const now = clock.now();
    // A clock may have been set back.
    const since = Math.min(this.#readAt, now) - OVERLAP_MS;
    const unseenFrom = since - this.#options.freeDelayMs;
    const isNew = ({ customerId, version, follows }: Follower) =>
      this.#compared.get(customerId) !== version && follows.some(({ createdAt }) => createdAt > unseenFrom);
    const withNew: Follower[] = [];
    for await (const follower of changedFollowers(followers, since)) {
      this.#index.set(follower);
      // The others are read again at the next refresh.
      if (withNew.length < NEW_FOLLOWERS_MAX && isNew(follower)) withNew.push(follower);
    }
    this.#readAt = now;
    if (withNew.length > 0) await this.#addUnseen(withNew, unseenFrom);
  }

  /**
   * A new follow applies to all alerts that the person has not seen yet; without real time, this includes alerts from the free
   * delay before it.
   */
  async #addUnseen(followers: readonly Follower[], from: EpochMs): Promise<void> {
    const { alerts, store, clock, freeDelayMs, wake } = this.#options;
    const latest = await alerts.latest({ limit: UNSEEN_MAX });
    // Newer alerts will be compared with the index, which has the follows.
    const unseen = latest.filter(
      (alert) => alert.createdAt > from && alert.id <= this.#messages.handled && isFoundInTime(alert),
    );
    const now = clock.now();
    const ids = followers.map(({ customerId }) => customerId);
    for await (const { people } of peopleInBatches(this.#options, ids, clock)) {
      const messages = people.flatMap((person) =>
        unseen.flatMap((alert) => {
          const follows = person.follows.filter((follow) => isYetToSee(person, alert, follow, freeDelayMs));
          return messageOf(alert, { ...person, follows }, { now, freeDelayMs }) ?? [];
        }),
      );
      if ((await addInBatches(store, messages)) > 0) wake();
    }
    for (const { customerId, version } of followers) this.#compared.set(customerId, version);
  }

  async #addAlerts(alerts: readonly Alert[]): Promise<number> {
    let added = 0;
    for (const alert of alerts) added += await this.#add(alert);
    return added;
  }

  async #add(alert: Alert): Promise<number> {
    const { store, clock, freeDelayMs } = this.#options;
    const candidates = [...this.#index.candidates(alert)];
    let added = 0;
    for await (const { people, withoutRow } of peopleInBatches(this.#options, candidates, clock)) {
      for (const customerId of withoutRow) this.#index.remove(customerId);
      const now = clock.now();
      const messages = people.flatMap((person) => messageOf(alert, person, { now, freeDelayMs }) ?? []);
      added += await addInBatches(store, messages);
    }
    return added;
  }
}

function isYetToSee(
  { isRealtime }: Person,
  alert: Alert,
  { createdAt }: Follow,
  freeDelayMs: number,
): boolean {
  return createdAt <= alert.createdAt + alertAgeFor({ isRealtime }, { freeDelayMs });
}

/** The message of an alert to a person; null if it is not for them, or too old for any list. */
function messageOf(
  alert: Alert,
  person: Person,
  { now, freeDelayMs }: { readonly now: EpochMs; readonly freeDelayMs: number },
): NewChatMessage | null {
  const { id: alertId, threadId, marketId, wallet, score, createdAt } = alert;
  const matched = matchesOf(person.follows, alert);
  if (matched.length === 0 || isMuted(person.follower, alert, now)) return null;
  const message = {
    id: personalAlertId(alertId, person.customer.id),
    kind: 'personal_alert',
    facts: {
      alertId,
      threadId,
      marketId,
      wallet,
      score,
      followIds: matched.map(({ id }) => id),
      followNames: matched.map(followName),
      isFollow: matched.some(({ subject }) => subject.kind !== 'filter'),
      ...personalFactsOf(person),
    },
    ...addressedTo(person, { createdAt, freeDelayMs }),
  } as const;
  return isTooOld(message, now) ? null : message;
}
