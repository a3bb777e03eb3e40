import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ALL_RIGHTS, chatFields, chatMethods, chatRefusal } from './telegram-chats.ts';
import {
  type Answer,
  bad,
  type Call,
  contentOf,
  type Fault,
  messageFields,
  NOT_MODIFIED,
  type StandInChat,
  type StandInMessage,
  type TelegramChats,
  type WebhookDelivery,
} from './telegram-wire.ts';

export const TELEGRAM_TOKEN = '123456789:AAE-abcdefghijklmnopqrstuvwxyz01234';
/** What follows the id of the bot: every bot with it is known. */
const SECRET = TELEGRAM_TOKEN.split(':')[1] ?? '';

export type TelegramStandIn = Awaited<ReturnType<typeof startTelegram>>;

/** The Bot API on loopback, as far as our bot knows it. */
export async function startTelegram() {
  /** Who has written to the bot: before, it cannot write to them (core.telegram.org/bots/faq). */
  const people = new Set<string>();
  const calls: Call[] = [];
  /** Methods of the calls that were answered, and what waits for more. */
  const answered: string[] = [];
  const waiting = new Set<() => void>();
  const faults = new Map<string, Fault[]>();
  const lasting = new Map<string, Fault>();
  const chats = new Map<string, StandInMessage[]>();
  const polls = new Set<() => void>();
  const lookers = new Map<string, () => void>();
  let updates: { update_id: number }[] = [];
  let nextUpdate = 1_000;
  let nextMessage = 1;
  let touches = 0;
  let webhook: { readonly url: string; readonly secret_token: string } | null = null;

  const foreign = new Set<string>();
  function record(update: object): void {
    for (const [kind, event] of Object.entries(update)) {
      if (kind === 'callback_query') people.add(String(event.from.id));
      else if (event.chat !== undefined) {
        if (event.chat.id > 0) people.add(String(event.chat.id));
        foreign.add(`${event.chat.id}:${event.message_id}`);
      }
    }
  }

  function count(method: string): void {
    answered.push(method);
    for (const look of waiting) look();
  }

  const messagesOf = (chat: unknown) => {
    const known = chats.get(String(chat)) ?? [];
    chats.set(String(chat), known);
    return known;
  };
  const touch = (message: StandInMessage, chat: unknown) => {
    message.touched = ++touches;
    lookers.get(String(chat))?.();
  };
  const wire = (message: StandInMessage, chat: unknown) => ({
    ...messageFields(message),
    chat: chatFields(chat),
  });

  const methods: Record<string, (payload: Record<string, unknown>) => Answer> = {
    ...chatMethods((): TelegramChats => standIn),
    setWebhook(payload) {
      webhook = payload as unknown as NonNullable<typeof webhook>;
      return { result: true };
    },
    getWebhookInfo: () => ({
      result: { url: webhook?.url ?? '', has_custom_certificate: false, ...standIn.delivery },
    }),
    deleteWebhook() {
      webhook = null;
      return { result: true };
    },
    sendMessage(payload) {
      const content = contentOf(payload);
      if ('code' in content) return content;
      const reply = (payload['reply_parameters'] as { message_id: number } | undefined)?.message_id ?? null;
      const message: StandInMessage = {
        id: nextMessage++,
        ...content,
        replyTo: reply,
        isSilent: payload['disable_notification'] === true,
        touched: 0,
      };
      messagesOf(payload['chat_id']).push(message);
      touch(message, payload['chat_id']);
      return { result: wire(message, payload['chat_id']) };
    },
    editMessageText(payload) {
      const message = messagesOf(payload['chat_id']).find(({ id }) => id === payload['message_id']);
      if (message === undefined) return bad('message to edit not found');
      const content = contentOf(payload);
      if ('code' in content) return content;
      // An edit that changes nothing is still an answer, so watchers see the message.
      touch(message, payload['chat_id']);
      const { text, links, keyboard, buttons, preview } = message;
      if (JSON.stringify(content) === JSON.stringify({ text, links, keyboard, buttons, preview }))
        return bad(NOT_MODIFIED);
      Object.assign(message, content);
      return { result: wire(message, payload['chat_id']) };
    },
    editMessageReplyMarkup(payload) {
      const message = messagesOf(payload['chat_id']).find(({ id }) => id === payload['message_id']);
      if (message === undefined) return bad('message to edit not found');
      if (message.keyboard.length === 0) return bad(NOT_MODIFIED);
      Object.assign(message, { keyboard: [], buttons: [] });
      return { result: wire(message, payload['chat_id']) };
    },
    deleteMessage(payload) {
      const messages = messagesOf(payload['chat_id']);
      const index = messages.findIndex(({ id }) => id === payload['message_id']);
      if (foreign.delete(`${payload['chat_id']}:${payload['message_id']}`)) return { result: true };
      if (index < 0) return bad('message to delete not found');
      messages.splice(index, 1);
      return { result: true };
    },
    answerCallbackQuery: () => ({ result: true }),
  };

  function reply(response: ServerResponse, method: string, answer: Answer | Exclude<Fault, string>): void {
    const { code = 200, ...rest } = answer;
    const page = 'html' in answer ? answer.html : undefined;
    const told = code === 200 ? { ok: true, ...rest } : { ok: false, error_code: code, ...rest };
    const body = page ?? JSON.stringify(told);
    // As Telegram does: an answer in chunks can look cut off to node-fetch on a connection that is kept.
    const length = Buffer.byteLength(body);
    const type = page === undefined ? 'application/json' : 'text/html';
    response.writeHead(code, { 'content-type': type, 'content-length': length });
    response.end(body);
    response.once('close', () => count(method));
  }

  /** Held until there is something, or the time is over; ended by the response's close. */
  function giveUpdates(payload: Record<string, unknown>, response: ServerResponse): void {
    const offset = Number(payload['offset'] ?? 0);
    updates = updates.filter(({ update_id }) => update_id >= offset);
    const timer = setTimeout(() => finish(), Number(payload['timeout'] ?? 0) * 1_000);
    function finish(): void {
      clearTimeout(timer);
      polls.delete(look);
      if (!response.writableEnded && !response.destroyed)
        reply(response, 'getUpdates', { result: updates.slice(0, Number(payload['limit'] ?? 100)) });
    }
    function look(): void {
      if (updates.length > 0) finish();
    }
    polls.add(look);
    response.once('close', () => {
      clearTimeout(timer);
      polls.delete(look);
    });
    look();
  }

  function take({ method, payload }: Call, token: string, response: ServerResponse): void {
    calls.push({ method, payload });
    const fault = lasting.get(method) ?? faults.get(method)?.shift();
    const isDone = fault === undefined || fault === 'drop';
    if (fault === 'hang') response.once('close', () => count(method));
    else if (!isDone) reply(response, method, fault);
    else if (!token.endsWith(`:${SECRET}`))
      reply(response, method, { code: 401, description: 'Unauthorized' });
    else if (method === 'getUpdates' && fault === undefined) giveUpdates(payload, response);
    else {
      const answer = chatRefusal(standIn, people, { method, payload }) ??
        methods[method]?.(payload) ?? { code: 404, description: 'Not Found: method not found' };
      if (fault === undefined) reply(response, method, answer);
      else {
        response.destroy();
        count(method);
      }
    }
  }

  const server = createServer((request, response) => {
    let body = '';
    request.on('error', () => {});
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
      const payload = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
      take({ method, payload }, token, response);
    });
  });
  // As nginx; after Node's 5 s one in a thousand calls met the end of its connection.
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));

  const standIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    messages: (chat: number | string): readonly StandInMessage[] => messagesOf(chat),
    /** Resolves with the newest message of the chat that was sent or changed after the others seen by then (`touched`). */
    shown(chat: number | string, after: number): Promise<StandInMessage> {
      return new Promise((resolve) => {
        const look = () => {
          const newest = messagesOf(chat).findLast(({ touched }) => touched > after);
          if (newest === undefined) return;
          lookers.delete(String(chat));
          resolve(newest);
        };
        lookers.set(String(chat), look);
        look();
      });
    },
    fail(method: string, ...more: readonly Fault[]) {
      faults.set(method, [...(faults.get(method) ?? []), ...more]);
    },
    /** Every call of the method fails from now on; null ends that. */
    failAlways: (method: string, fault: Fault | null) =>
      void (fault === null ? lasting.delete(method) : lasting.set(method, fault)),
    /** Resolves when so many calls of the method were answered, those so far included. */
    answered(method: string, most = 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (answered.filter((known) => known === method).length < most) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      return promise;
    },
    /** Gives the bot an update when it polls, `times` times. Returns its id. */
    push(update: object, times = 1) {
      record(update);
      const id = nextUpdate++;
      for (let time = 0; time < times; time += 1) updates.push({ ...update, update_id: id });
      for (const look of polls) look();
      return id;
    },
    /** Brings an update to the webhook, at this port of this machine. The status of the answer. */
    async bring(update: object, port: number, secret = webhook?.secret_token ?? '') {
      record(update);
      const address = `http://127.0.0.1:${port}${new URL(webhook?.url ?? 'http://none/none').pathname}`;
      const response = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
        body: JSON.stringify({ update_id: nextUpdate++, ...update }),
      });
      return response.status;
    },
    members: new Map<number, { status: string; is_member?: boolean } | 'error'>(),
    chat: {} as StandInChat,
    delivery: { pending_update_count: 0 } as WebhookDelivery,
    bot: ALL_RIGHTS,
    readsGroups: false,
    unknownChats: new Set<string>(),
    described: { long: '', short: '' },
    /** These people have written to the bot: before, it cannot write to them. An update of theirs says so, too. */
    meet(...met: readonly (number | string)[]) {
      for (const person of met) people.add(String(person));
    },
    get webhook() {
      return webhook;
    },
    get openPolls() {
      return polls.size;
    },
    connections: () =>
      new Promise<number>((resolve) => server.getConnections((_error, connections) => resolve(connections))),
    async close() {
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
    },
  };
  return standIn;
}
