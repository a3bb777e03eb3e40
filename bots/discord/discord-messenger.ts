import { createHash } from 'node:crypto';
import { type REST, type RESTPostAPICurrentUserCreateDMChannelResult, Routes } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Messenger, SendResult } from '../../src/core/chat/messenger.ts';
import type { Screen } from '../shared/screen.ts';
import { type Call, type Failure, toFailure } from './failures.ts';
import { showWithFallback } from './show-with-fallback.ts';

const NONCE_LENGTH = 25;
const REMEMBERED_CHATS = 5_000;

interface PostOptions {
  readonly extra?: object;
  readonly signal: AbortSignal;
}

/** Sends to people and to the channel. A place is `channel:message`. */
export function createDiscordMessenger(deps: {
  readonly rest: REST;
  readonly channelId: string | null;
}): Messenger<Screen> {
  const { rest, channelId } = deps;
  const privateChannelOf = createPrivateChannels(rest);

  async function post(channel: string, view: Screen, options: PostOptions): Promise<SendResult> {
    const answer = await showWithFallback(view, (message) => {
      const body = { ...message, ...options.extra, allowed_mentions: { parse: [] } };
      return rest.post(Routes.channelMessages(channel), {
        body: { ...body, ...nonceOf(channel, body) },
        signal: options.signal,
      });
    });
    return { ok: true, place: `${channel}:${(answer as { id: string }).id}` };
  }

  return {
    async send(to, view, signal) {
      const found = await tried({ isRepeatable: true, signal }, async (own) =>
        to === 'channel' ? channelId : privateChannelOf(to.chat, own),
      );
      if (typeof found === 'object' && found !== null) return found;
      if (found === null) return { ok: false, reason: 'gone', detail: 'no channel is configured' };
      return tried({ isRepeatable: false, signal }, (own) => post(found, view, { signal: own }));
    },
    edit: (messageRef, view, signal) =>
      at(messageRef, { isRepeatable: true, isOnMessage: true, signal }, async ({ channel, message }, own) => {
        await showWithFallback(view, (content) =>
          rest.patch(Routes.channelMessage(channel, message), {
            body: { ...content, allowed_mentions: { parse: [] } },
            signal: own,
          }),
        );
        return { ok: true, place: messageRef };
      }),
    reply: (messageRef, view, signal) =>
      at(messageRef, { isRepeatable: false, isOnMessage: true, signal }, ({ channel, message }, own) => {
        const reference = { message_reference: { message_id: message, fail_if_not_exists: false } };
        return post(channel, view, { extra: reference, signal: own });
      }),
    remove: (messageRef, signal) =>
      at(messageRef, { isRepeatable: true, signal }, async ({ channel, message }, own) => {
        await rest.delete(Routes.channelMessage(channel, message), { signal: own });
        return { ok: true, place: messageRef };
      }),
  };
}

/** Channels of private chats, by person. Messages to them have an id of their own. */
function createPrivateChannels(rest: REST): (chat: string, signal: AbortSignal) => Promise<string> {
  const known = new LRUCache<string, string>({ max: REMEMBERED_CHATS });
  return async (chat, signal) => {
    const channel = known.get(chat);
    if (channel !== undefined) return channel;
    const answer = await rest.post(Routes.userChannels(), { body: { recipient_id: chat }, signal });
    const { id } = answer as RESTPostAPICurrentUserCreateDMChannelResult;
    known.set(chat, id);
    return id;
  };
}

interface Try extends Call {
  readonly signal: AbortSignal;
}

/** A failure as a value. The call gets a signal of its own, as discord.js leaves its listeners on it. */
async function tried<Answer>(
  { signal, ...call }: Try,
  act: (own: AbortSignal) => Promise<Answer>,
): Promise<Answer | Failure> {
  const own = new AbortController();
  const abort = () => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await act(own.signal);
  } catch (error) {
    return toFailure(error, call);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function at(
  messageRef: string,
  options: Try,
  act: (where: { channel: string; message: string }, own: AbortSignal) => Promise<SendResult>,
): Promise<SendResult> {
  const [, channel, message] = /^(\d+):(\d+)$/.exec(messageRef) ?? [];
  if (channel === undefined || message === undefined) {
    return { ok: false, reason: 'gone', detail: 'not a place on Discord' };
  }
  return tried(options, (own) => act({ channel, message }, own));
}

/** The same message to the same channel within minutes is one: what is sent again after a timeout stands there once. */
function nonceOf(channel: string, body: object): { nonce: string; enforce_nonce: true } {
  const digest = createHash('sha256')
    .update(`${channel} ${JSON.stringify(body)}`)
    .digest('hex');
  return { nonce: digest.slice(0, NONCE_LENGTH), enforce_nonce: true };
}
