import type { Customer } from '../../../src/core/accounts/customers/customer.ts';
import { effectiveTier } from '../../../src/core/accounts/keys/api-key.ts';
import { TIER_POLICIES } from '../../../src/core/accounts/tier.ts';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { AlertFilter } from '../../../src/core/alerts/alert-store.ts';
import { describeResult, describeTrade } from '../../../src/core/alerts/describe-alert.ts';
import { alertAgeFor } from '../../../src/core/alerts/free-delay.ts';
import { newestOfThreads } from '../../../src/core/alerts/ledger/thread.ts';
import { ago, capitalised, marketAddress, shortWallet } from '../../../src/core/base/text/formats.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import type { AlertType } from '../../../src/core/detection/candidate.ts';
import { CATEGORIES, type Category } from '../../../src/core/trades/trade.ts';
import { type Paragraph, plainScreen, plainText, type Screen, shortened } from '../screen.ts';
import { ABOUT_ALERTS_BUTTON, HOT_MARKETS_BUTTON, MENU_BUTTONS } from './buttons.ts';
import type { ConversationDeps, Feature, StepContext } from './feature.ts';
import { delayWords } from './words.ts';

const SHOWN = 5;
/** Read to find that many threads: one may have a dozen alerts. */
const READ = 50;
/** With these, five usual entries fit a message of Discord: 2,000 characters, addresses included. Of longer ones fewer are shown. */
const LENGTHS = { title: 80, outcome: 40, list: 1_750 } as const;

type Deps = Pick<
  ConversationDeps,
  'customers' | 'alerts' | 'archive' | 'statements' | 'clock' | 'freeDelayMs'
>;
type ListFilter = Pick<AlertFilter, 'categories' | 'minScore'>;

/** The newest alerts, one of each thread, as late as for the best of the customer's keys; of a category or score if asked. */
export function lastAlerts(deps: Deps): Feature {
  async function show({ customer, argument }: StepContext): Promise<Screen> {
    const filter = parseFilter(argument);
    if (filter === null) return usageScreen();
    const delayMs = await alertDelay(customer, deps);
    const now = deps.clock.now();
    const until = delayMs === 0 ? {} : { until: now - delayMs };
    const isFiltered = Object.keys(filter).length > 0;
    const found = isFiltered
      ? await searched(customer, { ...filter, ...until })
      : await deps.alerts.latest({ limit: READ, ...until });
    const newest = newestOfThreads(found).slice(0, SHOWN);
    const hidden = new Set(newest.length === 0 ? [] : await deps.statements.hiddenWallets());
    const entries = fitting(newest.map((alert) => entry(alert, { now, isHidden: hidden.has(alert.wallet) })));
    const shown = newest.slice(0, entries.length);
    const none = isFiltered ? 'There are none that match.' : 'There are none yet.';
    return plainScreen(
      'last_alerts',
      [
        [{ bold: 'Last alerts' }, `${filterWords(filter)}, ${delayWords(delayMs)}`],
        ...(entries.length === 0 ? [none] : entries),
      ],
      [
        ...(shown.length === 0 ? [] : [shown.map(alertButton)]),
        [ABOUT_ALERTS_BUTTON],
        [HOT_MARKETS_BUTTON, MENU_BUTTONS],
      ],
    );
  }

  async function searched({ id }: Customer, filter: AlertFilter): Promise<readonly Alert[]> {
    const schedule = deps.archive.forCaller({ name: `customer:${id}` }).searches;
    const { alerts } = await schedule(() => deps.alerts.search(filter, { page: 1, pageSize: READ }));
    return alerts;
  }

  const argument = { name: 'filter', description: 'A category, a lowest score, or both: politics 60' };
  return {
    commands: [
      { name: 'alerts', description: 'The newest alerts, also of a category: politics 60', argument },
    ],
    steps: { alerts: show },
  };
}

/** `politics 60` in any order, either part alone, or nothing; null for other texts. */
function parseFilter(text: string): ListFilter | null {
  let rest = text.trim().toLowerCase();
  const [score] = /\b\d{1,3}\b/.exec(rest) ?? [];
  if (score !== undefined) rest = rest.replace(score, '').trim();
  const category = categoryOf(rest);
  if ((rest !== '' && category === null) || Number(score ?? 0) > 100) return null;
  return {
    ...(category !== null && { categories: [category] }),
    ...(score !== undefined && { minScore: Number(score) }),
  };
}

function categoryOf(text: string): Category | null {
  const name = text.replace(/^#/, '').replaceAll(/[ -]+/g, '_');
  return CATEGORIES.find((category) => category === name) ?? null;
}

function filterWords({ categories, minScore }: ListFilter): string {
  const category = categories === undefined ? '' : `, ${categories.join(' ')}`;
  return `${category}${minScore === undefined ? '' : `, score ${minScore} or more`}`;
}

function usageScreen(): Screen {
  return plainScreen(
    'alerts_usage',
    [
      'I take a category, a lowest score of 0 to 100, or both: /alerts politics 60',
      `Categories: ${CATEGORIES.join(', ')}.`,
    ],
    [[{ label: 'Last alerts', action: 'alerts' }, MENU_BUTTONS]],
  );
}

const WALLET_WORDS: Readonly<Record<AlertType, string>> = {
  fresh: 'new wallet',
  fresh_accumulator: 'new wallet that keeps buying',
  cluster: 'several new wallets, the last',
};

function entry(alert: Alert, { now, isHidden }: { now: EpochMs; isHidden: boolean }): Paragraph {
  const { id, type, wallet, eventSlug, eventTitle, score, tradedAt } = alert;
  const outcome = shortened(alert.outcome, LENGTHS.outcome);
  const result = describeResult(alert);
  return [
    { link: marketAddress(eventSlug), text: shortened(eventTitle, LENGTHS.title) },
    `\nAlert ${id} · ${isHidden ? 'a hidden wallet' : `${WALLET_WORDS[type]} ${shortWallet(wallet)}`}`,
    `\n${capitalised(describeTrade({ ...alert, outcome }))} · score ${score} · ${ago(tradedAt, now)}`,
    ...(result === null ? [] : [`\n${result}`]),
  ];
}

/** The first entry, and those after it that fit one message. */
function fitting(entries: readonly Paragraph[]): readonly Paragraph[] {
  let left = LENGTHS.list;
  const end = entries.findIndex((paragraph, index) => {
    left -= plainText({ body: [paragraph] }).length + 2;
    return left < 0 && index > 0;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

function alertButton({ id }: Alert) {
  return { label: `Alert ${id}`, action: `alert:${id}` };
}

/** How old an alert must be before a customer sees it, milliseconds: that of the best of their keys; 0 is real time. */
export async function alertDelay(
  { id }: Customer,
  { customers, clock, freeDelayMs }: Pick<ConversationDeps, 'customers' | 'clock' | 'freeDelayMs'>,
): Promise<number> {
  const keys = await customers.keysOf(id);
  const now = clock.now();
  const isRealtime = keys.some((key) => TIER_POLICIES[effectiveTier(key, now)].isRealtime);
  return alertAgeFor({ isRealtime }, { freeDelayMs });
}
