import { aMarketIsSettled, FIRST, GET_FREE, type Scenario } from './scenario-steps.ts';

const RECORD_WAYS = ['What alerts mean', 'Last alerts', 'Menu'];
const ALERT_WAYS = ['Follow wallet', 'Mute market', 'Page', ...RECORD_WAYS];
const LIST_WAYS = ['Last alerts', 'Menu'];

export const QUESTION_SCENARIOS: readonly Scenario[] = [
  {
    title:
      'an alert is shown by its number; a number that is not visible yet, or none at all, is answered with the way on',
    steps: [
      { meanwhile: ({ addAlerts }) => addAlerts() },
      { command: 'alert', sees: ['Which alert?'], buttons: LIST_WAYS },
      {
        type: '#1',
        sees: ['Alert 1', 'Will measure 1 pass?', 'Its market has not settled yet.'],
        buttons: ALERT_WAYS,
      },
      {
        command: 'alert',
        argument: '3',
        sees: ['I have no alert 3', 'The newest you can see is alert 1.'],
      },
      { command: 'alert', argument: 'last', sees: ['An alert has a number'], buttons: LIST_WAYS },
      { meanwhile: ({ clock }) => clock.advance(600_000) },
      { meanwhile: (fixture) => aMarketIsSettled(fixture) },
      {
        command: 'start',
        argument: 'alert_3',
        sees: ['Alert 3', '❌ ', 'Lost $2,000.'],
        buttons: ALERT_WAYS,
      },
      { tap: 'Last alerts', sees: ['Alert 3 · new wallet'] },
      { tap: 'Alert 2', sees: ['Alert 2'], buttons: ALERT_WAYS },
    ],
  },
  {
    title: 'the list of alerts takes a filter, as follows do',
    steps: [
      { meanwhile: ({ addAlerts }) => addAlerts() },
      { command: 'alerts', argument: 'politics 60', sees: ['Last alerts, politics, score 60 or more'] },
      {
        command: 'alerts',
        argument: 'type:fresh side:buy $1k',
        sees: ['$1,000 or more, new wallet, buys,'],
      },
      { command: 'alerts', argument: '99', sees: ['No alerts match.'] },
      {
        command: 'alerts',
        argument: 'politix',
        sees: ['“politix”. Did you mean politics?'],
        buttons: LIST_WAYS,
      },
    ],
  },
  {
    title: 'the record, the state of the feed, the own id and what is kept have a screen each',
    steps: [
      {
        command: 'record',
        sees: ['Too early to say: 0 of the first 20 hypothetical test bets are done.'],
        buttons: RECORD_WAYS,
      },
      { command: 'status', sees: ['The feed has not seen any trade yet.'], buttons: LIST_WAYS },
      { command: 'id', buttons: ['Menu'] },
      {
        command: 'privacy',
        sees: ['What is stored about you', '/delete'],
        buttons: ['Delete my data', 'Menu'],
      },
      { tap: 'Delete my data', sees: ['Delete everything?'] },
    ],
  },
  {
    title: 'a question is ended by /cancel, and a link that names nothing opens the menu',
    steps: [
      ...GET_FREE,
      { command: 'keys' },
      { tap: FIRST },
      { tap: 'Rename' },
      { command: 'cancel', sees: ['Cancelled.'], buttons: ['Menu', 'Help'] },
      { command: 'cancel', sees: ['There is nothing to cancel'], buttons: ['Menu', 'Help'] },
      {
        command: 'start',
        argument: 'nonsense',
        sees: ['You have 1 key: Free.', 'Next: make your first call'],
      },
    ],
  },
];
