import { createHash } from 'node:crypto';
import {
  MessageFlags,
  type REST,
  type RESTPostAPICurrentUserCreateDMChannelResult,
  Routes,
} from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import { type RateLimit, SlidingWindow } from '../../src/core/base/time/sliding-window.ts';
import type { Messenger, SendFailure, SendResult } from '../../src/core/chat/messenger.ts';
import type { Call } from '../shared/chat-bot.ts';
import type { Screen } from '../shared/screen.ts';
import { DISCORD_CODES, discordCode, discordFailure } from './failures.ts';
import { type ScreenMessage, toMessage, toPlainMessage } from './screen-message.ts';

const NONCE_LENGTH = 25;
const REMEMBERED_CHATS = 5_000;
/**
 * "If true and nonce is present, it will be checked for uniqueness in the past few minutes. If another message was created
 * by the same author with the same nonce, that message will be returned and no new message will be created."
 * (discord.com/developers/docs/resources/message#create-message). The documentation names no number: two minutes are few.
 */
const DEDUPLICATES_FOR_MS = 2 * MINUTE_MS;

/**
 * Messages that the bot sends to people unasked, 60 a minute. Discord names no number: "DMs should generally be initiated by a user
 * action. If you open a significant amount of DMs too quickly, your bot may be rate limited or blocked from opening new ones"
 * (docs.discord.com/developers/resources/user#create-dm). All of them wrote to the bot first.
 */
const UNASKED: RateLimit = { most: 10, windowMs: 10 * SECOND_MS };
/** One that would wait longer goes back to its queue. */
const LONGEST_WAIT_MS = 5 * SECOND_MS;

interface Attempt extends Call {
  readonly signal: AbortSignal;
}

interface Post {
  readonly channel: string;
  readonly nonce: string | undefined;
  readonly extra?: object;
}

/** Sends to people and to the channel. A reference to a message is `channel:message`. Makes one attempt: the outbox retries. */
export class DiscordMessenger implements Messenger<Screen> {
  readonly deduplicatesForMs = DEDUPLICATES_FOR_MS;
  readonly #rest: REST;
  readonly #channelId: string | null;
  readonly #clock: Clock;
  readonly #unasked = new SlidingWindow(UNASKED.most);
  readonly #privateChannels = new LRUCache<string, string>({ max: REMEMBERED_CHATS });

  constructor(options: { readonly rest: REST; readonly channelId: string | null; readonly clock: Clock }) {
    this.#rest = options.rest;
    this.#channelId = options.channelId;
    this.#clock = options.clock;
  }

  async send(
    to: { readonly chat: string } | 'channel',
    view: Screen,
    signal: AbortSignal,
    nonce?: string,
  ): Promise<SendResult> {
    const isInChannel = to === 'channel';
    const channel = isInChannel ? this.#channelId : await this.#privateChannelOf(to.chat, signal);
    if (channel === null) return { ok: false, reason: 'gone', detail: 'no channel is configured' };
    if (typeof channel === 'object') return channel;
    const refusal = isInChannel ? null : await this.#unaskedIn(signal);
    if (refusal !== null) return refusal;
    return this.#post({ channel, nonce }, view, { isRepeatable: false, isInChannel, signal });
  }

  edit(messageRef: string, view: Screen, signal: AbortSignal): Promise<SendResult> {
    return this.#change(messageRef, signal, (route, own) =>
      showWithFallback(view, (content) => this.#rest.patch(route, { body: quiet(content), signal: own })),
    );
  }

  async reply(messageRef: string, view: Screen, signal: AbortSignal, nonce?: string): Promise<SendResult> {
    const { channel, message } = addressOf(messageRef);
    const isInChannel = channel === this.#channelId;
    const refusal = isInChannel ? null : await this.#unaskedIn(signal);
    if (refusal !== null) return refusal;
    const extra = { message_reference: { message_id: message, fail_if_not_exists: false } };
    const call = { isRepeatable: false, isOnMessage: true, isInChannel, signal };
    return this.#post({ channel, nonce, extra }, view, call);
  }

  remove(messageRef: string, signal: AbortSignal): Promise<SendResult> {
    return this.#change(messageRef, signal, (route, own) => this.#rest.delete(route, { signal: own }));
  }

  #change(
    place: string,
    signal: AbortSignal,
    act: (route: `/${string}`, own: AbortSignal) => Promise<unknown>,
  ): Promise<SendResult> {
    const { channel, message } = addressOf(place);
    return attempt({ isRepeatable: true, isOnMessage: true, signal }, async (own) => {
      await act(Routes.channelMessage(channel, message), own);
      return { ok: true, place };
    });
  }

  #post({ channel, nonce, extra = {} }: Post, view: Screen, call: Attempt): Promise<SendResult> {
    return attempt(call, async (signal) => {
      const answer = await showWithFallback(view, (message) => {
        const body = { ...quiet(message, view), ...extra };
        return this.#rest.post(Routes.channelMessages(channel), {
          body: { ...body, nonce: nonceOf(channel, nonce ?? JSON.stringify(body)), enforce_nonce: true },
          signal,
        });
      });
      return { ok: true, place: `${channel}:${(answer as { id: string }).id}` };
    });
  }

  /** Waits for its share of the unasked messages. Returns null, or the wait when it is too long. */
  async #unaskedIn(signal: AbortSignal): Promise<SendFailure | null> {
    const now = this.#clock.now();
    const at = Math.max(now, this.#unasked.freeAt(UNASKED));
    const later = (retryAfterMs: number) =>
      ({ ok: false, reason: 'later', retryAfterMs, detail: 'the pace of unasked messages' }) as const;
    if (at - now > LONGEST_WAIT_MS) return later(at - now);
    this.#unasked.add(at);
    if (at > now) await this.#clock.sleep(at - now, signal);
    return signal.aborted ? later(1) : null;
  }

  #privateChannelOf(chat: string, signal: AbortSignal): Promise<string | SendFailure> {
    return attempt({ isRepeatable: true, signal }, async (own) => {
      const known = this.#privateChannels.get(chat);
      if (known !== undefined) return known;
      const body = { recipient_id: chat };
      const answer = await this.#rest.post(Routes.userChannels(), { body, signal: own });
      const { id } = answer as RESTPostAPICurrentUserCreateDMChannelResult;
      this.#privateChannels.set(chat, id);
      return id;
    });
  }
}

function addressOf(messageRef: string): { readonly channel: string; readonly message: string } {
  const [channel = '', message = ''] = messageRef.split(':');
  return { channel, message };
}

/**
 * No user is mentioned, and no address in a title gets a preview
 * (discord.com/developers/docs/resources/message#message-object-message-flags: both may be set when a message is created and edited).
 * The flag would hide a picture, too: beside one, the addresses of the text are marked one by one (`toMarkdown`).
 */
function quiet(message: ScreenMessage, { isSilent }: Partial<Screen> = {}): object {
  const noPreviews = message.embeds.length === 0 ? MessageFlags.SuppressEmbeds : 0;
  const flags = noPreviews | (isSilent ? MessageFlags.SuppressNotifications : 0);
  return { ...message, allowed_mentions: { parse: [] }, flags };
}

/** Returns a failure as a value. The call gets its own signal, as discord.js does not remove its listeners. */
async function attempt<Answer>(
  { signal, ...call }: Attempt,
  act: (own: AbortSignal) => Promise<Answer>,
): Promise<Answer | SendFailure> {
  return act(AbortSignal.any([signal])).catch((error: unknown) => discordFailure(error, call));
}

/** Makes a message that is sent again within minutes, for example after a timeout, appear once. */
function nonceOf(channel: string, text: string): string {
  return createHash('sha256').update(`${channel} ${text}`).digest('hex').slice(0, NONCE_LENGTH);
}

/** Shows a screen; in plain text when Discord refuses its form. */
export async function showWithFallback<Answer>(
  screen: Screen,
  show: (message: ScreenMessage) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await show(toMessage(screen));
  } catch (error) {
    if (discordCode(error) !== DISCORD_CODES.invalidForm) throw error;
    return show(toPlainMessage(screen));
  }
}
