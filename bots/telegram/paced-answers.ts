import type { Transformer } from 'grammy';
import type { Clock } from '../../src/core/base/time/clock.ts';
import { refusedWaitMs } from '../shared/chat-bot.ts';
import type { Pacer } from './pacer.ts';
import type { TelegramLink } from './telegram-link.ts';

interface PacedAnswersOptions {
  readonly link: TelegramLink;
  readonly pacer: Pacer;
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * For the calls that answer one update: each waits for its place in the order of the updates. A 429 is waited for and
 * keeps that place, however long it lasts, and so is a refused token: Telegram does not give the update again. Other failures
 * are retried as the link says, and every attempt is paced. Other calls than messages and edits wait only after a 429.
 */
export function pacedAnswers({ link, pacer, clock }: PacedAnswersOptions, order: number): Transformer {
  return async (prev, method, payload, signal) => {
    const isNew = method === 'sendMessage';
    const isMessage = isNew || method === 'editMessageText';
    const chat = String((payload as { readonly chat_id?: number | string }).chat_id ?? '');
    const ended =
      signal === undefined ? link.closing : AbortSignal.any([link.closing, signal as AbortSignal]);
    const waitForSlot = () => pacer.answer({ chat, order, isNew }, ended);

    for (let refusals = 0; ; refusals += 1) {
      // The first attempt waits here, outside the time limit of the retries.
      if (isMessage || refusals > 0) await waitForSlot();
      let attempts = 0;
      const attempt: typeof prev = async (...call) => {
        attempts += 1;
        if (isMessage && attempts > 1) await waitForSlot();
        return prev(...call);
      };
      const answer = await link.retryFailures(attempt, method, payload, signal);
      if (answer.ok || ended.aborted) return answer;
      if (answer.error_code === 401) await clock.sleep(refusedWaitMs(refusals + 1), ended);
      else if (answer.error_code === 429) pacer.refused(chat, (answer.parameters?.retry_after ?? 1) * 1_000);
      else return answer;
    }
  };
}
