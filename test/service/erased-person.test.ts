import { afterAll, expect, test, vi } from 'vitest';
import { createHandleMarks, secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { onRunningService, type RunningService } from '../conformance/service.ts';
import { alertOf } from '../support/alerts.ts';
import { NOON } from '../support/archive.ts';
import { createDiscordPerson } from '../support/chat/discord-driver.ts';
import { createDiscordStandIn, type DiscordStandIn, TOKEN } from '../support/chat/discord-stand-in.ts';
import { dmOf, GUILD } from '../support/chat/discord-wire.ts';
import { createPolledPerson } from '../support/chat/polled-person.ts';
import { startTelegram, TELEGRAM_TOKEN, type TelegramStandIn } from '../support/chat/telegram-stand-in.ts';
import { everyRow } from '../support/every-row.ts';
import { letTimePass } from '../support/moving-date.ts';

const OPERATOR = 42;
const TELEGRAM_ID = 7_310_000_001;
const DISCORD = { id: '920000000000000001', name: 'ann.of.erasing' };
const HOOK = 'https://127.0.0.1:1099/hook-of-ann';
/** Where the person is before. */
const TABLES = [
  'api_keys',
  'chat_messages',
  'chat_questions',
  'handles',
  'idempotency',
  'key_messages',
  'presets',
  'webhooks',
];
const PATIENCE = { timeout: 15_000, interval: 20 };

interface Platforms {
  readonly telegram: TelegramStandIn;
  readonly discord: DiscordStandIn;
}

let platforms: Platforms;
const opened: Platforms[] = [];
afterAll(async () => {
  for (const { telegram, discord } of opened) await Promise.all([telegram.close(), discord.close()]);
});

async function openPlatforms(): Promise<Readonly<Record<string, string>>> {
  platforms = { telegram: await startTelegram(), discord: await createDiscordStandIn() };
  opened.push(platforms);
  return {
    ROLES: 'api,deliver,bots',
    TELEGRAM_BOT_TOKEN: TELEGRAM_TOKEN,
    TELEGRAM_API_ROOT: platforms.telegram.url,
    DISCORD_TOKEN: TOKEN,
    DISCORD_API_ROOT: platforms.discord.api,
    DISCORD_GUILD_ID: GUILD,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ADMIN_IDS: `telegram:${OPERATOR}`,
  };
}

async function people() {
  const { telegram, discord } = platforms;
  discord.members.set(DISCORD.id, 'member');
  await vi.waitFor(() => expect(discord.commands.guild).not.toEqual([]), PATIENCE);
  return {
    ann: createPolledPerson(telegram, TELEGRAM_ID),
    annElsewhere: createDiscordPerson(discord, DISCORD, 'guild'),
    operator: createPolledPerson(telegram, OPERATOR),
  };
}

type People = Awaited<ReturnType<typeof people>>;

/** Keys on both platforms, and the two linked. Returns what names the person. */
async function getKeysAndLink({ ann, annElsewhere }: People): Promise<readonly string[]> {
  await ann.command('/key');
  const first = secretIn((await ann.tap('Pro key, 30 days free')).text);
  await annElsewhere.command('key');
  const second = secretIn((await annElsewhere.tap('Free key')).text);
  await ann.command('/link');
  const code = /Your code: (\S+)/.exec((await ann.tap('Give me a code')).text)?.[1] ?? '';
  await annElsewhere.command('link', code);
  expect((await annElsewhere.tap('Yes, it is mine')).text).toContain('Linked.');
  return [first, second, code];
}

function secretIn(text: string): string {
  const secret = /sk_live_[\w-]{43}/.exec(text)?.[0];
  if (secret === undefined) throw new Error(`no key in: ${text}`);
  return secret;
}

/** Requests, a preset, and a webhook with a delivery that fails. Returns what names the person. */
async function use({ call, publish }: RunningService, key: string): Promise<readonly string[]> {
  const post = async (path: string, body: object) => {
    const headers = { 'idempotency-key': `ann-${path.slice(1)}` };
    const answer = await call(path, { key, method: 'POST', headers, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const preset = await post('/presets', { name: 'Markets of Ann', filters: { min_score: 70 } });
  await call(`/alerts?preset=${preset.id}`, { key });
  const webhook = await post('/webhooks', { url: HOOK });
  await publish(
    alertOf({ id: 9_001, score: 95, tradedAt: NOON, detectedAt: NOON, publishedAt: NOON, createdAt: NOON }),
  );
  const log = () => call(`/webhooks/${webhook.id}/deliveries`, { key });
  await vi.waitFor(async () => expect(JSON.stringify((await log()).body)).toContain('duration_ms'), PATIENCE);
  return [preset.id, webhook.secret, 'hook-of-ann', 'Markets of Ann', 'ann-presets', 'ann-webhooks'];
}

/** Acts of an operator that name the person. Their messages to the person are sent before the end. */
async function operate({ ann, operator }: People, keyId: string): Promise<void> {
  await operator.command(`/tier ${keyId} enterprise`);
  await operator.tap('Make it enterprise');
  for (const name of [`person${TELEGRAM_ID}`, DISCORD.name]) await operator.command(`/extend @${name} 5`);
  await ann.reads('is enterprise now');
}

/** Fills the database. Returns texts that must be in no row after the erasure, and random ids, which may stay. */
async function fill(running: RunningService, all: People) {
  const { keys } = running.container.database;
  const secrets = await getKeysAndLink(all);
  const rows = await keys.list();
  await operate(all, rows.find(({ tier }) => tier === 'pro')?.id ?? '');
  const things = await use(running, secrets[0] ?? '');
  await all.ann.reads('first call just now');
  await all.ann.command('/link');
  const chats = [String(TELEGRAM_ID), DISCORD.id, dmOf(DISCORD.id)];
  const traces = [...chats, DISCORD.name, ...secrets, ...rows.map(({ lookup }) => lookup), ...things];
  return { traces, ids: [...rows.map(({ id }) => id), String(rows[0]?.customerId)] };
}

onRunningService(
  'a person of both bots who deletes their data',
  (service) => {
    const rowsWith = async (texts: readonly string[]) => {
      const low = texts.map((text) => text.toLowerCase());
      const rows = await everyRow(service().databaseUrl);
      return rows.filter((row) => low.some((text) => row.toLowerCase().includes(text)));
    };
    const tablesWith = async (texts: readonly string[]) =>
      [...new Set((await rowsWith(texts)).map((row) => row.split(' ')[0]))].sort();

    test('is in no row of the whole database, though Telegram removes no message', async () => {
      letTimePass(service().clock);
      const all = await people();
      platforms.telegram.failAlways('deleteMessage', { code: 400, description: "message can't be deleted" });
      const { traces, ids } = await fill(service(), all);
      expect(await tablesWith(traces)).toEqual(TABLES);

      await all.ann.command('/delete');
      const answer = await all.ann.tap('Yes, delete everything');

      expect(answer.text).toContain('your data is gone.\n\n1 message with a key could not be removed');
      expect(await rowsWith(traces)).toEqual([]);
      expect(['audit', 'usage']).toEqual(expect.arrayContaining(await tablesWith(ids)));
      const markOf = createHandleMarks(service().container.database.secrets, secureRandom);
      const person = { platform: 'telegram', userId: String(TELEGRAM_ID) } as const;
      expect(await tablesWith([await markOf(person)])).toEqual(['past_trials']);
    });
  },
  openPlatforms,
);
