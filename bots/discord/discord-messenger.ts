import { createHash } from 'node:crypto';
import { type REST, type RESTPostAPICurrentUserCreateDMChannelResult, Routes } from 'discord.js';
import type { Messenger, SendResult } from '../../src/core/ports/messenger.ts';
import { createRecentMap } from '../../src/core/recent-map.ts';
import type { Screen } from '../shared/screen.ts';
import { accepted } from './accepted.ts';
import { toSendResult } from './failures.ts';

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
    const answer = await accepted(view, (message) => {
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
      let channel: string | null;
      try {
        channel = to === 'channel' ? channelId : await privateChannelOf(to.chat, signal);
      } catch (error) {
        return toSendResult(error, true);
      }
      if (channel === null) return { ok: false, reason: 'gone', detail: 'no channel is configured' };
      return tried(false, () => post(channel, view, { signal }));
    },
    edit: (place, view, signal) =>
      tried(true, async () => {
        const { channel, message } = parsePlace(place);
        await accepted(view, (content) =>
          rest.patch(Routes.channelMessage(channel, message), {
            body: { ...content, allowed_mentions: { parse: [] } },
            signal,
          }),
        );
        return { ok: true, place };
      }),
    reply: (place, view, signal) =>
      tried(false, () => {
        const { channel, message } = parsePlace(place);
        const reference = { message_reference: { message_id: message, fail_if_not_exists: false } };
        return post(channel, view, { extra: reference, signal });
      }),
    remove: (place, signal) =>
      tried(true, async () => {
        const { channel, message } = parsePlace(place);
        await rest.delete(Routes.channelMessage(channel, message), { signal });
        return { ok: true, place };
      }),
  };
}

/** Channels of private chats, by person. Messages to them have an id of their own. */
function createPrivateChannels(rest: REST): (chat: string, signal: AbortSignal) => Promise<string> {
  const known = createRecentMap<string>(REMEMBERED_CHATS);
  return async (chat, signal) => {
    const channel = known.get(chat);
    if (channel !== undefined) return channel;
    const answer = await rest.post(Routes.userChannels(), { body: { recipient_id: chat }, signal });
    const { id } = answer as RESTPostAPICurrentUserCreateDMChannelResult;
    known.set(chat, id);
    return id;
  };
}

async function tried(isRepeatable: boolean, act: () => Promise<SendResult>): Promise<SendResult> {
  try {
    return await act();
  } catch (error) {
    return toSendResult(error, isRepeatable);
  }
}

/** The same message to the same channel within minutes is one: what is sent again after a timeout stands there once. */
function nonceOf(channel: string, body: object): { nonce: string; enforce_nonce: true } {
  const digest = createHash('sha256')
    .update(`${channel} ${JSON.stringify(body)}`)
    .digest('hex');
  return { nonce: digest.slice(0, NONCE_LENGTH), enforce_nonce: true };
}

function parsePlace(place: string): { channel: string; message: string } {
  const [, channel, message] = /^(\d+):(\d+)$/.exec(place) ?? [];
  if (channel === undefined || message === undefined) throw new Error('not a place on Discord');
  return { channel, message };
}
