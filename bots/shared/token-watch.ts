import type { BotName, Channel, ChatFacts, NewChatMessage } from '../../src/core/chat/chat-message.ts';
import { tokenMessageId } from '../../src/core/chat/message-ids.ts';
import type { Clock } from '../../src/core/clock.ts';
import { SECOND_MS } from '../../src/core/duration.ts';
import type { ChatOutbox } from '../../src/core/ports/chat-outbox.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
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

/**
 * Tells the operators on the other platform that a bot's token is refused, and that it is accepted again: once an outage
 * each. Without another platform the bot's own log lines are all. Outages are kept in memory: a restart begins a new one.
 */
export class TokenWatch {
  readonly #operators: readonly Operator[];
  readonly #outbox: ChatOutbox;
  readonly #clock: Clock;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #refusedSince = new Map<BotName, EpochMs>();
  /** What the outbox has not taken yet. */
  #unstored: NewChatMessage[] = [];
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
    const since = this.#refusedSince.get(bot);
    if (state === 'refused' && since === undefined) {
      this.#refusedSince.set(bot, now);
      this.#add(platform, { kind: 'token_refused', facts: { bot, since: now, detail: detail ?? '' } });
    }
    if (state === 'running' && since !== undefined) {
      this.#refusedSince.delete(bot);
      this.#add(platform, { kind: 'token_accepted', facts: { bot, since, until: now } });
    }
  }

  #add(platform: Channel, news: TokenNews): void {
    const now = this.#clock.now();
    for (const operator of this.#operators) {
      if (operator.platform === platform) continue;
      const recipient = `operator:${operator.platform}:${operator.id}` as const;
      const id = tokenMessageId(news.kind, news.facts, recipient);
      this.#unstored.push({ ...news, id, recipient, createdAt: now, dueAt: now });
    }
  }

  async #store(): Promise<void> {
    const messages = [...this.#unstored];
    if (messages.length === 0) return;
    try {
      await this.#outbox.add(messages);
      this.#unstored = this.#unstored.filter((message) => !messages.includes(message));
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#logger.warn({ err: error }, 'the operator cannot be told of a refused token; trying again');
      this.#isFailing = true;
    }
  }
}

type TokenNews =
  | { readonly kind: 'token_refused'; readonly facts: ChatFacts['token_refused'] }
  | { readonly kind: 'token_accepted'; readonly facts: ChatFacts['token_accepted'] };
