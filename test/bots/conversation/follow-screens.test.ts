import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toMessage, toScreens } from '../../../bots/discord/screen-message.ts';
import { plainText, type Screen } from '../../../bots/shared/screen.ts';
import { toKeyboard, toParts } from '../../../bots/telegram/render.ts';
import { screenText } from '../../../bots/terminal/screen-text.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import type { Follow, FollowSubject } from '../../../src/core/follow/follower.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { alertOf } from '../../support/alerts.ts';
import { type ConversationVisit, openConversationVisit } from '../../support/chat/conversation-visit.ts';
import { problemOf } from '../../support/chat/discord-rules.ts';
import { contentOf } from '../../support/chat/telegram-wire.ts';
import { followerOf, followOf, walletOf } from '../../support/followers.ts';
import { storeAlerts } from '../../support/stored.ts';
import { getKey } from './key-tap.ts';

/** Characters that one of the platforms escapes, and one of two UTF-16 units. */
const HOSTILE = '<&">*_`|~[]()\\#@everyone\u202e🏛 ';
const longest = (length: number) => HOSTILE.repeat(length).slice(0, length);
const TITLE = longest(600);
const FILTER = {
  categories: CATEGORIES,
  minScore: 100,
  minPosition: 999_999_999,
  type: 'fresh_accumulator',
  side: 'BUY',
  search: '*'.repeat(34),
} as const;
const MEMBERS = Array.from({ length: 40 }, (_, at) => walletOf(at).wallet);
const SUBJECTS: readonly FollowSubject[] = [
  walletOf(0xabc),
  { kind: 'market', marketId: `0x${'f'.repeat(64)}`, title: TITLE, slug: 's'.repeat(300) },
  { kind: 'filter', filter: FILTER },
];

/** A person with the most that anybody can follow and mute, everything with the longest names. */
async function openFullVisit(nickname: string | null): Promise<ConversationVisit> {
  const visit = await openConversationVisit();
  const { database, clock } = visit.fixture;
  for (let id = 1; id <= 9; id += 1)
    await storeAlerts(database, {
      ...alertOf({ id, marketId: `0xm${id}`, eventTitle: TITLE, outcome: TITLE, createdAt: clock.now() }),
      eventSlug: `${'s-'.repeat(149)}${id}`,
      usdc: 987_654_321.99,
      score: 100,
      ...(id === 9 && { details: { ...alertOf({ id }).details, wallets: MEMBERS } }),
    });
  await clock.advance(40 * DAY_MS);
  await visit.command('start');
  const { id: customerId } = await visit.fixture.customer();
  const follows = Array.from({ length: 50 }, (_, at): Follow => {
    const subject = at === 1 ? SUBJECTS[1] : at % 3 === 0 ? walletOf(at) : SUBJECTS[2];
    return followOf(`a${9_900 + at}`, subject as FollowSubject, { nickname, mode: 'daily' });
  });
  const mutes = Array.from({ length: 100 }, (_, at) => ({
    subject: at === 0 ? (SUBJECTS[1] as FollowSubject & { kind: 'market' }) : walletOf(at),
    until: clock.now() + DAY_MS + at,
  }));
  const zone = 'America/Argentina/ComodRivadavia';
  await database.followers.put(followerOf(customerId, { follows, mutes, zone, quiet: { from: 23, to: 7 } }));
  return visit;
}

/** Every screen of follows that a tap or a line leads to, from a person who has all of it. */
async function followScreens(visit: ConversationVisit): Promise<readonly Screen[]> {
  const several = Array.from({ length: 25 }, (_, at) =>
    at % 2 === 0 ? walletOf(500 + at).wallet : `no-such-${'market'.repeat(40)}-${at}`,
  );
  const typed: readonly (readonly [string, string?])[] = [
    ...([['follows'], ['follows', '3'], ['follow'], ['follow', `words ${'*'.repeat(34)}`]] as const),
    ...([
      ['follow', walletOf(0xaa).wallet],
      ['follow', several.join()],
      ['follow', longest(200)],
    ] as const),
    ...([
      ['follow', `${'s-'.repeat(149)}3`],
      ['follow', '#3'],
      ['follow', 'all'],
      ['mute'],
      ['mute', '#3 7d'],
      ['alert', '9'],
      ['alerts'],
    ] as const),
    ...([['quiet'], ['quiet', '22-8'], ['start', 'f_3']] as const),
  ];
  const screens: Screen[] = [];
  for (const [name, argument] of typed) screens.push(await visit.command(name, argument));
  const seen = new Set<string>();
  for (const screen of screens) {
    for (const button of screen.buttons.flat()) {
      if (!('action' in button) || /^(?:delete|start|key)/.test(button.action)) continue;
      const kind = `${screen.name} ${button.action.replace(/:.*$/, '')}`;
      if (!seen.has(kind)) screens.push(await visit.act(button.action));
      seen.add(kind);
    }
  }
  return screens.filter(({ name }) => FOLLOW_SCREENS.test(name));
}

const FOLLOW_SCREENS = /alert|follow|mute|nickname|filter|quiet|zone|wallet|market|subject/;

function problems(screen: Screen): readonly string[] {
  const keyboard = { inline_keyboard: toKeyboard(screen) };
  const [part, ...more] = toParts(screen.body);
  const telegram = contentOf({ text: part?.html, parse_mode: 'HTML', reply_markup: keyboard });
  const { components } = toMessage(screen);
  const shown = JSON.stringify(components).match(/"(?:tap|ask)\d*:/g) ?? [];
  const actions = screen.buttons.flat().filter((button) => 'action' in button).length;
  return [
    ...('code' in telegram ? [`Telegram: ${telegram.description}`] : []),
    ...(more.length > 0 ? ['Telegram: more than one message'] : []),
    ...[problemOf(toMessage(screen))].flatMap((problem) => (problem === null ? [] : [`Discord: ${problem}`])),
    ...(toScreens(screen).length > 1 ? ['Discord: more than one message'] : []),
    ...(shown.length === actions + (screen.ask === null ? 0 : 1) ? [] : ['Discord: a button is missing']),
    ...(screenText(screen, { style: (_, text) => text, width: 80 }).includes('undefined')
      ? ['terminal']
      : []),
  ].map((problem) => `${screen.name}: ${problem}`);
}

describe('screens of what a person follows', () => {
  test.each([
    ['without names of their own', null],
    ['with the longest names', longest(40).trim()],
  ])('are whole on each platform, %s', async (_, nickname) => {
    const visit = await openFullVisit(nickname);
    const screens = await followScreens(visit);
    expect(new Set(screens.map(({ name }) => name)).size).toBeGreaterThan(15);
    expect(screens.flatMap(problems)).toEqual([]);
  });
});

test('any text and any invented action gets an answer that every platform shows, without a key and without a word of another person', async () => {
  const visit = await openConversationVisit();
  await visit.fixture.addAlerts();
  const { keyId } = await getKey(visit);
  await visit.act(`rename_to:${keyId}:Hers alone`);
  const stranger = visit.other('200');
  const pieces = [
    '0x',
    '0xaa',
    '#',
    '1',
    'min:',
    'words ',
    'https://',
    'polymarket.com/event/',
    '%E0%A4%A',
    '24h',
    '23-7',
    ':',
    HOSTILE,
  ];
  const names = ['issue', 'rotate_to', 'manage', 'rename_to', 'delete_yes', 'constructor', '__proto__'];
  const piecesOf = (given: readonly string[]) =>
    fc.array(fc.oneof(fc.string(), fc.constantFrom(...given)), { maxLength: 6 });
  const texts = piecesOf(pieces).map((all) => all.join(''));
  const actions = piecesOf([...names, keyId, 'pro', 'free', '24h', '']).map((all) => all.join(':'));
  const moves = fc.oneof(
    fc.tuple(fc.constantFrom('follow', 'follows', 'mute', 'quiet'), texts).map(
      ([name, text]) =>
        () =>
          stranger.command(name, text),
    ),
    texts.map((text) => () => stranger.type(text)),
    texts.map((text) => () => stranger.act(`follow_zone_to:${text}`)),
    actions.map((action) => () => stranger.act(action)),
  );
  await fc.assert(
    fc.asyncProperty(moves, async (move) => {
      const screen = await move();
      expect(screen.name).not.toBe('sorry');
      expect(screen.secret).toBeNull();
      expect(plainText(screen)).not.toContain('Hers alone');
      expect(problems(screen)).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(visit.fixture.errors).toEqual([]);
  expect(await visit.fixture.database.keys.byId(keyId)).toMatchObject({
    name: 'Hers alone',
    revokedAt: null,
  });
});

test('the buttons under an alert follow its wallet and its market, and mute it, with Undo', async () => {
  const visit = await openConversationVisit();
  await visit.fixture.addAlerts();
  await visit.fixture.clock.advance(6 * MINUTE_MS);
  const names = [];
  for (const action of ['fw:2', 'fm:2', 'mm:2', 'mm:2x', 'fm:99', 'fw:', 'fs:x', 'fv:a1:x', 'fc:a1:x'])
    names.push((await visit.act(action)).name);
  expect(names).toEqual([
    ...['follow_saved', 'follow_saved', 'muted', 'stale', 'no_subject'],
    ...['stale', 'stale', 'stale', 'stale'],
  ]);
  const { follows, mutes } = await visit.fixture.follows.of({
    customerId: (await visit.fixture.customer()).id,
    platform: 'telegram',
  });
  expect(follows.map(({ subject }) => subject.kind)).toEqual(['wallet', 'market']);
  expect(mutes).toMatchObject([{ subject: { kind: 'market', marketId: '0xm2' } }]);
});
