import { wrapped } from '../../bots/terminal/screen-text.ts';
import type {
  DriftCounts,
  FigureName,
  FollowerCounts,
  RecordFigure,
  RecordGroup,
  RecordGroups,
  RecordPeriod,
  RecordVerdict,
} from '../core/record/record-report.ts';
import { alignColumns } from './terminal.ts';

/** `Rules 3, alerts of 2027-01-01 to 2027-02-11; the next verdict is at …`. */
export function periodHeading({
  rule_version,
  stage,
  first_alert_at: first,
  last_alert_at: last,
  next_verdict_at,
}: RecordPeriod): string {
  const days = `alerts of ${first.slice(0, 10)} to ${last.slice(0, 10)}`;
  const next = next_verdict_at === null ? '' : `; the next verdict is at ${next_verdict_at}`;
  return `Rules ${rule_version}${stage === 'before_plan' ? ' before the plan' : ''}, ${days}${next}`;
}

/** Tables of a period, at most 80 columns wide: a paragraph each, the verdicts first. */
export function periodTexts(period: RecordPeriod): readonly string[] {
  return [
    ...period.verdicts.map(verdictText),
    countsText(period),
    ...BLOCKS.map(([title, words]) => figuresText(title, Object.keys(words) as FigureName[], period)),
    groupsText(period.groups),
  ];
}

const MOVES = {
  impact: 'own impact',
  drift_1h: '1 h later',
  drift_24h: '24 h later',
  drift_24h_from_entry: '24 h later, from the entry',
  controls_drift_1h: 'controls, 1 h later',
  controls_drift_24h: 'controls, 24 h later',
  drift_1h_minus_controls: '1 h, minus controls',
  drift_24h_minus_controls: '24 h, minus controls',
  drift_24h_minus_rivals_1000: '24 h, minus all buys of 1,000',
} as const;
const RESULTS = {
  won_minus_price: 'won - price',
  position_won_minus_price: 'won - price of the position',
  follower_pro: 'follower, Pro',
  follower_free: 'follower, Free',
} as const;
const RIVALS = {
  rivals_1000_drift_24h: 'buys of 1,000: 24 h later',
  rivals_5000_drift_24h: 'buys of 5,000: 24 h later',
  rivals_by_usdc_drift_24h: 'most USDC: 24 h later',
  rivals_by_profit_at_stake_drift_24h: 'most at stake: 24 h later',
  rivals_1000_won_minus_price: 'buys of 1,000: won - price',
  rivals_5000_won_minus_price: 'buys of 5,000: won - price',
  rivals_by_usdc_won_minus_price: 'most USDC: won - price',
  rivals_by_profit_at_stake_won_minus_price: 'most at stake: won - price',
} as const;
const FIGURE_WORDS: Readonly<Record<FigureName, string>> = { ...MOVES, ...RESULTS, ...RIVALS };
const BLOCKS = [
  ['Price after an alert, from 60 s after its publication', MOVES],
  ['Held to the end; a follower pays the price of 60 s later and the fee', RESULTS],
  ['Rivals: other large buys of the same markets', RIVALS],
] as const;

/** These figures of a period as a table with a title, at most 80 columns wide. */
export function figuresText(
  title: string,
  names: readonly FigureName[],
  { figures }: Pick<RecordPeriod, 'figures'>,
): string {
  const rows = names.map((name) => {
    const { alerts, events, per_alert } = figures[name];
    return [
      FIGURE_WORDS[name],
      number(alerts),
      number(events),
      centsWithInterval(figures[name]),
      signedCentsOf(per_alert),
    ];
  });
  const head = ['', 'alerts', 'events', 'per event ¢', 'per alert ¢'];
  return [title, ...alignColumns([head, ...rows])].join('\n');
}

function verdictText({ day, text, comparisons }: RecordVerdict): string {
  const rows = comparisons.map((each) => [
    FIGURE_WORDS[each.name],
    number(each.blocks),
    centsWithInterval(each),
    each.p_adjusted === null ? '-' : each.p_adjusted.toFixed(3),
    VERDICTS[each.verdict],
  ]);
  const head = ['', 'blocks', 'per event ¢', 'p', 'verdict'];
  return [`Verdict of ${day}: ${text}`, ...alignColumns([head, ...rows])].join('\n');
}

const COLUMNS = 80;
/** Columns before the text of a count. */
const HANG = 17;

const VERDICTS = { too_few: 'too few', not_shown: 'not shown', above: 'above', below: 'below' } as const;

function countsText({ counts, controls }: RecordPeriod): string {
  const { alerts, counted, events, blocks, settled, drift_24h, few_controls } = counts;
  const share = controls.same_outcome === null ? '-' : `${(controls.same_outcome * 100).toFixed(0)} %`;
  const sizes = `mean ${usdc(controls.mean_usdc)} USDC (alerts ${usdc(controls.alerts_mean_usdc)} USDC)`;
  return [
    `${number(counted)} of ${number(alerts)} alerts count, the first of each wallet, market and outcome`,
    `events:          ${number(events)}, in ${number(blocks)} ${blocks === 1 ? 'block' : 'blocks'}; alerts settled: ${number(settled)}`,
    `24 h later:      ${partsOf(drift_24h)}`,
    `follower, Pro:   ${partsOf(counts.follower_pro)}`,
    `follower, Free:  ${partsOf(counts.follower_free)}`,
    `controls:        ${number(controls.drawn)} drawn, ${number(controls.measured)} measured, ${share} of the alert's outcome, ${sizes}; ${number(few_controls)} alerts have fewer than 2`,
  ]
    .map((text) => wrapped(text, COLUMNS, HANG))
    .join('\n');
}

function partsOf(counts: DriftCounts | FollowerCounts): string {
  const parts = Object.entries(counts).filter(([name, count]) => count > 0 || name in ALWAYS);
  return parts.map(([name, count]) => `${number(count)} ${name.replaceAll('_', ' ')}`).join(', ');
}

/** Shown also when there is none. */
const ALWAYS = { measured: true, stale: true, not_fillable: true };

function groupsText(groups: RecordGroups): string {
  const parts = Object.entries(groups) as [keyof RecordGroups, readonly RecordGroup[]][];
  const rows = parts.flatMap(([kind, own]) => [
    [kind, '', '', '', ''],
    ...own.map(({ name, alerts, events, drift_24h_minus_controls, won_minus_price }) => [
      `  ${name}`,
      number(alerts),
      number(events),
      signedCentsOf(drift_24h_minus_controls.mean),
      signedCentsOf(won_minus_price.mean),
    ]),
  ]);
  const head = ['', 'alerts', 'events', '24 h, minus controls ¢', 'won - price ¢'];
  return ['Parts of it, without a verdict', ...alignColumns([head, ...rows])].join('\n');
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function usdc(value: number | null): string {
  return value === null ? '-' : number(Math.round(value));
}

/** USDC a share as cents with a sign, which 0 lacks: `-1.2`. */
function signedCentsOf(value: number | null): string {
  if (value === null) return '-';
  const text = (value * 100).toFixed(1);
  if (Number(text) === 0) return text.replace('-', '');
  return value > 0 ? `+${text}` : text;
}

/** `-1.2 [-2.0, -0.4]`. */
function centsWithInterval({ mean, low, high }: Pick<RecordFigure, 'mean' | 'low' | 'high'>): string {
  if (mean === null) return '-';
  const interval = low === null || high === null ? '-' : `${signedCentsOf(low)}, ${signedCentsOf(high)}`;
  return `${signedCentsOf(mean)} [${interval}]`;
}
