import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { afterAll, expect, test, vi } from 'vitest';
import { sqliteFile } from '../../src/infra/database/database.ts';
import { createHandleMarks, secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { onRunningService, type RunningService } from '../conformance/service.ts';
import { alertOf } from '../support/alerts.ts';
import { NOON } from '../support/archive.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { startTelegram, TELEGRAM_TOKEN, type TelegramStandIn } from '../support/chat/telegram-stand-in.ts';
import { letTimePass } from '../support/moving-date.ts';

const OPERATOR = 42;
const CHANNEL = '-1001234567890';
const WALLET = '0x1234567890abcdef1234567890abcdef12345678';
const TELEGRAM_ID = 7_310_000_001;
const HOOK = 'https://127.0.0.1:1099/hook-of-ann';
/** Where the person is before the erasure. */
const TABLES = [
  'api_keys',
  'chat_messages',
  'chat_questions',
  'customers',
  'followers',
  'key_messages',
  'presets',
  'webhooks',
];

let telegram: TelegramStandIn;
const opened: TelegramStandIn[] = [];
afterAll(async () => void (await Promise.all(opened.map((one) => one.close()))));

async function openTelegram(): Promise<Readonly<Record<string, string>>> {
  telegram = await startTelegram();
  opened.push(telegram);
  return {
    ROLES: 'all',
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_CHANNEL_ID: CHANNEL,
    CHANNEL_DELAY_SECONDS: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
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
    const message = telegram.messages(CHANNEL).find(({ text }) => text.includes(eventTitle));
    const words = `${message?.text} ${message?.links.map(({ url }) => url).join(' ')}`;
    if (!holds(words)) throw new Error(words);
    return words;
  });
}

/** Requests, a preset, and a webhook with a delivery that fails. Returns what names the person. */
async function use(running: RunningService, key: string): Promise<readonly string[]> {
  const { call } = running;
  const post = async (path: string, body: object) => {
    const answer = await call(path, { key, method: 'POST', body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const preset = await post('/presets', { name: 'Markets of Ann', filters: { min_score: 70 } });
  await call(`/alerts?preset=${preset.id}`, { key });
  const webhook = await post('/webhooks', { url: HOOK });
  await publish(running, 'Delivered?');
  const log = () => call(`/webhooks/${webhook.id}/deliveries`, { key });
  await vi.waitFor(async () => expect(JSON.stringify((await log()).body)).toContain('duration_ms'));
  return [preset.id, webhook.secret, 'hook-of-ann', 'Markets of Ann'];
}

/** Fills the database. Returns texts that must be in no row after the erasure, and random ids, which may stay. */
async function fill(running: RunningService, ann: ReturnType<typeof createPolledPerson>) {
  const operator = createPolledPerson(telegram, OPERATOR);
  await ann.command('/key');
  const secret = /sk_live_[\w-]{43}/.exec((await ann.tap('Pro key, 30 days free')).text)?.[0] ?? '';
  const rows = await running.container.database.keys.list();
  const row = rows.find(({ lookup }) => secret.startsWith(`sk_live_${lookup}`));
  // Their messages to the person are sent before the end.
  await operator.command(`/tier ${row?.id} enterprise`);
  await operator.tap('Make it enterprise');
  await ann.reads('is enterprise now');
  const things = await use(running, secret);
  await ann.reads('just used for the first time');
  await ann.command('/follow words posted for ann');
  await ann.tap('Follow');
  await ann.tap('Name it');
  await ann.command('Rule of Ann');
  await publish(running, 'Posted for Ann?');
  await ann.reads('Your follow: Rule of Ann');
  await ann.command('/quiet');
  const traces = [String(TELEGRAM_ID), secret, String(row?.lookup), 'Rule of Ann', ...things];
  return { traces, ids: [String(row?.id), String(row?.customerId)] };
}

onRunningService(
  'an operator and a person on Telegram',
  (service) => {
    test('a wallet that they hide disappears from published and later posts; the API still names it, and “off” restores it', async () => {
      letTimePass(service().clock);
      const operator = createPolledPerson(telegram, OPERATOR);
      // Posts begin with the bots, behind the alerts that were there before.
      await operator.command('/help');
      const id = await publish(service(), 'Posted before?');
      await posted('Posted before?', (words) => words.includes(WALLET) && words.includes('0x1234…5678'));

      await operator.command(`/hide ${WALLET.toUpperCase().replace('X', 'x')} asked for by its owner`);
      expect((await operator.tap('Hide')).text).toContain('is hidden. 1 post will be edited.');
      await publish(service(), 'Posted after?');

      for (const title of ['Posted before?', 'Posted after?']) {
        const words = await posted(title, (text) => text.includes('a hidden wallet'));
        expect(words).not.toMatch(/0x1234|5678/);
      }
      const key = await service().key('pro');
      expect((await service().call(`/alerts/${id}`, { key })).body).toMatchObject({ wallet_address: WALLET });

      await operator.command(`/hide ${WALLET} off`);
      await operator.tap('Show it');
      for (const title of ['Posted before?', 'Posted after?'])
        await posted(title, (words) => words.includes(WALLET));
    });

    const rowsWith = async (texts: readonly string[]) => {
      const low = texts.map((text) => text.toLowerCase());
      const rows = await everyRow(service().databaseUrl);
      return rows.filter((row) => low.some((text) => row.toLowerCase().includes(text)));
    };
    const tablesWith = async (texts: readonly string[]) =>
      [...new Set((await rowsWith(texts)).map((row) => row.split(' ')[0]))].sort();

    test('a person who deletes their data is in no row of the whole database, though Telegram removes no message', async () => {
      letTimePass(service().clock);
      const ann = createPolledPerson(telegram, TELEGRAM_ID);
      telegram.failAlways('deleteMessage', { code: 400, description: "message can't be deleted" });
      const { traces, ids } = await fill(service(), ann);
      expect(await tablesWith(traces)).toEqual(TABLES);

      await ann.command('/delete');
      const answer = await ann.tap('Yes, delete everything');

      expect(answer.text).toContain('your data is gone.\n\n1 message with a key could not be removed');
      expect(await rowsWith(traces)).toEqual([]);
      expect(['audit', 'usage']).toEqual(expect.arrayContaining(await tablesWith(ids)));
      const markOf = createHandleMarks(service().container.database.secrets, secureRandom);
      const person = { platform: 'telegram', userId: String(TELEGRAM_ID) } as const;
      expect(await tablesWith([await markOf(person)])).toEqual(['past_trials']);
    });
  },
  openTelegram,
);

/** Every row of every table, or every document of every collection, as `table {…}`. */
async function everyRow(url: string): Promise<readonly string[]> {
  const file = sqliteFile(url);
  return file === null ? mongoRows(url) : sqliteRows(file);
}

function sqliteRows(file: string): readonly string[] {
  const reader = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = reader.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) =>
      reader
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => `${name} ${textOf(row)}`),
    );
  } finally {
    reader.close();
  }
}

async function mongoRows(url: string): Promise<readonly string[]> {
  const client = await MongoClient.connect(url);
  try {
    const database = client.db();
    const rows: string[] = [];
    for (const { name } of await database.listCollections().toArray())
      for (const document of await database.collection(name).find().toArray())
        rows.push(`${name} ${textOf(document)}`);
    return rows;
  } finally {
    await client.close();
  }
}

function textOf(row: object): string {
  return JSON.stringify(row, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}
