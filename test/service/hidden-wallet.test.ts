import { afterAll, expect, test, vi } from 'vitest';
import { onRunningService, type RunningService } from '../conformance/service.ts';
import { alertOf } from '../support/alerts.ts';
import { NOON } from '../support/archive.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { startTelegram, TELEGRAM_TOKEN, type TelegramStandIn } from '../support/chat/telegram-stand-in.ts';
import { letTimePass } from '../support/moving-date.ts';

const OPERATOR = 42;
const CHANNEL = '-1001234567890';
const WALLET = '0x1234567890abcdef1234567890abcdef12345678';
const PATIENCE = { timeout: 15_000, interval: 20 };

const platforms: TelegramStandIn[] = [];
afterAll(async () => void (await Promise.all(platforms.map((telegram) => telegram.close()))));

async function openTelegram(): Promise<Readonly<Record<string, string>>> {
  const telegram = await startTelegram();
  platforms.push(telegram);
  return {
    ROLES: 'api,bots',
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_CHANNEL_ID: CHANNEL,
    CHANNEL_DELAY_SECONDS: '0',
    ADMIN_IDS: `telegram:${OPERATOR}`,
  };
}

async function publish({ container, publish: add }: RunningService, eventTitle: string): Promise<number> {
  const last = await container.database.alerts.last();
  const id = (last?.id ?? 0) + 1;
  const at = { tradedAt: NOON, detectedAt: NOON, publishedAt: NOON, createdAt: NOON };
  await add(alertOf({ id, ...at, wallet: WALLET, eventTitle, marketId: `0xm${id}`, score: 90 }));
  return id;
}

/** The post of the market as the channel has it now, with its links. */
async function posted(eventTitle: string, holds: (words: string) => boolean): Promise<string> {
  return vi.waitFor(() => {
    const message = platforms
      .at(-1)
      ?.messages(CHANNEL)
      .find(({ text }) => text.includes(eventTitle));
    const words = `${message?.text} ${message?.links.map(({ url }) => url).join(' ')}`;
    if (!holds(words)) throw new Error(words);
    return words;
  }, PATIENCE);
}

onRunningService(
  'a wallet that the operator hides',
  (service) => {
    test('disappears from published and later posts; the API still names it, and unhide restores it', async () => {
      letTimePass(service().clock);
      const operator = createPolledPerson(platforms.at(-1) as TelegramStandIn, OPERATOR);
      // Posts begin with the bots, behind the alerts that were there before.
      await operator.command('/help');
      const id = await publish(service(), 'Posted before?');
      await posted('Posted before?', (words) => words.includes(WALLET) && words.includes('0x1234…5678'));

      await operator.command(`/hide ${WALLET.toUpperCase().replace('X', 'x')} asked for by its owner`);
      expect((await operator.tap('Hide')).text).toContain('is hidden. Statement 1. 1 post will be edited.');
      await publish(service(), 'Posted after?');

      for (const title of ['Posted before?', 'Posted after?']) {
        const words = await posted(title, (text) => text.includes('a hidden wallet'));
        expect(words).not.toMatch(/0x1234|5678/);
      }
      const key = await service().key('pro');
      expect((await service().call(`/alerts/${id}`, { key })).body).toMatchObject({ wallet_address: WALLET });

      await operator.command(`/unhide ${WALLET} no reason is left`);
      await operator.tap('Show it');
      for (const title of ['Posted before?', 'Posted after?'])
        await posted(title, (words) => words.includes(WALLET));
    });
  },
  openTelegram,
);
