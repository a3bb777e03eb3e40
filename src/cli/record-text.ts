import { wrapped } from '../../bots/terminal/screen-text.ts';
import type {
  FigureName,
  FollowerCounts,
  MoveCounts,
  RecordBettor,
  RecordCapital,
  RecordGroup,
  RecordGroups,
  RecordMean,
  RecordStage,
} from '../core/record/record-report.ts';
import { alignColumns } from './terminal.ts';

export function stageHeading({ stage, first_alert_at: first, last_alert_at: last }: RecordStage): string {
  const name = stage === 'plan' ? 'The plan' : 'Rehearsal, before the plan';
  return `${name}: alerts of ${first.slice(0, 10)} to ${last.slice(0, 10)}`;
}

export function stageTexts(stage: RecordStage): readonly string[] {
  return [
    bettorsText(stage),
    countsText(stage),
    ...BLOCKS.map(([title, words]) => figuresText(title, Object.keys(words) as FigureName[], stage)),
    exitsText(stage),
    groupsText(stage.groups),
  ];
}

const MOVES = {
  impact: 'own impact',
  move_1h: '1 h later',
  move_24h: '24 h later',
  move_24h_from_entry: '24 h later, from the entry',
  controls_move_24h: 'controls, 24 h later',
  move_24h_minus_controls: '24 h, minus controls',
} as const;
const RESULTS = {
  won_minus_price: 'won - price',
  position_won_minus_price: 'won - price of the position',
  follower_pro: 'follower, Pro',
  follower_free: 'follower, Free',
} as const;
const RIVALS = {
  rivals_1000_move_24h: 'buys of 1,000: 24 h later',
  rivals_5000_move_24h: 'buys of 5,000: 24 h later',
  rivals_by_usdc_move_24h: 'most USDC: 24 h later',
  rivals_by_to_win_move_24h: 'most to win: 24 h later',
  rivals_1000_won_minus_price: 'buys of 1,000: won - price',
  rivals_5000_won_minus_price: 'buys of 5,000: won - price',
  rivals_by_usdc_won_minus_price: 'most USDC: won - price',
  rivals_by_to_win_won_minus_price: 'most to win: won - price',
} as const;
const FIGURE_WORDS: Readonly<Record<FigureName, string>> = { ...MOVES, ...RESULTS, ...RIVALS };
const BLOCKS = [
  ['Price after an alert, from the first order 60 s after its publication', MOVES],
  ['Held to the end; a follower pays the price 60 s later plus the fee', RESULTS],
  ['Rivals: other large buys of the same markets', RIVALS],
] as const;

export function figuresText(
  title: string,
  names: readonly FigureName[],
  { figures }: Pick<RecordStage, 'figures'>,
): string {
  const rows = names.map((name) => meanRow(FIGURE_WORDS[name], figures[name]));
  return [title, ...alignColumns([['', 'alerts', 'events', 'per event ¢', 'per alert ¢'], ...rows])].join(
    '\n',
  );
}

function meanRow(name: string, { alerts, events, mean, per_alert }: RecordMean): string[] {
  return [name, number(alerts), number(events), signedCentsOf(mean), signedCentsOf(per_alert)];
}

function bettorsText({ bettor, holder }: RecordStage): string {
  const { low, high } = bettor;
  const rows = [
    bettorRow('one bet at a time, one day each', bettor),
    bettorRow('every alert, held to the end', holder),
  ];
  const head = ['', 'bets', 'open', 'has', 'most', 'against', 'most', 'at'];
  const interval = `Mean move in 24 h, 96 % interval: ${signedCentsOf(low)} to ${signedCentsOf(high)} ¢`;
  return [
    'The bettors, who begin with $1 and show something at',
    ...alignColumns([head, ...rows]),
    interval,
  ].join('\n');
}

function bettorRow(name: string, { bets, open, bought, sold, threshold }: RecordBettor): string[] {
  const capital = ({ now, highest }: RecordCapital) => [now.toFixed(2), highest.toFixed(2)];
  return [name, number(bets), number(open), ...capital(bought), ...capital(sold), number(threshold)];
}

const COLUMNS = 80;
const HANG = 17;

function countsText({ counts, controls, coverage }: RecordStage): string {
  const { alerts, counted, events, settled, move_24h } = counts;
  const sizes = `mean ${usdc(controls.mean_usdc)} USDC (alerts ${usdc(controls.alerts_mean_usdc)} USDC)`;
  const [measured, rest] = [coverage.measured, coverage.rest].map(({ per_alert }) =>
    signedCentsOf(per_alert),
  );
  return [
    `${number(counted)} of ${number(alerts)} alerts count, the first of each wallet, market and outcome`,
    `events:          ${number(events)}; alerts settled: ${number(settled)}`,
    `24 h later:      ${partsOf(move_24h)}`,
    `won - price:     ${measured} ¢ per alert for those measured, ${rest} ¢ for the rest`,
    `follower, Pro:   ${partsOf(counts.follower_pro)}`,
    `follower, Free:  ${partsOf(counts.follower_free)}`,
    `controls:        ${number(controls.eligible)} buys of the same outcome, ${number(controls.measured)} measured, ${sizes}`,
  ]
    .map((text) => wrapped(text, COLUMNS, HANG))
    .join('\n');
}

function partsOf(counts: MoveCounts | FollowerCounts): string {
  const parts = Object.entries(counts).filter(([name, count]) => count > 0 || name in ALWAYS);
  return parts.map(([name, count]) => `${number(count)} ${name.replaceAll('_', ' ')}`).join(', ');
}

const ALWAYS = { measured: true, no_price: true, not_fillable: true };

function exitsText({ exits: { positions, realized_usdc, held_usdc } }: RecordStage): string {
  const rows = [
    ['', 'positions', 'realised, USDC', 'the same shares held, USDC'],
    ['all of settled markets', number(positions), number(realized_usdc), number(held_usdc)],
  ];
  return ['Sold on the market before the end, without a verdict', ...alignColumns(rows)].join('\n');
}

function groupsText(groups: RecordGroups): string {
  const parts = Object.entries(groups) as [keyof RecordGroups, readonly RecordGroup[]][];
  const rows = parts.flatMap(([kind, own]) => [
    [kind, '', '', '', ''],
    ...own.map(({ name, alerts, events, move_24h, won_minus_price }) => [
      `  ${name}`,
      number(alerts),
      number(events),
      signedCentsOf(move_24h.mean),
      signedCentsOf(won_minus_price.mean),
    ]),
  ]);
  const head = ['', 'alerts', 'events', '24 h later ¢', 'won - price ¢'];
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
