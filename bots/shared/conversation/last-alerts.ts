import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { TIER_POLICIES } from '../../../src/core/accounts/tier.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { typeInSentence } from '../../../src/core/alerts/alert-names.ts';
import { describeResult, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import { alertAgeFor } from '../../../src/core/alerts/free-delay.ts';
import { hiddenAddresses } from '../../../src/core/alerts/hidden-wallets.ts';
import { newestOfThreads } from '../../../src/core/alerts/ledger/thread.ts';
import { ago, capitalised, cutLine, cutText, shortWallet } from '../../../src/core/base/text/formats.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { bestTier } from '../../../src/core/follow/active-follows.ts';
import { FILTER_HELP, type ParsedFilter, parseFilterText } from '../../../src/core/follow/filter-text.ts';
import { filterWords } from '../../../src/core/follow/follow-words.ts';
import { marketAddress } from '../../../src/core/trades/other-sites.ts';
import { listedWithin } from '../posts/list-room.ts';
import { type Paragraph, plainScreen, type Screen } from '../screen.ts';
import { ABOUT_ALERTS_BUTTON, HOT_MARKETS_BUTTON, LAST_ALERTS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import type { ConversationDeps, Feature, StepContext } from './feature.ts';
import { delayWords } from './words.ts';

const SHOWN = 5;
/** Read to find that many threads, as one may have a dozen alerts. */
const READ = 50;
/** With these, five usual entries fit a message of Discord: 2,000 characters, addresses included. Of longer ones fewer are shown. */
const LENGTHS = { title: 80, outcome: 40, word: 60, list: 1_800 } as const;

/** The newest alerts, one per thread, with the delay of the customer's best key; filtered on request. */
export function lastAlerts(deps: ConversationDeps): Feature {
  async function show({ customer, argument }: StepContext): Promise<Screen> {
    const parsed = parseFilterText(argument.trim() === '' ? 'all' : argument);
    if (!parsed.ok) return usageScreen(parsed);
    const { filter } = parsed;
    const delayMs = await alertDelay(customer, deps);
    const now = deps.clock.now();
    const until = now - delayMs;
    const bound = delayMs === 0 ? {} : { until, asOf: until };
    const isFiltered = Object.keys(filter).length > 0;
    const { alerts: found } = await deps.alerts.search({ ...filter, ...bound }, { page: 1, pageSize: READ });
    const newest = newestOfThreads(found).slice(0, SHOWN);
    const hidden = await hiddenAddresses(deps.hiddenWallets);
    const exits = await deps.exits.ofList(newest, until);
    const entries = newest.map((alert) =>
      entry(alert, { now, exit: exits.get(alert.id) ?? null, isHidden: hidden.has(alert.wallet) }),
    );
    const which = isFiltered ? `, ${filterWords(filter)}` : '';
    const none = isFiltered ? 'No alerts match.' : 'There are no alerts yet.';
    return plainScreen(
      'last_alerts',
      [
        [{ bold: 'Last alerts' }, `${which}, ${delayWords(delayMs)}`],
        ...(entries.length === 0 ? [none] : listedWithin(entries, LENGTHS.list)),
      ],
      [
        ...(newest.length === 0 ? [] : [newest.map(alertButton)]),
        [ABOUT_ALERTS_BUTTON],
        [HOT_MARKETS_BUTTON, MENU_BUTTONS],
      ],
    );
  }

  const argument = { name: 'filter', description: 'A filter: politics 60' };
  return {
    commands: [
      { name: 'alerts', description: 'The newest alerts, filtered if you like: politics 60', argument },
    ],
    steps: { alerts: show },
  };
}

function usageScreen({ word, right }: ParsedFilter & { ok: false }): Screen {
  return plainScreen(
    'alerts_usage',
    [`I do not understand “${cutText(word, LENGTHS.word)}”. ${right}`, ['A filter: ', { code: FILTER_HELP }]],
    [[LAST_ALERTS_BUTTON, MENU_BUTTONS]],
  );
}

function entry(
  alert: Alert,
  { now, exit, isHidden }: { now: EpochMs; exit: Exit | null; isHidden: boolean },
): Paragraph {
  const { id, type, wallet, eventTitle, score, tradedAt, withdrawn } = alert;
  const outcome = cutLine(alert.outcome, LENGTHS.outcome);
  const result = describeResult(alert, exit);
  return [
    { link: marketAddress(alert), text: cutLine(eventTitle, LENGTHS.title) },
    `\nAlert ${id}${withdrawn === null ? '' : ', withdrawn'} · ${typeInSentence(type)} · ${isHidden ? 'a hidden wallet' : shortWallet(wallet)}`,
    `\n${capitalised(describeTrade({ ...alert, outcome }))} · score ${score} · ${ago(tradedAt, now)}`,
    ...(result === null ? [] : [`\n${result}`]),
  ];
}

function alertButton({ id }: Alert) {
  return { label: `Alert ${id}`, action: `alert:${id}` };
}

/** How old an alert must be before a customer sees it, in milliseconds, by their best key; 0 is real time. */
export async function alertDelay(
  { id }: Customer,
  { customers, clock, freeDelayMs }: ConversationDeps,
): Promise<number> {
  const keys = await customers.keysOf(id);
  return alertAgeFor(TIER_POLICIES[bestTier(keys, clock.now())], { freeDelayMs });
}
