import { DAY_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import type { ConversationFixture } from '../support/chat/conversation-fixture.ts';
import { walletOf } from '../support/followers.ts';
import { storeAlerts } from '../support/stored.ts';
import { GET_PRO, type Scenario } from './scenario-steps.ts';

/** The wallet of every alert here. */
const WALLET = '0x00000000000000000000000000000000000000aa';
const SHORT = '0x0000…00aa';
const SAVED = ['Name it', 'Undo', 'Set my time zone', 'My follows', 'Menu'];
const ON = ['My follows', 'Menu'];

const alerts = (count?: number) => ({
  meanwhile: async ({ addAlerts, clock }: ConversationFixture) => {
    await addAlerts(count);
    await clock.advance(6 * MINUTE_MS);
  },
});
const DAYS_LATER = { meanwhile: ({ clock }: ConversationFixture) => clock.advance(39 * DAY_MS) };

async function aClusterIsFound({ database, clock }: ConversationFixture): Promise<void> {
  const details = { ...alertOf({ id: 1 }).details, wallets: [WALLET, walletOf(7).wallet] };
  await storeAlerts(database, alertOf({ id: 4, type: 'cluster', details, createdAt: clock.now() }));
  await clock.advance(6 * MINUTE_MS);
}

async function theWalletIsHidden({ database, clock }: ConversationFixture): Promise<void> {
  await database.hiddenWallets.add({ wallet: WALLET, reason: 'asked for it', at: clock.now() });
}

export const FOLLOW_SCENARIOS: readonly Scenario[] = [
  {
    title: 'a preview shows alerts of today’s rules only, and none inside the person’s delay',
    steps: [
      {
        meanwhile: async ({ database, clock }) => {
          for (const [id, ruleVersion] of [
            [1, '1'],
            [2, '1'],
            [3, '2'],
            [4, '2'],
          ] as const)
            await storeAlerts(
              database,
              alertOf({
                id,
                createdAt: clock.now() - (5 - id) * DAY_MS,
                details: { ...alertOf({ id }).details, ruleVersion },
              }),
            );
          await storeAlerts(
            database,
            alertOf({
              id: 5,
              createdAt: clock.now(),
              details: { ...alertOf({ id: 5 }).details, ruleVersion: '2' },
            }),
          );
        },
      },
      {
        command: 'follow',
        argument: 'min:60',
        sees: ['2 in the last 2 days', 'alert 4,', 'alert 3,'],
        misses: ['alert 5', 'alert 2'],
      },
      ...GET_PRO,
      { command: 'follow', argument: 'min:60', sees: ['3 in the last 2 days', 'alert 5,'] },
    ],
  },
  {
    title: 'an alert inside the person’s delay can neither be followed nor muted, and shows nowhere',
    steps: [
      { meanwhile: ({ addAlerts }) => addAlerts() },
      { command: 'start', argument: 'f_3', sees: ['I have no alert 3 for you.'], buttons: ON },
      { command: 'mute', argument: '#2 1h', sees: ['I have no alert 2 for you.'], buttons: ON },
      {
        command: 'follow',
        argument: 'will-the-measure-pass',
        sees: ['1 alert so far', 'Will measure 1 pass?'],
      },
      { command: 'follow', argument: WALLET, sees: ['alert 1,'], misses: ['alert 2', 'alert 3'] },
      ...GET_PRO,
      { command: 'start', argument: 'f_3', sees: ['Will measure 3 pass?'] },
    ],
  },
  {
    title: 'a rule above 15 a day says so, and offers the lowest minimum that is not',
    steps: [
      alerts(25),
      {
        command: 'follow',
        argument: 'politics min:60',
        sees: ['About 25 a day', 'at most 15 of them a day; the rest', 'A higher minimum brings fewer.'],
        buttons: ['Follow', 'Only 80 or more', 'Menu'],
      },
      {
        tap: 'Only 80 or more',
        sees: ['politics, score 80 or more', 'Nothing matched in the last day.'],
        misses: ['at most 15', 'No bet from the last 30 days'],
        buttons: ['Follow', 'Menu'],
      },
      { type: 'all', sees: ['Filter: all alerts'], buttons: ['Follow', 'Only 80 or more', 'Menu'] },
    ],
  },
  {
    title: 'a filter that cannot be read is answered with the wrong word and what would be right',
    steps: [
      { command: 'follow', sees: ['Which alerts do you want?', 'politics score 60 over $5000'] },
      {
        type: 'politix min:60',
        sees: ['I do not understand “politix”. Did you mean politics?', 'politics score 60'],
        buttons: ['Words: politix', 'Examples', 'Menu'],
      },
      { type: 'trump', sees: ['words trump'], buttons: ['Words: trump', 'Examples', 'Menu'] },
      { tap: 'Words: trump', sees: ['Filter: “trump”'] },
      { command: 'follow', argument: 'trump' },
      { tap: 'Examples', sees: ['Which alerts do you want?'] },
    ],
  },
  {
    title: 'a wallet is shown before it is followed, and says when it is too old for new alerts',
    steps: [
      {
        command: 'follow',
        argument: WALLET,
        sees: [`Wallet ${SHORT}`, 'I have no alert about it.'],
        buttons: ['Follow', 'Menu'],
      },
      alerts(),
      {
        command: 'follow',
        argument: `https://polymarket.com/profile/${WALLET}`,
        sees: [
          'It is 1 day old. You hear about its new alerts while it is new (at most 14 days old and in at most 5 markets)',
          'alert 3,',
        ],
      },
      { type: WALLET, sees: ['It is 1 day old.'] },
      { tap: 'Menu' },
      { type: `https://polymarket.com/profile/${WALLET}`, sees: ['It is 1 day old.'] },
      DAYS_LATER,
      {
        command: 'follow',
        argument: WALLET.toUpperCase().replace('X', 'x'),
        sees: [
          'This wallet is 40 days old and causes no new alerts; you hear about the exits and results of its 3 positions.',
        ],
        buttons: [
          'Follow Will measure 3 pass?',
          'Follow Will measure 2 pass?',
          'Follow Will measure 1 pass?',
          'Follow the wallet',
          'Menu',
        ],
      },
      { tap: 'Follow Will measure 2 pass?', sees: ['You follow Will measure 2 pass?'], buttons: SAVED },
      { command: 'follow', argument: WALLET },
      { tap: 'Follow the wallet', sees: [`You follow wallet ${SHORT}`] },
      { command: 'follow', argument: WALLET },
      {
        tap: 'Follow the wallet',
        sees: [`You already follow that: wallet ${SHORT}`],
        buttons: ['Open it', ...ON],
      },
      { tap: 'Open it', sees: ['You follow', SHORT, 'With sound. Followed since 2026-02-10'] },
    ],
  },
  {
    title: 'a hidden wallet cannot be followed, its market can',
    steps: [
      alerts(1),
      { meanwhile: theWalletIsHidden },
      {
        command: 'follow',
        argument: WALLET,
        sees: ['That wallet is hidden here, and cannot be followed.'],
        buttons: ON,
      },
      {
        command: 'start',
        argument: 'f_1',
        sees: ['What do you want to follow?'],
        buttons: ['Follow market', 'Why', 'Menu'],
      },
      { tap: 'Follow market', sees: ['You follow Will measure 1 pass?'] },
    ],
  },
  {
    title:
      'the link under a post, and an alert’s number, offer its wallet and its market; of a cluster the market alone',
    steps: [
      alerts(),
      {
        command: 'start',
        argument: 'f_2',
        sees: ['Will measure 2 pass? · alert 2,'],
        buttons: ['Follow wallet', 'Follow market', 'Why', 'Menu'],
      },
      { tap: 'Follow wallet', sees: [`You follow wallet ${SHORT}`] },
      { meanwhile: aClusterIsFound },
      { command: 'follow', argument: '#4', buttons: ['Follow market', 'Why', 'Menu'] },
      { command: 'follow', argument: '#99', sees: ['I have no alert 99 for you.'], buttons: ON },
    ],
  },
  {
    title: 'a market is followed by its slug; one without alerts by the words of its address',
    steps: [
      alerts(),
      {
        command: 'follow',
        argument: 'https://polymarket.com/event/some-event/will-the-measure-pass',
        sees: [
          'Market Will measure 3 pass?',
          '1 alert so far. You hear about new ones, exits and the result.',
        ],
        buttons: ['Follow', 'Menu'],
      },
      { tap: 'Follow', sees: ['You follow Will measure 3 pass?'] },
      {
        command: 'follow',
        argument: 'fed-cuts-in-may',
        sees: ['I have no alert about that market.'],
        buttons: ['Follow these words', ...ON],
      },
      { tap: 'Follow these words', sees: ['Filter: “fed-cuts-in-may”'] },
    ],
  },
  {
    title: 'several at once get a line each before they are saved, and one that says what became of it',
    steps: [
      alerts(),
      DAYS_LATER,
      {
        command: 'follow',
        argument: `${WALLET} will-the-measure-pass ${walletOf(5).wallet} no-such-market 0x12 ${WALLET}`,
        sees: [
          '5 items',
          `+ wallet ${SHORT}: 40 days old, only exits and results`,
          '+ Will measure 3 pass?',
          '+ wallet 0x0000…0005: no alert yet',
          '✗ no-such-market: I have no alert about that market.',
          '✗ 0x12: An address has 42 characters',
        ],
        buttons: ['Follow 3', ...ON],
      },
      { tap: 'Follow 3', sees: [`wallet ${SHORT}: followed`, 'Will measure 3 pass?: followed'], buttons: ON },
      {
        command: 'follow',
        argument: `${WALLET} ${walletOf(5).wallet}`,
        sees: [`✓ wallet ${SHORT}: already followed`],
        buttons: ON,
      },
      {
        command: 'follow',
        argument: Array.from({ length: 27 }, (_, at) => walletOf(50 + at).wallet).join(),
        sees: ['25 items', 'and 2 more: I take 25 at once', 'Free allows 7 more: the first 7.'],
        buttons: ['Follow 7', ...ON],
      },
      {
        tap: 'Follow 7',
        sees: ['wallet 0x0000…0038: followed', 'wallet 0x0000…0039: not followed, 10 is the maximum'],
      },
      { tap: 'My follows', sees: ['You follow 10.'] },
    ],
  },
];
