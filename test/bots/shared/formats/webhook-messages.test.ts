import { parse as parseMarkdown } from 'discord-markdown-parser';
import { NodeType, parse as parseMrkdwn } from 'slack-message-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebhookMessages } from '../../../../bots/shared/formats/webhook-messages.ts';
import type { Alert } from '../../../../src/core/alerts/alert.ts';
import type { Exit } from '../../../../src/core/alerts/exits/exit.ts';
import { resolutionOf } from '../../../../src/core/alerts/settlement.ts';
import type { SettledAlerts } from '../../../../src/core/alerts/settlements/settlement-reader.ts';
import type { MessageFormat, WriteMessage } from '../../../../src/core/delivery/webhooks/webhook-format.ts';
import { makeSender, messageTo, NAME, useAuthority } from '../../../infra/outgoing/sender-fixture.ts';
import { alertOf, exitOf } from '../../../support/alerts.ts';
import { HOOK_PATHS, startServiceStandIns } from '../../../support/receivers/service-stand-ins.ts';
import { START } from '../../../support/rows.ts';

const FORMATS = ['discord', 'slack', 'ntfy'] as const;
const SITE = 'https://tipoff.example.com';
const ID = '123456789012345678';
const HOSTILE_TITLES = {
  'mentions people at Discord': `@everyone @here <@${ID}> <@!${ID}> <@&${ID}> <#${ID}>`,
  'has what Discord runs and shows': `</cmd:${ID}> <t:1700000000:R> <:e:${ID}> [a](https://evil.example) # b`,
  'mentions people at Slack':
    '<!channel> <!here|x> <@U012> <#C012> <!subteam^S012> <https://evil.example|click>',
  'has markup': '**b** __u__ _c_ *d* `e` ~f~ ~~g~~ ||h|| > q \\ &lt;!channel&gt;',
  'has line ends, controls and turned text': 'a\r\n# b\n> c\n- d\u0000\u001b[2J\u202e\u2066\u2028\u0085e',
  'is an address': 'https://evil.example/a',
  'has half a character': 'a\ud83c b',
  'is very long': '🏛'.repeat(20_000),
};

const given = useAuthority();
const sender = makeSender();
let services: Awaited<ReturnType<typeof startServiceStandIns>>;
beforeAll(async () => {
  services = await startServiceStandIns(given.certificate);
});
afterAll(() => services.close());

function messages(
  alerts: readonly Alert[],
  change: { hidden?: readonly string[]; freeDelayMs?: number; exits?: readonly Exit[] } = {},
) {
  const { hidden = [], freeDelayMs = 0, exits = [] } = change;
  return new WebhookMessages({
    alerts: { byId: async (id) => alerts.find((alert) => alert.id === id) ?? null },
    exits: { ofList: async () => new Map(exits.map((exit) => [exit.alertIds.at(-1) ?? 0, exit])) },
    hiddenWallets: { list: async () => hidden.map((wallet) => ({ wallet, reason: null, at: 0 })) },
    pagesUrl: SITE,
    freeDelayMs,
  });
}

function settled(alerts: readonly Alert[], change: Partial<SettledAlerts['settlement']> = {}): SettledAlerts {
  const settlement = {
    ...{ number: 1, kind: 'outcome', marketId: '0xm1', at: START + 9e6, log: alerts[0]?.log as never },
    ...{ outcomes: ['Yes', 'No'], payouts: [1, 0], ...change },
  } as SettledAlerts['settlement'];
  const resolved = alerts.map((alert) => ({ ...alert, resolution: resolutionOf(alert, settlement) }));
  return { settlement, alerts: resolved, hasMore: false };
}

/** Posts a message as the engine does, and gives what the service got and how the delivery ended. */
async function post(write: WriteMessage | null, format: MessageFormat) {
  if (write === null) throw new Error('nothing to say');
  const address = `https://${NAME}:${services.port}${HOOK_PATHS[format]}`;
  const result = await sender.send({ ...messageTo(services), ...write({ url: address, format }), format });
  const { body, answer } = services.received(format).at(-1) ?? { body: '{}', answer: null };
  expect([result.error, answer]).toMatchObject([null, { status: 200 }]);
  return JSON.parse(body);
}

async function textsOf(write: WriteMessage | null) {
  const [discord, slack, ntfy] = await Promise.all(FORMATS.map((format) => post(write, format)));
  return { discord: discord.content, slack: slack.text, ntfy };
}

describe('what people read at each service', () => {
  const alert = alertOf({ id: 1 });

  test('is an alert: its strength and trade, the market, the reasons and the wallet', async () => {
    const { discord, slack, ntfy } = await textsOf(await messages([alert]).ofAlert(alert));
    expect(discord).toBe(
      [
        '**72 · $2,000 on Yes at 40¢ to win $3,000**',
        '[Will the measure pass?](<https://polymarket.com/event/will-the-measure-pass>)',
        'Wallet [0x0000…00aa](<https://polymarket.com/profile/0x00000000000000000000000000000000000000aa>), 1 day old',
        '',
        `[Page](<${SITE}/alerts/1>)`,
      ].join('\n'),
    );
    expect(slack).toContain('*72 · $2,000 on Yes at 40¢ to win $3,000*\n<https://polymarket.com/event/');
    expect(ntfy).toMatchObject({ topic: 'my-topic', tags: ['alert'], click: `${SITE}/alerts/1` });
    expect(ntfy.title).toBe('72 · $2,000 on Yes at 40¢ to win $3,000');
  });

  test('is an exit, which makes no sound', async () => {
    const exit = exitOf({ number: 1, alertIds: [1] });
    const { discord, slack, ntfy } = await textsOf(await messages([alert]).ofExit(exit));
    for (const text of [discord, slack, ntfy.title])
      expect(text).toContain('Sold 60% at 71¢ after 3 h: +$7,680');
    expect(ntfy).toMatchObject({ tags: ['exit'], priority: 2 });
    expect(await messages([]).ofExit(exit)).toBeNull();
  });

  test('is an outcome: how the market ended, and what each of its alerts came to, the strongest first', async () => {
    const sale = alertOf({ id: 2, side: 'SELL', score: 80 });
    const { discord, slack, ntfy } = await textsOf(await messages([]).ofOutcome(settled([alert, sale])));
    expect(discord).toBe(
      [
        '**Settled: Yes**',
        '[Will the measure pass?](<https://polymarket.com/event/will-the-measure-pass>)',
        '',
        '❌ lost $3,000 · 80 · sold Yes at 40¢ for $2,000',
        '✅ won $3,000 · 72 · $2,000 on Yes at 40¢ to win $3,000',
        '',
        `[Page](<${SITE}/alerts/1>)`,
      ].join('\n'),
    );
    expect(slack).toContain('*Settled: Yes*\n');
    expect(ntfy).toMatchObject({ title: 'Settled: Yes', tags: ['outcome'], priority: 2 });
    const many = settled(
      Array.from({ length: 13 }, (_, index) => alertOf({ id: index + 1 })),
      { kind: 'correction', payouts: [0.5, 0.5] },
    );
    const texts = await textsOf(await messages([]).ofOutcome({ ...many, hasMore: true }));
    expect(texts.discord).toContain('**Corrected: Yes 50¢, No 50¢**');
    expect(texts.discord).toContain('\n… and more than 3 more\n');
    expect(await messages([]).ofOutcome(settled([]))).toBeNull();
  });

  test('names no hidden wallet, and links to a page only where it was there when the event was published', async () => {
    const hidden = messages([alert], { hidden: [alert.wallet], freeDelayMs: 60_000 });
    const { discord, ntfy } = await textsOf(await hidden.ofAlert(alert));
    expect(discord).toContain('A hidden wallet, 1 day old');
    expect(JSON.stringify(ntfy)).not.toContain(alert.wallet);
    expect(discord).not.toContain(SITE);
    const later = exitOf({ number: 1, alertIds: [1], createdAt: alert.createdAt + 60_000 });
    expect((await textsOf(await hidden.ofExit(later))).discord).toContain(`${SITE}/alerts/1`);
  });
});

test.each(Object.entries(HOSTILE_TITLES))(
  'a market whose title %s mentions nobody, hides no link behind words and is taken by every service',
  async (_, title) => {
    const hostile = { eventTitle: title, outcome: title, eventSlug: `a)b>|c \ud83c${'é'.repeat(60)}` };
    const alert = alertOf({ id: 1, ...hostile });
    const { ofAlert, ofExit, ofOutcome } = messages([alert]);
    const written = [
      await ofAlert(alert),
      await ofExit(exitOf({ number: 1, alertIds: [1], ...hostile })),
      await ofOutcome(settled([alert], { outcomes: [title, 'No'] })),
    ];
    for (const { discord, slack, ntfy } of await Promise.all(written.map(textsOf))) {
      for (const text of [discord, slack, ntfy.title, ntfy.message])
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]|🏛\ufffd/u);
      const inDiscord = nodesOf(parseMarkdown(discord, 'extended'));
      expect(inDiscord.map(({ type }) => type).filter((type) => !HARMLESS.has(type))).toEqual([]);
      const inSlack = slackNodes(parseMrkdwn(slack));
      expect(inSlack.filter(({ type }) => CALLS.has(type))).toEqual([]);
      const worded = [
        ...inDiscord.flatMap(({ type, target = '' }) => (type === 'link' ? [target] : [])),
        ...inSlack.flatMap(({ label, url = '' }) => (label === undefined ? [] : [url])),
        ntfy.click,
      ];
      expect(worded.length).toBeGreaterThanOrEqual(3);
      expect(
        worded.filter((url) => !/^https:\/\/(?:tipoff\.example\.com|polymarket\.com)\//.test(url)),
      ).toEqual([]);
    }
  },
);

const HARMLESS = new Set(['text', 'strong', 'link', 'autolink', 'br', 'newline', 'twemoji', 'escape']);
const CALLS: ReadonlySet<NodeType> = new Set([NodeType.UserLink, NodeType.ChannelLink, NodeType.Command]);

interface AnyNode {
  readonly type: string;
  readonly target?: string;
  readonly content?: unknown;
}

function nodesOf(tree: readonly unknown[]): AnyNode[] {
  return (tree as readonly AnyNode[]).flatMap((node) => [
    node,
    ...(Array.isArray(node.content) ? nodesOf(node.content) : []),
  ]);
}

interface SlackNode {
  readonly type: NodeType;
  readonly url?: string;
  readonly children?: readonly SlackNode[];
  readonly label?: readonly SlackNode[];
}

function slackNodes(node: SlackNode): SlackNode[] {
  return [node, ...[...(node.children ?? []), ...(node.label ?? [])].flatMap(slackNodes)];
}
