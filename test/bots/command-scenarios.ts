import { HOME, type Scenario } from './scenario-steps.ts';

const UNKNOWN = 'I do not know that command.';
const MISTYPED: readonly [string, string][] = [
  ['folow', 'follow'],
  ['setings', 'settings'],
  ['unfolow', 'unfollow'],
  ['alrts', 'alerts'],
  ['stats', 'status'],
];

export const COMMAND_SCENARIOS: readonly Scenario[] = [
  {
    title: 'commands have the names that people try, typed with or without a slash',
    steps: [
      { command: 'menu', buttons: HOME },
      { type: 'menu', buttons: HOME },
      { command: 'settings', sees: ['Settings', 'Up to 20 alerts a day: at most 15 from filters'] },
      { command: 'follow', argument: 'politics' },
      { tap: 'Follow' },
      ...['unfollow', 'following'].map((command) => ({ command, sees: ['You follow 1.', 'politics'] })),
      { command: 'trial', sees: ['You have no key.'] },
    ],
  },
  {
    title: 'an unknown command is answered with the nearest one',
    steps: [
      ...MISTYPED.map(([command, nearest]) => ({
        command,
        sees: [`${UNKNOWN} Did you mean /${nearest}?`],
        buttons: ['Menu', 'Help'],
      })),
      { command: 'xyzzy', sees: [`${UNKNOWN} Tap a button, or send /help`], misses: ['Did you mean'] },
      { command: 'constructor', sees: [UNKNOWN] },
    ],
  },
  {
    title: 'stop mutes everything until it is undone, and mute all for a while',
    steps: [
      { command: 'follow', argument: 'politics' },
      { tap: 'Follow' },
      {
        command: 'stop',
        sees: ['Everything is muted.', 'What you follow stays.'],
        buttons: ['Undo', 'My follows', 'Menu'],
      },
      { command: 'mute', sees: ['all alerts: until you end it'] },
      { tap: 'End: all alerts', sees: ['You hear about all alerts again.'] },
      { command: 'mute', argument: 'all 7d', sees: ['Muted all alerts for 7 days.'] },
      { tap: 'Undo', sees: ['You hear about all alerts again.'] },
      { command: 'follows', sees: ['politics\nwith sound'] },
    ],
  },
  {
    title: 'help begins with six commands, and has all of them under More',
    steps: [
      {
        command: 'help',
        sees: ['/follow: ', '/follows: ', '/alerts: ', '/settings: ', '/stop: ', '/key: ', '/docs'],
        misses: ['/hot', '/privacy'],
        buttons: ['More', 'What alerts mean', 'Upgrade', 'Get a key', 'Menu'],
      },
      {
        tap: 'More',
        sees: ['/start: The menu', '/help: What I can do', '/hot', '/privacy', '/stop: Mute', '/docs'],
      },
    ],
  },
];
