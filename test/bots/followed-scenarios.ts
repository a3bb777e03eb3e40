import { DAY_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import type { ConversationFixture } from '../support/chat/conversation-fixture.ts';
import { walletOf } from '../support/followers.ts';
import { GET_PRO, type Scenario } from './scenario-steps.ts';

/** The wallet of every alert here. */
const WALLET = '0x00000000000000000000000000000000000000aa';
const SHORT = '0x0000…00aa';
const ON = ['My follows', 'Menu'];

const ALERTS = {
  meanwhile: async ({ addAlerts, clock }: ConversationFixture) => {
    await addAlerts();
    await clock.advance(6 * MINUTE_MS);
  },
};

/** Ten wallets, the most of a person without a key. */
async function theyFollowTen({ follows, customer }: ConversationFixture): Promise<void> {
  const person = { customerId: (await customer()).id, platform: 'telegram' } as const;
  for (let number = 1; number <= 10; number += 1) await follows.add(person, walletOf(number));
}

export const FOLLOWED_SCENARIOS: readonly Scenario[] = [
  {
    title: 'what is followed is named, silenced, paused, changed, removed and put back',
    steps: [
      { command: 'follow', argument: 'politics' },
      { tap: 'Follow' },
      { tap: 'Name it', sees: ['What should I call politics?'], buttons: ['Keep it as it is'] },
      { type: 'x'.repeat(41), sees: ['A name has at most 40 characters'], buttons: ['Keep it as it is'] },
      {
        type: 'My rule',
        sees: ['My rule\npolitics'],
        buttons: ['Rename', 'Change the filter', 'Silent', 'Evening list only', 'Pause', 'Remove', ...ON],
      },
      {
        tap: 'Silent',
        sees: ['Silent. Followed since'],
        buttons: ['Rename', 'Change the filter', 'With sound', 'Evening list only', 'Pause', 'Remove', ...ON],
      },
      { tap: 'Pause', sees: ['Paused. Followed since'] },
      { tap: 'My follows', sees: ['My rule · politics\npaused'] },
      { tap: 'My rule' },
      { tap: 'Resume', sees: ['Silent. Followed since'] },
      { tap: 'Change the filter', sees: ['The filter is: politics'] },
      { type: 'tech 60', sees: ['Filter: tech, score 60 or more'], buttons: ['Save the change', 'Menu'] },
      { type: 'tach 60', sees: ['Did you mean tech?'] },
      { type: 'tech 70', buttons: ['Save the change', 'Menu'] },
      // Undo would remove it: it is for new ones.
      {
        tap: 'Save the change',
        sees: ['You follow My rule'],
        buttons: ['Rename', 'Set my time zone', ...ON],
      },
      { tap: 'My follows', sees: ['My rule · tech, score 70 or more\nsilent'] },
      { tap: 'My rule' },
      { tap: 'Remove', sees: ['You no longer follow My rule'], buttons: ['Undo', ...ON] },
      { tap: 'Undo', sees: ['My rule\ntech, score 70 or more', 'Silent'] },
      { tap: 'Rename' },
      { tap: 'No name', sees: ['You follow\ntech, score 70 or more'] },
      { tap: 'Remove' },
      { tap: 'My follows', sees: ['Which alerts do you want?'] },
    ],
  },
  {
    title: 'ten are the most with Free, and the answer says which limit it is and the way on',
    steps: [
      { command: 'start' },
      { meanwhile: theyFollowTen },
      { command: 'follow', argument: 'politics' },
      {
        tap: 'Follow',
        sees: ['You follow 10, the maximum with Free. Remove one, or get a Pro key to follow up to 50.'],
        buttons: ['My follows', 'Get a key', 'Menu'],
      },
      { command: 'follow', argument: `${WALLET} 0x1`, sees: ['Free allows no more.'], buttons: ON },
      ...GET_PRO,
      { command: 'follow', argument: 'politics' },
      { tap: 'Follow', sees: ['You follow politics', 'in real time'] },
      { tap: 'My follows', sees: ['You follow 11. Pro allows 50. Page 1 of 2.'] },
      { tap: 'More', sees: ['Page 2 of 2', 'politics\nwith sound'], misses: ['0001'] },
      { tap: 'Back', sees: ['Page 1 of 2'] },
      { meanwhile: ({ clock }) => clock.advance(30 * DAY_MS) },
      {
        command: 'follows',
        argument: '2',
        sees: [
          'You follow 11. Free allows 10.',
          'politics\npaused by the limit',
          'The newest is paused, not deleted, until you get a Pro key',
        ],
      },
      {
        tap: 'politics',
        sees: ['Paused by the limit', 'Free allows 10, the oldest first: this one continues with a Pro key'],
      },
    ],
  },
  {
    title: 'a market is muted for a day by its button or for another time, and Undo ends it',
    steps: [
      ALERTS,
      { command: 'mute', sees: ['Nothing is muted.', '24h'], buttons: ON },
      {
        type: `${WALLET} 7d`,
        sees: [`Muted wallet ${SHORT} for 7 days.`, 'until 2026-01-09 00:06 UTC'],
        buttons: ['Undo', '1 hour', '24 hours', ...ON],
      },
      { tap: 'Undo', sees: [`You hear about wallet ${SHORT} again.`], buttons: ['Muted', ...ON] },
      { command: 'mute', argument: '#2 15m', sees: [`Muted wallet ${SHORT} for 15 minutes.`] },
      { tap: '24 hours', sees: ['for 24 hours', 'until 2026-01-03 00:06 UTC'] },
      {
        command: 'mute',
        argument: 'will-the-measure-pass',
        sees: ['Muted Will measure 3 pass? for 24 hours.'],
      },
      {
        command: 'mute',
        sees: ['Muted', `wallet ${SHORT}: until 2026-01-03`, 'Will measure 3 pass?: until'],
      },
      { tap: `End: wallet ${SHORT}`, sees: ['again'] },
      {
        command: 'mute',
        argument: 'no-such-market 1h',
        sees: ['I have no alert about that market.'],
        buttons: ON,
      },
      { command: 'mute', argument: `${WALLET} #1`, sees: ['One at a time.'] },
      {
        command: 'mute',
        argument: 'politics',
        sees: ['a wallet, a market or all, and that is none of them', 'Send me'],
      },
      { command: 'mute', argument: `${WALLET} 99d`, sees: ['from 1 minute to 30 days'] },
    ],
  },
  {
    title: 'quiet hours ask once for the time zone, by its buttons or a city',
    steps: [
      {
        command: 'quiet',
        sees: ['You have no quiet hours.', '23-7'],
        buttons: ['22-8', '23-7', 'Settings', 'Menu'],
      },
      { type: '23:30-7', sees: ['Send two different hours, such as 23-7.'] },
      {
        type: '23-7',
        sees: ['Quiet from 23:00 to 07:00. In which time zone?'],
      },
      { type: 'gotham', sees: ['I do not know that place.'] },
      { type: 'indiana', sees: ['Which one?'] },
      {
        type: 'berlin',
        sees: ['Time zone: Berlin, where it is 01:00.', 'Quiet from 23:00 to 07:00'],
        buttons: ['Quiet hours', 'Time zone', 'Muted', ...ON],
      },
      {
        command: 'quiet',
        argument: '22-8',
        sees: ['Quiet from 22:00 to 08:00; alerts from that time come in one list afterwards.'],
      },
      { tap: 'Quiet hours', buttons: ['22-8', '23-7', 'Off', 'Settings', 'Menu'] },
      { tap: 'Off', sees: ['Quiet hours: none.'] },
      { tap: 'Time zone' },
      { tap: 'New York', sees: ['Time zone: New York, where it is 19:00.'] },
      { command: 'quiet', argument: 'off', sees: ['Quiet hours: none.'] },
    ],
  },
  {
    title: 'who could not be reached is told at the next interaction, once, that messages were paused',
    steps: [
      { command: 'start' },
      { meanwhile: ({ customers }) => customers.markUnreachable('telegram', '100') },
      { command: 'hot', misses: ['paused'] },
      { command: 'follow', argument: 'politics' },
      { tap: 'Follow' },
      { meanwhile: ({ customers }) => customers.markUnreachable('telegram', '100') },
      { command: 'hot', sees: ['Your messages were paused, because I could not reach you.', 'Hot markets'] },
      { command: 'hot', misses: ['paused'] },
    ],
  },
];
