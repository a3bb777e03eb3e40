import type { Customers } from '../accounts/customers/customer.ts';
import type { AlertStore } from '../alerts/alert-store.ts';
import { alertAgeFor } from '../alerts/free-delay.ts';
import type { Clock } from '../base/time/clock.ts';
import { type EpochMs, HOUR_MS } from '../base/time/duration.ts';
import {
  type ChatMessage,
  customerIdOf,
  isPersonal,
  type NewChatMessage,
  type PersonalAlertMessage,
  type Recipient,
} from '../chat/chat-message.ts';
import { type ChatStore, MESSAGE_DROP_REASONS } from '../chat/chat-store.ts';
import {
  type PersonalAddress,
  type PersonalChoice,
  type PersonalVerdict,
  UNREACHABLE,
} from '../chat/personal-choice.ts';
import { isMuted, matchesOf } from './active-follows.ts';
import { type Claim, Day } from './day-of-person.ts';
import type { Follow } from './follower.ts';
import {
  beforeEvening,
  dayStartOf,
  hourOf,
  isQuiet,
  nextListTime,
  quietEndOf,
  WEEK_MS,
  zoneOf,
} from './list-times.ts';
import { listedIn } from './listed-alerts.ts';
import { type PeopleStores, type Person, personalFactsOf, readPeople } from './people.ts';

/** An alert is sent only within this time after it became due; later it is only listed. */
const TOLD_WITHIN_MS = HOUR_MS;
/** Stored reasons. */
const WHY = {
  nobody: 'nobody is there',
  muted: 'muted',
  unfollowed: 'no longer followed',
  daily: 'for the daily list',
  quiet: 'quiet hours',
  late: 'too late',
  noPlace: 'no place left today',
} as const;

/** Dependencies of `PersonalChoices`. */
export interface PersonalChoicesOptions extends PeopleStores {
  readonly chat: Pick<ChatStore, 'toldTo' | 'lastList' | 'unlisted' | 'wasTold'>;
  readonly customers: Pick<Customers, 'byIds'>;
  readonly alerts: Pick<AlertStore, 'byId'>;
  readonly freeDelayMs: number;
  readonly clock: Pick<Clock, 'now'>;
}

/** The recipient of messages, as they are now. */
interface Addressee extends Person {
  readonly recipient: Recipient;
  readonly now: EpochMs;
}

type PersonalMessage = Extract<ChatMessage, { readonly kind: `personal_${string}` }>;

/** A message that follows caused. */
type Matched = Extract<ChatMessage, { readonly facts: { readonly followIds: readonly string[] } }>;

/** Judges due messages by what the person follows and wants now, and by what they were sent today. */
export class PersonalChoices implements PersonalChoice {
  readonly #options: PersonalChoicesOptions;

  constructor(options: PersonalChoicesOptions) {
    this.#options = options;
  }

  async judge(recipient: Recipient, messages: readonly ChatMessage[]): Promise<readonly PersonalVerdict[]> {
    const person = await this.#personOf(recipient);
    if (person === null) return messages.map(() => ({ act: 'drop', why: WHY.nobody }));
    const day = new Day(() => this.#takenOf(person));
    const verdicts: PersonalVerdict[] = [];
    for (const message of messages)
      verdicts.push(isPersonal(message) ? await this.#verdictOn(message, person, day) : dropped(WHY.nobody));
    return verdicts;
  }

  /** Null for unknown and banned people, and for those who have no follows or settings. */
  async #personOf(recipient: Recipient): Promise<Addressee | null> {
    const id = customerIdOf(recipient);
    const now = this.#options.clock.now();
    const [person] = (await readPeople(this.#options, [id], now)).people;
    return person === undefined ? null : { ...person, recipient, now };
  }

  async #verdictOn(message: PersonalMessage, person: Addressee, day: Day): Promise<PersonalVerdict> {
    const to = person.customer.isReachable ? person.customer : null;
    // It may have arrived, so nothing takes its place.
    if (message.unsureSince !== null)
      return to === null ? dropped(UNREACHABLE) : { act: 'send', message, to };
    if (message.kind === 'personal_alert') return this.#onAlert(message, { person, to, day });
    if (to === null) return dropped(UNREACHABLE);
    if (message.kind === 'personal_mark') return { act: 'send', message, to };
    const { follower, now } = person;
    if (isAboutMuted(message, person)) return dropped(WHY.muted);
    if (await this.#isUnfollowed(message, person)) return dropped(WHY.unfollowed);
    const until = Math.max(quietEndOf(follower, now), this.#freeAt(message, person));
    if (until > now) return { act: 'wait', until };
    if (message.kind === 'personal_list') return this.#onList(message, person, to);
    // Quiet hours held it back until the list that it announces.
    if (message.kind === 'personal_limit' && message.facts.listAt <= now)
      return dropped(MESSAGE_DROP_REASONS.nothingToSay);
    if (message.kind === 'personal_week' && !(await this.#isQuietWeek(message, person)))
      return dropped(MESSAGE_DROP_REASONS.nothingToSay);
    return { act: 'send', message, to };
  }

  async #onAlert(
    message: PersonalAlertMessage,
    {
      person,
      to,
      day,
    }: { readonly person: Addressee; readonly to: PersonalAddress | null; readonly day: Day },
  ): Promise<PersonalVerdict> {
    const { facts } = message;
    if (isMuted(person.follower, facts, person.now)) return dropped(WHY.muted);
    const matching = await this.#matching(message, person);
    if (matching.length === 0) return dropped(WHY.unfollowed);
    const freeAt = this.#freeAt(message, person);
    if (freeAt > person.now) return { act: 'wait', until: freeAt };
    const isLate = person.now - freeAt > TOLD_WITHIN_MS;
    if (to === null) return { act: 'fold', why: UNREACHABLE };
    if (matching.every(({ mode }) => mode === 'daily')) {
      const until = beforeEvening(person.follower, freeAt);
      return until > person.now ? { act: 'wait', until } : { act: 'fold', why: WHY.daily };
    }
    const why = whyListed(person, isLate);
    if (why !== null) return { act: 'fold', why };
    const isFollow = matching.some(({ subject }) => subject.kind !== 'filter');
    // A message that is being retried already has its place.
    if (message.attempts === 0) {
      const taken = await day.take({ facts: { isFollow } });
      if (taken !== null)
        return { act: 'fold', why: WHY.noPlace, notice: limitNotice(person, taken === 'full') };
    }
    const isSilent = matching.every(({ mode }) => mode !== 'normal');
    return { act: 'send', message: { ...message, facts: { ...facts, isFollow, isSilent } }, to };
  }

  /** Whether only a follow led to it that the person no longer has. */
  async #isUnfollowed(message: PersonalMessage, person: Person): Promise<boolean> {
    const isNews = message.kind === 'personal_exit' || message.kind === 'personal_result';
    if (!isNews || message.facts.alertMessageId !== null) return false;
    return (await this.#matching(message, person)).length === 0;
  }

  /** The active follows that the message is for. */
  async #matching(message: Matched, person: Person): Promise<readonly Follow[]> {
    return (await this.#matchedAgain(message, person)) ?? matchingFollows(message, person);
  }

  /**
   * An alert is matched again when the follows have changed since it was matched, as a rule may have another filter. Null: it no
   * longer matches.
   */
  async #matchedAgain(message: Matched, person: Person): Promise<readonly Follow[] | null> {
    if (message.kind !== 'personal_alert' || person.follower.changedAt <= message.createdAt) return null;
    const alert = await this.#options.alerts.byId(message.facts.alertId);
    return alert && matchesOf(person.follows, alert);
  }

  /** When it may be sent: what was matched in real time waits if the person no longer has a Pro key. */
  #freeAt({ createdAt, kind, facts }: PersonalMessage, person: Person): EpochMs {
    const isDelayed = kind === 'personal_alert' || kind === 'personal_exit';
    const isRealtime = facts.isRealtime && person.isRealtime;
    return isDelayed && !isRealtime ? createdAt + this.#options.freeDelayMs : createdAt;
  }

  async #onList(
    message: PersonalMessage & { readonly kind: 'personal_list' },
    person: Addressee,
    to: PersonalAddress,
  ): Promise<PersonalVerdict> {
    const { facts } = message;
    const { newestAt, ...listed } = await listedIn(this.#options.chat, message);
    if (listed.alerts.length === 0) return dropped(MESSAGE_DROP_REASONS.nothingToSay);
    // It may have been held back in real time, with a Pro key that ended.
    const freeAt = newestAt + alertAgeFor(person, this.#options);
    if (freeAt > person.now) return { act: 'wait', until: freeAt };
    return { act: 'send', message: { ...message, facts: { ...facts, listed } }, to };
  }

  /** Whether the person follows something, yet nothing was sent or is waiting for a list in the week of the message. */
  async #isQuietWeek({ recipient, createdAt }: PersonalMessage, { follower }: Person): Promise<boolean> {
    const { chat } = this.#options;
    const since = createdAt - WEEK_MS;
    const follows = follower.follows.some(({ isPaused }) => !isPaused);
    if (!follows || (await chat.wasTold(recipient, since))) return false;
    const { alerts } = await listedIn(chat, { recipient, createdAt });
    return alerts.length === 0;
  }

  async #takenOf({ recipient, follower, now }: Addressee): Promise<readonly Claim[]> {
    return this.#options.chat.toldTo(recipient, dayStartOf(follower, now));
  }
}

/** Says once per day that the rest waits for the list. `isOfFilters`: followed wallets and markets still get places. */
function limitNotice(person: Addressee, isOfFilters: boolean): NewChatMessage {
  const { customer, recipient, follower, follows, now } = person;
  const hasMore = isOfFilters && follows.some(({ subject }) => subject.kind !== 'filter');
  const facts = {
    ...personalFactsOf(person),
    listAt: nextListTime(follower, now),
    zone: zoneOf(follower),
    hasMore,
  };
  const id = `plimit:${hourOf(dayStartOf(follower, now))}@${customer.id}`;
  return { id, recipient, kind: 'personal_limit', facts, createdAt: now, dueAt: now };
}

/** The active follows that a message was matched by. */
function matchingFollows(message: Matched, person: Person): readonly Follow[] {
  return person.follows.filter(({ id }) => message.facts.followIds.includes(id));
}

/** Why an alert is listed instead of sent; null when it may be sent. */
function whyListed({ follower, now }: Addressee, isLate: boolean): string | null {
  if (isQuiet(follower, now)) return WHY.quiet;
  return isLate ? WHY.late : null;
}

function isAboutMuted({ facts }: PersonalMessage, { follower, now }: Addressee): boolean {
  return isMuted(follower, 'wallet' in facts ? facts : {}, now);
}

function dropped(why: string): PersonalVerdict {
  return { act: 'drop', why };
}
