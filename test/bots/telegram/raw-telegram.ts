import { onTestFinished } from 'vitest';
import { startTelegram, TELEGRAM_TOKEN } from '../../support/chat/telegram-stand-in.ts';
import { START } from '../../support/rows.ts';

export const ANN = { id: 11 };
export const GROUP = -1001;

/** The Bot API as any HTTP client sees it. `clock.now` is the time of the platform. */
export async function openRawTelegram() {
  const clock = { now: START };
  const telegram = await startTelegram(() => clock.now);
  onTestFinished(() => telegram.close());
  telegram.meet(ANN.id);
  async function call(method: string, payload: object = {}) {
    const response = await fetch(`${telegram.url}/bot${TELEGRAM_TOKEN}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    const body = (await response.json()) as {
      ok: boolean;
      description?: string;
      result?: { message_id: number };
    };
    return { status: response.status, ...body };
  }
  const send = (more: object = {}) => call('sendMessage', { chat_id: ANN.id, text: 'hello', ...more });
  return { telegram, clock, call, send };
}

export const refused = (description: string) => ({
  ok: false,
  status: 400,
  description: `Bad Request: ${description}`,
});
