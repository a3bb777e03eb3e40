import type { BotName, Channel, ChatFacts, NewChatMessage } from '../../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../../src/core/chat/chat-outbox.ts';
import { tokenMessageId } from '../../src/core/chat/message-ids.ts';
import type { Clock } from '../../src/core/clock.ts';
import { HOUR_MS, SECOND_MS } from '../../src/core/duration.ts';
import type { Logger } from '../../src/core/logger.ts';
import type { EpochMs } from '../../src/core/trade.ts';
import type { BotStatus } from './chat-bot.ts';

/** Much less than a refused token waits for its next try, so that no outage is missed. */
const EVERY_MS = SECOND_MS;

/** A bot and its platform. */
export interface WatchedBot {
  readonly name: BotName;
  readonly platform: Channel;
  status(): BotStatus;
}

/** Somebody in `ADMIN_IDS` whom a bot can write to. */
export interface Operator {
  readonly platform: Channel;
  readonly id: string;
}

interface TokenOutage {
  readonly since: EpochMs;
  /** The beginning of the UTC hour whose messages tell of it. */
  readonly hourStart: EpochMs;
  /** The hour had its message already: the next hour's tells of this outage, if it lasts. */
  isPending: boolean;
}

/**
 * Tells the operators on the other platform that a bot's token is refused, and that it is accepted again: once an outage
 * each, and of one outage in a UTC hour. Without another platform the bot's own log lines are all. Outages are kept in
 * memory; what was told of an hour is known to the outbox, after a restart, too.
 */
export class TokenWatch {
  readonly #operators: readonly Operator[];
  readonly #outbox: ChatOutbox;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #outages = new Map<BotName, TokenOutage>();
  /** What the outbox has not taken yet, by id. */
  readonly #unstored = new Map<string, NewChatMessage>();
  #isFailing = false;

  constructor(deps: {
    readonly operators: readonly Operator[];
    readonly outbox: ChatOutbox;
    readonly clock: Clock;
    readonly logger: Pick<Logger, 'warn'>;
  }) {
    this.#operators = deps.operators;
    this.#outbox = deps.outbox;
    this.#clock = deps.clock;
    this.#logger = deps.logger;
  }

  /** Looks every second, until the signal aborts. Never throws. */
  async run(bots: readonly WatchedBot[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const bot of bots) this.#look(bot);
      await this.#store();
      await this.#clock.sleep(EVERY_MS, signal);
    }
  }

  #look({ name: bot, platform, status }: WatchedBot): void {
    const { state, detail } = status();
    const now = this.#clock.now();
    const hourStart = now - (now % HOUR_MS);
    const outage = this.#outages.get(bot);
    if (state === 'refused' && (outage === undefined || (outage.isPending && outage.hourStart < hourStart))) {
      const since = outage?.since ?? now;
      const facts = { bot, since, detail: detail ?? '' };
      const isNew = this.#add(platform, { kind: 'token_refused', facts }, hourStart);
      this.#outages.set(bot, { since, hourStart, isPending: !isNew });
    }
    if (state === 'running' && outage !== undefined) {
      this.#outages.delete(bot);
      const facts = { bot, since: outage.since, until: now };
      this.#add(platform, { kind: 'token_accepted', facts }, outage.hourStart);
    }
  }

  /** False when the same hour's message waits for the outbox already. */
  #add(platform: Channel, news: TokenNews, hourStart: EpochMs): boolean {
    const now = this.#clock.now();
    const before = this.#unstored.size;
    for (const operator of this.#operators) {
      if (operator.platform === platform) continue;
      const recipient = `operator:${operator.platform}:${operator.id}` as const;
      const id = tokenMessageId(news.kind, { bot: news.facts.bot, hourStart }, recipient);
      if (this.#unstored.has(id)) continue;
      this.#unstored.set(id, { ...news, id, recipient, createdAt: now, dueAt: now });
    }
    return this.#unstored.size > before;
  }

  async #store(): Promise<void> {
    const messages = [...this.#unstored.values()];
    if (messages.length === 0) return;
    try {
      const stored = await this.#outbox.add(messages);
      this.#isFailing = false;
      for (const message of messages) {
        this.#unstored.delete(message.id);
        if (!stored.includes(message.id)) this.#notePending(message);
      }
    } catch (error) {
      if (!this.#isFailing)
        this.#logger.warn({ err: error }, 'the operator cannot be told of a refused token; trying again');
      this.#isFailing = true;
    }
  }

  #notePending({ kind, facts }: NewChatMessage): void {
    if (kind !== 'token_refused') return;
    const outage = this.#outages.get(facts.bot);
    if (outage?.since === facts.since) outage.isPending = true;
  }
}

type TokenNews =
  | { readonly kind: 'token_refused'; readonly facts: ChatFacts['token_refused'] }
  | { readonly kind: 'token_accepted'; readonly facts: ChatFacts['token_accepted'] };
