import type { CustomerService } from '../accounts/customers/customer-service.ts';
import type { Clock } from '../base/time/clock.ts';
import { SECOND_MS } from '../base/time/duration.ts';
import { type ChatMessage, isTooOld, type PersonalQueue, type Recipient } from './chat-message.ts';
import { type ChatChange, type ChatStore, MESSAGE_DROP_REASONS } from './chat-store.ts';
import { DONE, type MessageSender, type SendStepResult } from './message-sender.ts';
import type { Messenger, SendResult } from './messenger.ts';
import {
  type PersonalAddress,
  type PersonalChoice,
  type PersonalVerdict,
  UNREACHABLE,
} from './personal-choice.ts';
import { giveUp, NOT_OURS } from './send-step.ts';

/** Most messages to one person that are judged together. */
const JUDGED_MAX = 100;
/** A chat accepts one message per second (core.telegram.org/bots/faq). */
const BETWEEN_MESSAGES_MS = SECOND_MS;
/** Stored error of a message whose alert was deleted on the platform: it is sent without a reference to it. */
const NO_REFERENCE = 'the alert is gone';

type PersonalSend = Extract<PersonalVerdict, { act: 'send' }>;

/** Dependencies of a `PersonalSender`. */
export interface PersonalSenderOptions<View> {
  readonly lane: PersonalQueue;
  /** Null where this process cannot send: what should be sent waits, the rest is ended. */
  readonly messenger: Messenger<View> | null;
  readonly sender: MessageSender<View>;
  readonly store: Pick<ChatStore, 'add' | 'dueOf' | 'postpone' | 'giveUp' | 'byId'>;
  readonly choice: PersonalChoice;
  readonly customers: Pick<CustomerService, 'markUnreachable'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Sends people, one at a time, what is due for them in a queue. */
export class PersonalSender<View> {
  readonly #options: PersonalSenderOptions<View>;

  constructor(options: PersonalSenderOptions<View>) {
    this.#options = options;
  }

  /**
   * Judges what is due for a person, ends what is not sent, and sends the best of the rest. Throws what the stores throw; what was not handled is still due then.
   */
  async serve(recipient: Recipient): Promise<SendStepResult> {
    const { store, lane, choice, clock } = this.#options;
    const due = await store.dueOf(recipient, { lane, now: clock.now(), limit: JUDGED_MAX });
    if (due.length === 0) return NOT_OURS;
    const verdicts = await choice.judge(recipient, due);
    const wanted: PersonalSend[] = [];
    for (const [index, message] of due.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) continue;
      if (verdict.act !== 'send') await this.#end(message, verdict);
      else if (isTooOld(message, clock.now())) await this.#giveUp(message, 'too old');
      else wanted.push(verdict);
    }
    const { messenger } = this.#options;
    return messenger === null ? NOT_OURS : this.#sendBest(wanted, messenger);
  }

  async #sendBest(wanted: readonly PersonalSend[], messenger: Messenger<View>): Promise<SendStepResult> {
    for (const verdict of wanted) {
      const step = await this.#send(verdict, messenger);
      if (step.isOurs) return step;
    }
    return NOT_OURS;
  }

  async #end(message: ChatMessage, verdict: Exclude<PersonalVerdict, { act: 'send' }>): Promise<void> {
    const { store, clock } = this.#options;
    if (verdict.act === 'wait') return void (await store.postpone(message.id, verdict.until));
    if (verdict.act === 'drop') return void (await this.#giveUp(message, verdict.why));
    if (verdict.notice !== undefined) await store.add([verdict.notice]);
    await store.giveUp(message.id, { state: 'folded', error: verdict.why, at: clock.now() });
  }

  /** As `dropped` even after attempts: it was not sent, and the person does not want it. */
  async #giveUp(message: ChatMessage, why: string): Promise<SendStepResult> {
    const { store, clock } = this.#options;
    if (message.unsureSince !== null) return giveUp(store, message, { why, at: clock.now() });
    await store.giveUp(message.id, { state: 'dropped', error: why, at: clock.now() });
    return DONE;
  }

  async #send({ message, to }: PersonalSend, messenger: Messenger<View>): Promise<SendStepResult> {
    if (message.kind === 'personal_mark') return this.#mark(message, messenger);
    const isAnswer = message.kind === 'personal_exit' || message.kind === 'personal_result';
    const told = isAnswer ? await this.#toldBy(message.facts.alertMessageId) : null;
    if (told !== null && told.state !== 'unknown') {
      if (told.state === 'pending' || told.state === 'sending') return NOT_OURS;
      if (told.state !== 'sent') return this.#giveUp(message, MESSAGE_DROP_REASONS.notTold);
    }
    const place = message.error === NO_REFERENCE ? null : (told?.place ?? null);
    const { sender, clock } = this.#options;
    const startedAt = clock.now();
    const step = await sender.send({
      message,
      messenger,
      call: (view, signal) =>
        place === null
          ? messenger.send({ chat: to.chat }, view, signal, message.id)
          : messenger.reply(place, view, signal, message.id),
      override: (result) => this.#afterRefusal(message, to, result),
    });
    const restMs = Math.max(step.restMs ?? 0, startedAt + BETWEEN_MESSAGES_MS - clock.now());
    return { ...step, restMs };
  }

  /** An alert that certainly did not arrive goes into the next list. */
  async #afterRefusal(
    { kind, error }: ChatMessage,
    { platform, userId }: PersonalAddress,
    result: SendResult,
  ): Promise<ChatChange | undefined> {
    const { customers, clock } = this.#options;
    if (result.ok || result.reason === 'later' || result.reason === 'unknown') return undefined;
    const at = clock.now();
    if (result.reason === 'blocked') {
      await customers.markUnreachable(platform, userId);
      return { state: kind === 'personal_alert' ? 'folded' : 'dropped', error: UNREACHABLE, at };
    }
    if (kind === 'personal_alert') return { state: 'folded', error: result.detail, at };
    const isAnswer = kind === 'personal_exit' || kind === 'personal_result';
    if (isAnswer && result.reason === 'gone' && error !== NO_REFERENCE)
      return { state: 'pending', dueAt: at, error: NO_REFERENCE };
    return undefined;
  }

  /** Edits the message of an alert, unless it is gone. */
  async #mark(
    message: ChatMessage & { readonly kind: 'personal_mark' },
    messenger: Messenger<View>,
  ): Promise<SendStepResult> {
    const { sender, clock } = this.#options;
    const told = await this.#toldBy(message.facts.alertMessageId);
    if (told?.state === 'pending' || told?.state === 'sending') return NOT_OURS;
    const place = told?.place ?? null;
    if (told?.state !== 'sent' || place === null) return this.#giveUp(message, MESSAGE_DROP_REASONS.notTold);
    return sender.send({
      message,
      messenger,
      isRepeatable: true,
      call: (view, signal) => messenger.edit(place, view, signal),
      override: async (result) =>
        !result.ok && result.reason === 'gone'
          ? { state: 'dropped', error: MESSAGE_DROP_REASONS.gone, at: clock.now() }
          : undefined,
    });
  }

  async #toldBy(id: string | null): Promise<ChatMessage | null> {
    return id === null ? null : this.#options.store.byId(id);
  }
}
