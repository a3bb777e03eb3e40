import { dollars } from '../../base/text/formats.ts';
import type { PricePoint } from '../../trades/price-point.ts';
import type { ChartAlert, Size } from './price-chart.ts';

/**
 * Alerts that are drawn as one mark at the place of `alerts[0]`, which is the newest of them or the one that the chart is about.
 */
export interface AlertMark {
  readonly alerts: readonly [ChartAlert, ...ChartAlert[]];
  /** Pixels from the left and the top. */
  readonly x: number;
  readonly y: number;
  /** What the bet of one alert has put in, or the number of alerts; null where it would cover another part. */
  readonly label: { readonly text: string; readonly isAbove: boolean } | null;
}

interface Surroundings {
  readonly size: Size;
  readonly place: (point: PricePoint) => readonly [number, number];
  /** Where other marks are. */
  readonly others: readonly (readonly [number, number])[];
}

/** Least distance between pointer targets (WCAG 2.2, 2.5.8), in pixels. */
const APART = 24;
/** Half of the side of the square that a mark covers. */
const REACH = 8;
const LABEL_HEIGHT = 15;
/** Widest figures of a text of 12 px. */
const CHARACTER_WIDTH = 7.5;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Marks at least 24 px from each other, with the labels that fit; the main alert's label has priority, then those of newer
 * alerts.
 */
export function placeMarks(alerts: readonly ChartAlert[], around: Surroundings): readonly AlertMark[] {
  const byRank = alerts.toSorted(
    (a, b) => Number(b.isMain ?? false) - Number(a.isMain ?? false) || b.at - a.at,
  );
  const groups: { readonly x: number; readonly y: number; readonly alerts: [ChartAlert, ...ChartAlert[]] }[] =
    [];
  for (const alert of byRank) {
    const [x, y] = around.place(alert);
    const near = groups.find((group) => Math.abs(group.x - x) < APART && Math.abs(group.y - y) < APART);
    if (near === undefined) groups.push({ x, y, alerts: [alert] });
    else near.alerts.push(alert);
  }
  const taken = [...groups.map(({ x, y }) => [x, y] as const), ...around.others].map(([x, y]) =>
    boxAround(x, y, { width: 2 * REACH, height: 2 * REACH }),
  );
  return groups
    .map((group) => ({ ...group, label: labelOf(group, taken, around.size) }))
    .toSorted((a, b) => a.x - b.x);
}

/** Its box is then occupied. */
function labelOf(
  { x, y, alerts: [first, ...others] }: Pick<AlertMark, 'x' | 'y' | 'alerts'>,
  taken: Box[],
  { width, height }: Size,
): AlertMark['label'] {
  const text = others.length === 0 ? shortDollars(first.putInUsdc) : `×${others.length + 1}`;
  const size = { width: text.length * CHARACTER_WIDTH, height: LABEL_HEIGHT };
  for (const isAbove of [true, false]) {
    const box = boxAround(x, y + (isAbove ? -1 : 1) * (REACH + LABEL_HEIGHT / 2), size);
    const isInside = box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;
    if (!isInside || taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    return { text, isAbove };
  }
  return null;
}

function boxAround(x: number, y: number, { width, height }: Size): Box {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

const THOUSAND = 1_000;
const MILLION = 1_000_000;

/** `$640`, `$4.4k`, `$44k`, `$1.2M`. */
function shortDollars(usdc: number): string {
  const [unit, sign] = usdc >= MILLION - THOUSAND / 2 ? [MILLION, 'M'] : [THOUSAND, 'k'];
  if (usdc < THOUSAND - 0.5) return dollars(usdc);
  const amount = usdc / unit;
  return `$${amount < 9.95 ? Number(amount.toFixed(1)) : Math.round(amount)}${sign}`;
}
