import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { consoleCommands } from '../bots/admin/commands/table.ts';
import { toMessage } from '../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../bots/shared/screen.ts';
import { toKeyboard, toParts } from '../bots/telegram/render.ts';
import { openConsole, TerminalChat } from '../bots/terminal/terminal-chat.ts';
import type { Alert } from '../src/core/alerts/alert.ts';
import { HOUR_MS } from '../src/core/base/time/duration.ts';
import { DEFAULT_RULES } from '../src/core/detection/rules.ts';
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

function buttonsOf({ buttons }: Screen): readonly string[] {
  const rows = buttons.map((row) => row.map(({ label }) => `[ ${label} ]`).join(' '));
  return rows.length === 0 ? [] : ['', ...rows];
}

function steady(text: string): string {
  return text
    .replaceAll(/sk_live_[\w-]{43}/g, `sk_live_${'Example0'.repeat(5)}Key`)
    .replaceAll(/sk_live_[\w-]{10}(?![\w-])/g, 'sk_live_Example0Ex');
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\`\n`;
}

const FIXTURE = 'test/fixtures/midterms-alerts.json';
const SCRIPT = `/start|Follow alerts|politics|Follow|Set my time zone|Berlin|/follow politix|/follow tech min:80 words fed rate
/mute #1 24h|/follows|/key|Pro key, 30 days free|Done, hide it|My keys|Key 1|Replace|hello|/help|/upgrade|/privacy`;
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
      ...(await posts(alerts)),
      ...(await personal(alerts)),
      ...operator(),
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
    const report = await recordAt(until, database, rules);
    await database.records.put({ at: until, report });
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

async function posts(alerts: readonly Alert[]): Promise<string[]> {
  const [settled] = alerts as [Alert];
  const open = { ...settled, resolution: null };
  const onTelegram = await presented('alert', postFacts(open), [open]);
  const onDiscord = await presented('alert', postFacts(open), [open], { channel: 'discord' });
  const digest = await presented('daily_digest', digestOf(alerts), alerts);
  return [
    '## Posts in the channels\n',
    'A real alert of the tape in this repository. As Telegram gets it:\n',
    fenced('html', inTelegram(onTelegram)),
    'As Discord gets it:\n',
    fenced('markdown', inDiscord(onDiscord)),
    'The digest of a day (made of three alerts, of which two were not posted):\n',
    fenced('text', plainText(digest)),
  ];
}

async function personal(alerts: readonly Alert[]): Promise<string[]> {
  const { alert, brief, exit, result } = await personalScreens(alerts);
  return [
    '## Messages about what you follow\n',
    'An alert, as Telegram gets it:\n',
    fenced('html', inTelegram(alert)),
    'When the same wallet or market came up in the last 24 hours, it is one line:\n',
    fenced('html', inTelegram(brief)),
    'A sale, as an answer to the alert, without a sound:\n',
    fenced('html', inTelegram(exit)),
    'The result, as another answer:\n',
    fenced('html', inTelegram(result)),
  ];
}

function operator(): string[] {
  const rows = consoleCommands().map(
    ({ usage, description }) => `| \`${usage.replaceAll('|', '\\|')}\` | ${description} |`,
  );
  return ['## The operator\n', '| command | what it does |', '|---|---|', ...rows];
}

if (import.meta.main) {
  await writeBlock('docs/bots.md', 'newcomer', await shownToNewcomer());
  await writeBlock('docs/bots.md', 'shown', `\n${await shownInChat()}`);
}
