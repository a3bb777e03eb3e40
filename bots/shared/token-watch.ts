import { FailureLog } from '../../src/core/base/async/failure-log.ts';
import { repeat } from '../../src/core/base/async/repeat.ts';
import { backoffMs, withoutJitter } from '../../src/core/base/async/retry.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { BotName, Channel, ChatFacts, NewChatMessage } from '../../src/core/chat/chat-message.ts';
import type { ChatOutbox } from '../../src/core/chat/chat-store.ts';
import type { ConnectionStatus } from './chat-bot.ts';

/** Much shorter than the retry of a refused token, so that no outage is missed. */
const INTERVAL_MS = SECOND_MS;

/** A bot and its platform. */
export interface WatchedBot {
  readonly name: BotName;
  readonly platform: Channel;
  status(): ConnectionStatus;
}

/** An operator in `ADMIN_IDS` who has a chat with a bot. */
export interface Operator {
  readonly platform: Channel;
  readonly id: string;
}

interface TokenOutage {
  readonly since: EpochMs;
  /** Start of the UTC hour whose messages report it. */
  readonly hourStart: EpochMs;
  /** The hour already had its message: that of the next hour reports this outage, if it lasts. */
  isPending: boolean;
}

interface TokenWatchOptions {
  readonly operators: readonly Operator[];
  readonly outbox: ChatOutbox;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Sends a message to the operators on the other platform when a bot's token is refused, and when it is accepted again: once
 * per outage, and for one outage in a UTC hour. Without another platform only the bot's log reports it. Outages are kept in
 * memory; the outbox also knows the messages of the hour after a restart.
 */
export class TokenWatch {
  readonly #options: TokenWatchOptions;
  readonly #failures: FailureLog;
  readonly #outages = new Map<BotName, TokenOutage>();
  /** Messages not stored yet, by id. */
  readonly #unstored = new Map<string, NewChatMessage>();

  constructor(options: TokenWatchOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.logger, 'messages about a refused token not stored; retrying');
  }

  /** Checks the bots every second, until the signal aborts. Never throws. */
  async run(bots: readonly WatchedBot[], signal: AbortSignal): Promise<void> {
    const check = async () => {
      for (const bot of bots) this.#check(bot);
      await this.#store();
    };
    const { clock } = this.#options;
    await repeat(check, { clock, signal, intervalMs: INTERVAL_MS, failures: this.#failures });
  }

  #check({ name: bot, platform, status }: WatchedBot): void {
    const { state, detail } = status();
    const now = this.#options.clock.now();
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

  /** False when the message of the same hour already waits to be stored. */
  #add(platform: Channel, news: TokenNews, hourStart: EpochMs): boolean {
    const now = this.#options.clock.now();
    const before = this.#unstored.size;
    for (const operator of this.#options.operators) {
      if (operator.platform === platform) continue;
      const recipient = `operator:${operator.platform}:${operator.id}` as const;
      const id = `${news.kind}:${news.facts.bot}:${hourStart}@${recipient}`;
      if (this.#unstored.has(id)) continue;
      this.#unstored.set(id, { ...news, id, recipient, createdAt: now, dueAt: now });
    }
    return this.#unstored.size > before;
  }

  async #store(): Promise<void> {
    const messages = [...this.#unstored.values()];
    if (messages.length === 0) return;
    const stored = await this.#options.outbox.add(messages);
    for (const message of messages) {
      this.#unstored.delete(message.id);
      if (!stored.includes(message.id)) this.#notePending(message);
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

const BACKOFF = { firstMs: MINUTE_MS, mostMs: 15 * MINUTE_MS };

/** Pause after so many refusals of a token in a row. One bot has the token: no jitter. */
export function refusedWaitMs(refusals: number): number {
  return backoffMs(BACKOFF, refusals, withoutJitter);
}
