import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { consoleCommands } from '../bots/admin/commands/table.ts';
import { whyCommand } from '../bots/admin/commands/why.ts';
import type { ConsoleDeps } from '../bots/admin/console-deps.ts';
import { toMessage } from '../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../bots/shared/screen.ts';
import { toKeyboard, toParts } from '../bots/telegram/render.ts';
import { openConsole, TerminalChat } from '../bots/terminal/terminal-chat.ts';
import type { Alert } from '../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/core/base/time/duration.ts';
import { blindSentence } from '../src/core/chat/alarms/worker-alarms.ts';
import { DEFAULT_RULES } from '../src/core/detection/rules.ts';
import { RECORD } from '../src/core/record/record-store.ts';
import { MIDTERMS_TAPE } from '../src/infra/process/program.ts';
import { recordAt, runTape } from '../src/wiring/tape-record.ts';
import {
  digestOf,
  headOf,
  personalScreens,
  postFacts,
  presented,
} from '../test/bots/posts/example-screens.ts';
import {
  type ConversationFixture,
  openConversationFixture,
} from '../test/support/chat/conversation-fixture.ts';
import { writeBlock } from './page-block.ts';

function pictureOf({ preview }: Screen): readonly string[] {
  return preview === null ? [] : [`[ picture of the alert: ${preview.picture} ]`, ''];
}

function inTelegram(screen: Screen): string {
  const html = toParts(screen.body).map((part) => part.html);
  const rows = toKeyboard(screen).map((row) => row.map(({ text }) => `[ ${text} ]`).join(' '));
  return [...pictureOf(screen), ...html, ...(rows.length === 0 ? [] : ['', ...rows])].join('\n');
}

function inDiscord(screen: Screen): string {
  return [toMessage(screen).content, ...pictureOf(screen).toReversed(), ...buttonsOf(screen)].join('\n');
}

function withButtons(screen: Screen): string {
  return [plainText(screen), ...buttonsOf(screen)].join('\n');
}

function buttonsOf({ buttons }: Screen): readonly string[] {
  const rows = buttons.map((row) => row.map(({ label }) => `[ ${label} ]`).join(' '));
  return rows.length === 0 ? [] : ['', ...rows];
}

function steady(text: string): string {
  return text
    .replaceAll(/sk_live_[\w-]{43}/g, `sk_live_${'Example0'.repeat(5)}Key`)
    .replaceAll(/sk_live_[\w-]{10}(?![\w-])/g, 'sk_live_Example0Ex')
    .replaceAll(/\b[A-Z2-9]{4}-?[A-Z2-9]{4}\b/g, 'EXAM-PLE2');
}

function firstLines(text: string, count: number): string {
  return [...text.split('\n').slice(0, count), '…'].join('\n');
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\`\n`;
}

const FIXTURE = 'test/fixtures/midterms-alerts.json';
const SCRIPT = `/start|Follow alerts|politics|Follow|Set my time zone|Berlin|/follow politix|/follow tech min:80 words fed rate
/mute #1 24h|/follows|/key|Pro key, 30 days free|Done, hide it|My keys|Key 1|Replace|/link|/cancel|hello|/help|/upgrade|/privacy`;
const NEWCOMER = '/start|Follow alerts|politics|Follow';
const VISITOR = { platform: 'terminal', userId: 'ann', name: 'ann', chat: 'ann' } as const;

export async function shownInChat(): Promise<string> {
  const fixture = await openConversationFixture();
  try {
    await fixture.addAlerts();
    const stored = JSON.parse(await readFile(FIXTURE, 'utf8')) as Alert[];
    const alerts = stored.map((alert) => ({ ...alert, log: headOf(alert.id + 40) }));
    return [
      '## Follows and a key on the keyboard\n',
      fenced('text', steady(await transcript(fixture, SCRIPT))),
      ...(await onPlatforms(fixture)),
      ...(await posts(alerts)),
      ...(await personal(alerts)),
      ...(await notes(alerts)),
      ...(await operator(alerts)),
      '',
    ].join('\n');
  } finally {
    await fixture.close();
  }
}

/** What a newcomer types and reads an hour after the end of the tape in this repository. */
export async function shownToNewcomer(): Promise<string> {
  const fixture = await openConversationFixture();
  try {
    const { database, clock } = fixture;
    const rules = DEFAULT_RULES;
    const { until } = await runTape({ database, file: MIDTERMS_TAPE, rules });
    const text = await recordAt(until, database, rules);
    await database.records.put({ name: RECORD, at: until, text });
    await clock.jump(until + HOUR_MS - clock.now());
    return fenced('text', await transcript(fixture, NEWCOMER));
  } finally {
    await fixture.close();
  }
}

async function transcript(fixture: ConversationFixture, script: string): Promise<string> {
  const [keyboard, paper] = [new PassThrough(), new PassThrough()];
  let written = '';
  paper.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const console = openConsole({ input: keyboard, output: paper });
  keyboard.end(`${script.replaceAll('|', '\n')}\n`);
  const conversation = fixture.makeConversation('terminal');
  const style = (_: string, text: string) => text;
  await new TerminalChat({ conversation, visitor: VISITOR, console, style, width: 100 }).run();
  return written;
}

async function onPlatforms(fixture: ConversationFixture): Promise<string[]> {
  const conversation = fixture.makeConversation('telegram');
  const bob = { ...VISITOR, platform: 'telegram', userId: '7', name: 'bob', chat: '7' } as const;
  const offer = await conversation.move(bob, { kind: 'command', name: 'key', argument: '' });
  const [pro] = offer.buttons.flat();
  if (pro === undefined || !('action' in pro)) throw new Error('no button gives a key');
  const key = await conversation.move(bob, { kind: 'tap', action: pro.action });
  return [
    '## The same in Telegram and Discord\n',
    'Telegram gets HTML and an inline keyboard. The message with the key has a button that copies it, and is deleted after 10 minutes:\n',
    fenced('html', steady(inTelegram(key))),
    'Discord gets the same as Markdown, in an answer that only this user sees.\n',
  ];
}

async function posts(alerts: readonly Alert[]): Promise<string[]> {
  const [won, lost] = alerts as [Alert, Alert];
  const open = { ...won, resolution: null };
  const fresh = await presented('alert', postFacts(open), [open]);
  const onDiscord = await presented('alert', postFacts(open), [open], { channel: 'discord' });
  const result = await presented('alert', postFacts(won), [won]);
  const hidden = await presented('alert', postFacts(open), [open], { hiddenWallets: [open.wallet] });
  const missed = await presented('alert', postFacts(lost), [lost]);
  const updated = await presented('alert_update', { ...postFacts(open), isUpdated: true }, [open]);
  const digest = await presented('daily_digest', digestOf(alerts), alerts);
  return [
    '## Posts in the channels\n',
    'Real alerts of the tape in this repository. As Telegram gets one:\n',
    fenced('html', inTelegram(fresh)),
    'As Discord gets it:\n',
    fenced('markdown', inDiscord(onDiscord)),
    'A newer alert of the same position is not posted separately; the existing post is edited and begins:\n',
    fenced('text', firstLines(plainText(updated), 4)),
    'The same post after the market was settled, and one whose alert was wrong:\n',
    fenced('text', firstLines(plainText(result), 4)),
    fenced('text', firstLines(plainText(missed), 4)),
    'The end of a post while the operator hides the wallet:\n',
    fenced('text', plainText(hidden).split('\n').slice(-3).join('\n')),
    'The digest of a day (made of these three alerts, of which two were not posted):\n',
    fenced('text', plainText(digest)),
  ];
}

async function personal(alerts: readonly Alert[]): Promise<string[]> {
  const screens = await personalScreens(alerts);
  const show = (words: string, screen: Screen) => [`${words}:\n`, fenced('text', withButtons(screen))];
  return [
    '## Messages about what you follow\n',
    'An alert, as Telegram gets it:\n',
    fenced('html', inTelegram(screens.alert)),
    ...show('One of a cluster', screens.cluster),
    ...show('When the same wallet or market came up in the last 24 hours, it is one line', screens.brief),
    ...show('A sale, as an answer to the alert, without a sound', screens.exit),
    ...show('The result, as another answer', screens.result),
    'The alert itself then has the sign of its result before it, and nothing else of it changes:\n',
    fenced('text', firstLines(plainText(screens.marked), 1)),
    ...show('What had no place in the day, at 19:00', screens.list),
    ...show('A week in which there was nothing', screens.week),
  ];
}

async function notes(alerts: readonly Alert[]): Promise<string[]> {
  const now = hourOf(alerts[0] as Alert);
  const endsAt = now + 3 * DAY_MS;
  const leak = { keyId: 'key_a', name: 'Key 1', place: 'the Telegram channel' };
  const paused = ['politics, score 80 or more', 'wallet 0x1234…5678'];
  const screens = await Promise.all([
    presented('key_first_used', { keyId: 'key_a', name: 'Key 1' }, alerts),
    presented('trial_reminder', { endsAt }, alerts),
    presented('trial_ended', { endsAt, follows: { count: 12, limit: 10, paused } }, alerts),
    presented('key_leaked', { ...leak, isDeleted: false }, alerts),
    presented(
      'webhook_failing',
      { webhookId: 'wh_a', url: 'https://example.com/hook', failures: 20 },
      alerts,
    ),
  ]);
  const alarm = {
    alarm: 'feed_blind',
    sentence: blindSentence('silent'),
    since: now - HOUR_MS,
    until: null,
  } as const;
  const alarms = await Promise.all([
    presented('operator_alarm', alarm, alerts),
    presented('operator_alarm', { ...alarm, until: now - 12 * MINUTE_MS }, alerts),
  ]);
  return [
    '## Messages sent automatically\n',
    ...screens.map((screen) => fenced('text', withButtons(screen))),
    'An alarm, and its end, as every operator gets them:\n',
    ...alarms.map((screen) => fenced('text', withButtons(screen))),
  ];
}

async function operator([alert]: readonly Alert[]): Promise<string[]> {
  const rows = consoleCommands().map(
    ({ usage, description }) => `| \`${usage.replaceAll('|', '\\|')}\` | ${description} |`,
  );
  const deps = {
    alerts: { byId: async () => alert ?? null },
    database: {
      chat: { postsOf: async () => [] },
      exits: { ofThreads: async () => [] },
      hiddenWallets: { list: async () => [] },
    },
  };
  const why = await whyCommand.run(String(alert?.id), deps as unknown as ConsoleDeps, 'telegram:1');
  if (!('body' in why)) throw new Error('why shows nothing');
  return [
    '## The operator\n',
    ['| command | what it does |', '|---|---|', ...rows, ''].join('\n'),
    `\`why ${alert?.id}\`:\n`,
    fenced('text', plainText(why)),
  ];
}

function hourOf({ createdAt }: Alert): number {
  return createdAt - (createdAt % HOUR_MS);
}

if (import.meta.main) {
  await writeBlock('docs/bots.md', 'newcomer', await shownToNewcomer());
  await writeBlock('docs/bots.md', 'shown', `\n${await shownInChat()}`);
}
