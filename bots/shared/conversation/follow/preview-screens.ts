import type { Alert } from '../../../../src/core/alerts/alert.ts';
import { ratesOf } from '../../../../src/core/alerts/figures/win-rates.ts';
import { windowWords } from '../../../../src/core/alerts/figures/window-words.ts';
import type { MarketReport } from '../../../../src/core/alerts/market-report.ts';
import type { LastingFilter } from '../../../../src/core/alerts/passes-filter.ts';
import type { WalletReport } from '../../../../src/core/alerts/wallet-report.ts';
import {
  ago,
  cents,
  counted,
  cutLine,
  cutText,
  daysOld,
  dollars,
  grouped,
  oneLine,
  shortWallet,
} from '../../../../src/core/base/text/formats.ts';
import type { EpochMs } from '../../../../src/core/base/time/duration.ts';
import { DEFAULT_RULES } from '../../../../src/core/detection/rules.ts';
import { DAILY_LIMITS } from '../../../../src/core/follow/day-of-person.ts';
import { filterCode } from '../../../../src/core/follow/filter-code.ts';
import type { FilterPreview } from '../../../../src/core/follow/filter-preview.ts';
import { filterWords } from '../../../../src/core/follow/follow-words.ts';
import { walletOutlook } from '../../../../src/core/follow/wallet-outlook.ts';
import { NOTHING_MEASURED } from '../../../../src/core/record/conclusion.ts';
import type { RecordReport } from '../../../../src/core/record/record-report.ts';
import { marketAddress, walletAddress } from '../../../../src/core/trades/other-sites.ts';
import { recordLine } from '../../posts/digest-post.ts';
import { type Button, type Paragraph, plainScreen, type Screen } from '../../screen.ts';
import { MENU_BUTTONS } from '../buttons.ts';
import { delayWords } from '../words.ts';

const TITLE_LENGTH = 80;
const OUTCOME_LENGTH = 40;
const LABEL_LENGTH = 36;
const NEWEST_SHOWN = 3;
const FRESH = `at most ${DEFAULT_RULES.fresh.maxAgeDays} days old and in at most ${DEFAULT_RULES.fresh.maxMarkets} markets`;

interface FilterState {
  readonly preview: FilterPreview;
  /** With a higher minimum, if the filter matches more than the daily cap; otherwise null. */
  readonly narrower: LastingFilter | null;
  readonly delayMs: number;
  readonly now: EpochMs;
  /** The newest; null before the first. */
  readonly record: RecordReport | null;
  /** The rule to change; null for a new one. */
  readonly edited: string | null;
}

/** What a rule would bring, before it is saved. */
export function filterPreview(filter: LastingFilter, state: FilterState): Screen {
  const { preview, narrower, delayMs, now, record, edited } = state;
  const { settled } = preview;
  const { averageEntry } = ratesOf(settled);
  const save =
    edited === null
      ? { label: 'Follow', action: `fs:${filterCode(filter)}` }
      : { label: 'Save the change', action: `fc:${edited}:${filterCode(filter)}` };
  const less =
    narrower === null
      ? []
      : [{ label: `Only ${narrower.minScore} or more`, action: viewAction(narrower, edited) }];
  return plainScreen(
    'follow_preview',
    [
      [{ bold: 'Filter: ' }, `${filterWords(filter)}, ${delayWords(delayMs)}.`],
      [{ bold: rateWords(preview, now) }, ...capWords(preview, narrower)],
      ...newestWords(preview.newest, now),
      ...(preview.total === 0
        ? []
        : [
            recordLine(
              { ...settled, markets: settled.markets.resolved, averageEntry },
              windowWords('30 days', { until: preview.until, now }),
            ),
          ]),
      `Across all alerts: ${record?.conclusion ?? NOTHING_MEASURED} More: /record`,
    ],
    [[save, ...less], [MENU_BUTTONS]],
    { action: edited === null ? 'follow' : `follow_edit_to:${edited}`, label: 'Another filter' },
  );
}

/** The action that shows what a rule would bring. */
export function viewAction(filter: LastingFilter, edited: string | null = null): string {
  return `fv:${edited ?? ''}:${filterCode(filter)}`;
}

function rateWords({ total, perDay, days, until }: FilterPreview, now: EpochMs): string {
  if (days === 0) return 'There are no alerts to count yet.';
  const window = `the ${windowWords(days === 1 ? 'day' : `${days} days`, { until, now })}`;
  if (total === 0) return `Nothing matched in ${window}.`;
  const rate = perDay >= 10 ? String(Math.round(perDay)) : perDay.toFixed(1).replace('.0', '');
  const share = perDay < 1 ? 'Fewer than one a day' : `About ${rate} a day`;
  return `${share}: ${grouped(total)} in ${window}, under today’s rules.`;
}

function capWords({ perDay }: FilterPreview, narrower: LastingFilter | null): Paragraph {
  if (perDay <= DAILY_LIMITS.filters) return [];
  const way = narrower === null ? '' : ' A higher minimum brings fewer.';
  return [
    ` Filters bring at most ${DAILY_LIMITS.filters} of them a day; the rest come as one list at 19:00.${way}`,
  ];
}

function newestWords(newest: readonly Alert[], now: EpochMs): readonly Paragraph[] {
  if (newest.length === 0) return [];
  const lines = newest.slice(0, NEWEST_SHOWN).map((alert) => `\n${newestLine(alert, now)}`);
  return [[{ bold: 'The newest' }, ...lines]];
}

function newestLine(alert: Alert, now: EpochMs): string {
  const { id, type, score, usdc, entryPrice, createdAt, side } = alert;
  const outcome = cutLine(alert.outcome, OUTCOME_LENGTH);
  const title = cutLine(alert.eventTitle, TITLE_LENGTH);
  const trade =
    side === 'BUY'
      ? `${dollars(usdc)}${type === 'fresh' ? '' : ' more'} on ${outcome}`
      : `sold ${dollars(usdc)} of ${outcome}`;
  return `${score} · ${trade} at ${cents(entryPrice)} · ${title} · alert ${id}, ${ago(createdAt, now)}`;
}

/** What following a wallet would bring. */
export function walletPreview(wallet: string, report: WalletReport | null, now: EpochMs): Screen {
  const name: Paragraph = [{ bold: 'Wallet ' }, { link: walletAddress(wallet), text: shortWallet(wallet) }];
  const follow = (label: string): Button => ({ label, action: `follow_wallet:${wallet}` });
  if (report === null) {
    const words = `I have no alert about it. You will hear about its first one, which only a new wallet can cause: ${FRESH}.`;
    return plainScreen('wallet_preview', [name, words], [[follow('Follow'), MENU_BUTTONS]]);
  }
  const { ageDays, isFresh, open } = walletOutlook(report, now);
  const newest = newestWords([...report.alerts, ...report.clusters.newest].toSorted(newestFirst), now);
  if (isFresh) {
    const words = `It is ${daysOld(ageDays)}. You hear about its new alerts while it is new (${FRESH}), and about the exits and results of its positions.`;
    return plainScreen('wallet_preview', [name, words, ...newest], [[follow('Follow'), MENU_BUTTONS]]);
  }
  return plainScreen(
    'old_wallet',
    [name, oldWords(ageDays, open.length), ...newest],
    [...marketButtons(open), [follow('Follow the wallet'), MENU_BUTTONS]],
  );
}

function oldWords(ageDays: number, positions: number): string {
  const old = `This wallet is ${counted(ageDays, 'day')} old and causes no new alerts;`;
  return positions === 0
    ? `${old} the positions that I know of have settled, so there is nothing left to report.`
    : `${old} you hear about the exits and results of its ${counted(positions, 'position')}. Its markets can still have new alerts:`;
}

function marketButtons(open: readonly Alert[]): readonly (readonly Button[])[] {
  const markets = new Map(open.map((alert) => [alert.marketId, alert]));
  return [...markets.values()].slice(0, NEWEST_SHOWN).map(({ id, eventTitle }) => {
    const label = cutText(`Follow ${oneLine(eventTitle)}`, LABEL_LENGTH);
    return [{ label, action: `fm:${id}` }];
  });
}

/** What following a market would bring. */
export function marketPreview({ newest, total, alerts, resolution }: MarketReport, now: EpochMs): Screen {
  const name: Paragraph = [
    { bold: 'Market ' },
    { link: marketAddress(newest), text: cutLine(newest.eventTitle, TITLE_LENGTH) },
  ];
  const isOver = resolution !== null;
  const words = isOver
    ? 'It has settled: there is nothing left to report.'
    : `${counted(total, 'alert')} so far. You hear about new ones, exits and the result.`;
  const follow = isOver ? [] : [{ label: 'Follow', action: `fm:${newest.id}` }];
  return plainScreen(
    'market_preview',
    [name, words, ...newestWords(alerts, now)],
    [[...follow, MENU_BUTTONS]],
  );
}

/** What can be followed from an alert: its wallet, unless it is a cluster or hidden, and its market. */
export function alertFollows(alert: Alert, { isHidden, now }: { isHidden: boolean; now: EpochMs }): Screen {
  const { id, type } = alert;
  const wallet = type === 'cluster' || isHidden ? [] : [{ label: 'Follow wallet', action: `fw:${id}` }];
  return plainScreen(
    'follow_alert',
    [
      [{ bold: 'What do you want to follow?' }, `\n${newestLine(alert, now)}`],
      'The wallet: its new alerts while it is new, exits and results. The market: all alerts on it.',
    ],
    [
      [...wallet, { label: 'Follow market', action: `fm:${id}` }],
      [{ label: 'Why', action: `alert:${id}` }, MENU_BUTTONS],
    ],
  );
}

function newestFirst(one: { readonly id: number }, other: { readonly id: number }): number {
  return other.id - one.id;
}
