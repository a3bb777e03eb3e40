import { GET_PRO, type Scenario } from './scenario-steps.ts';

const ADDRESS = 'https://ntfy.sh/quiet-topic-7';

export const CONNECT_SCENARIOS: readonly Scenario[] = [
  {
    title: 'an address takes the place of the chat, is tested, and is turned off',
    steps: [
      ...GET_PRO,
      { command: 'connect', sees: ['https://ntfy.sh/your-topic'], buttons: ['Settings', 'Menu'] },
      {
        type: ADDRESS,
        sees: ['Connected.', 'go to ntfy'],
        misses: ['quiet-topic'],
        buttons: ['Connect', 'Menu'],
      },
      { tap: 'Connect', misses: ['quiet-topic'], buttons: ['Send a test', 'Send them here', 'Menu'] },
      { tap: 'Send a test', sees: ['arrived there'] },
      { tap: 'Connect' },
      { tap: 'Send them here', sees: ['come here again'], buttons: ['Connect', 'Menu'] },
    ],
  },
  {
    title: 'an address is for Pro and Enterprise',
    steps: [{ command: 'connect', argument: ADDRESS, sees: ['needs a Pro or Enterprise key'] }],
  },
];
