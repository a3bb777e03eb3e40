import { setTimeout as sleep } from 'node:timers/promises';
import { TelegramLimits } from '../../../test/support/chat/telegram-limits.ts';
import { privateText } from '../../../test/support/chat/telegram-person.ts';
import { startTelegram } from '../../../test/support/chat/telegram-stand-in.ts';
import { serve } from '../remote.ts';
import { askForKey } from './people.ts';

const WITHIN_MS = 1_000;
const PATIENCE_MS = 60_000;
const LOOK_MS = 10;

const telegram = await startTelegram();
const limits = new TelegramLimits(() => performance.now());
telegram.limits = limits;

const functions = {
  url: () => telegram.url,
  /** So many users, with ids from `first`, write `/start` within a second. Resolves when all are answered, or after a minute. */
  async start(first: number, count: number) {
    const people = Array.from({ length: count }, (_, index) => first + index);
    const [callsBefore, refusalsBefore] = [telegram.calls.length, limits.refusals];
    const startedAt = performance.now();
    for (const [index, id] of people.entries()) {
      await sleep(Math.max(0, startedAt + (index * WITHIN_MS) / count - performance.now()));
      telegram.push(privateText({ id, username: `person${id}` }, '/start'));
    }
    const answered = () => people.filter((id) => telegram.messages(id).length > 0).length;
    while (answered() < count && performance.now() < startedAt + PATIENCE_MS) await sleep(LOOK_MS);
    const calls = telegram.calls.slice(callsBefore).filter(({ method }) => method === 'sendMessage');
    const order = calls.map(({ payload }) => Number(payload['chat_id']) - first);
    return {
      answered: answered(),
      seconds: (performance.now() - startedAt) / 1_000,
      displaced: Math.max(...order.map((written, index) => Math.abs(written - index))),
      refusals: limits.refusals - refusalsBefore,
    };
  },
  /** So many users ask for a key at the same time. Resolves when all have one. */
  async keys(first: number, count: number) {
    const refusalsBefore = limits.refusals;
    const startedAt = performance.now();
    const asked = Array.from({ length: count }, (_, index) => askForKey(telegram, first + index));
    const keys = new Set(await Promise.all(asked)).size;
    const seconds = (performance.now() - startedAt) / 1_000;
    return { keys, seconds, refusals: limits.refusals - refusalsBefore };
  },
};

/** Telegram with its limits, and its users, in a process of their own. */
export type BenchTelegram = typeof functions;

serve(functions);
