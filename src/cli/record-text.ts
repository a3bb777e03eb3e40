import type { RecordBettor, RecordCapital, RecordMean, RecordStage } from '../core/record/record-report.ts';
import { alignColumns } from './terminal.ts';

export function stageHeading({ stage, first_alert_at: first, last_alert_at: last }: RecordStage): string {
  const name = stage === 'plan' ? 'The plan' : 'Rehearsal, before the plan';
  return `${name}: alerts of ${first.slice(0, 10)} to ${last.slice(0, 10)}`;
}

export function stageTexts(stage: RecordStage): readonly string[] {
  const title = 'What the price did in the day after an alert, and what its outcome paid';
  return [bettorsText(stage), countsText(stage), figuresText(title, stage)];
}

export function figuresText(title: string, { figures }: Pick<RecordStage, 'figures'>): string {
  const table = alignColumns([
    ['', 'alerts', 'events', 'per event ¢', 'per alert ¢'],
    meanRow('24 h later', figures.move_24h),
    meanRow('won - price', figures.won_minus_price),
  ]);
  return [title, ...table].join('\n');
}

function meanRow(name: string, { alerts, events, mean, per_alert }: RecordMean): string[] {
  return [name, number(alerts), number(events), signedCentsOf(mean), signedCentsOf(per_alert)];
}

function bettorsText({ bettor, holder }: RecordStage): string {
  const { low, high } = bettor;
  const table = alignColumns([
    ['', 'bets', 'open', 'has', 'most', 'against', 'most', 'at'],
    bettorRow('one bet at a time, one day each', bettor),
    bettorRow('every alert, held to the end', holder),
  ]);
  const interval = `Mean move in 24 h, 96 % interval: ${signedCentsOf(low)} to ${signedCentsOf(high)} ¢`;
  return ['The bettors, who begin with $1 and show something at', ...table, interval].join('\n');
}

function bettorRow(name: string, { bets, open, bought, sold, threshold }: RecordBettor): string[] {
  const capital = ({ now, highest }: RecordCapital) => [now.toFixed(2), highest.toFixed(2)];
  return [name, number(bets), number(open), ...capital(bought), ...capital(sold), number(threshold)];
}

function countsText({ counts: { alerts, counted, events, settled } }: RecordStage): string {
  return [
    `${number(counted)} of ${number(alerts)} alerts count, the first of each wallet, market and outcome`,
    `events:          ${number(events)}; alerts settled: ${number(settled)}`,
  ].join('\n');
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** USDC a share as cents with a sign, which 0 lacks: `-1.2`. */
function signedCentsOf(value: number | null): string {
  if (value === null) return '-';
  const text = (value * 100).toFixed(1);
  if (Number(text) === 0) return text.replace('-', '');
  return value > 0 ? `+${text}` : text;
}
