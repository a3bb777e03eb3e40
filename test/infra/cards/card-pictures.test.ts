import { Resvg } from '@resvg/resvg-js';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import type { PriceChart } from '../../../src/core/alerts/charts/price-chart.ts';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import { layOut } from '../../../src/infra/cards/draw-card.ts';
import { alertOf, exitOf } from '../../support/alerts.ts';

const LONGEST: Alert = alertOf({
  id: 999_999_999_999,
  type: 'cluster',
  eventTitle: 'WMWMW'.repeat(40),
  outcome: 'W'.repeat(100_000),
  entryPrice: 0.999_999,
  usdc: 1e15,
  score: 100,
  resolution: { payout: 0, won: false, profitUsdc: -1e15 },
  withdrawn: { at: 0, reason: null },
  details: {
    ...alertOf({ id: 1 }).details,
    wallets: ['0xa', '0xb', '0xc'],
    clusterTotal: 1e15,
    clusterShares: 1,
    reasons: Array.from({ length: 9 }, () => ({
      factor: 'timing' as const,
      points: 100,
      max: 100,
      note: 'W'.repeat(500),
    })),
  },
});

const MARGINS = { top: 30, bottom: 28, side: 55 };

const pictureOf = (alert: Alert, chart: PriceChart | null = null) =>
  layOut({ alert, newest: alert, exit: null, chart });

function render(svg: string) {
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render();
}

/** The rows of the picture with something else than its ground in the margins. */
function rowsInMargins(svg: string): readonly number[] {
  const { pixels, width, height } = render(svg);
  const ground = Buffer.alloc(width * 4, 0xff);
  const isGround = (row: number, from: number, to: number) =>
    pixels
      .subarray((row * width + from) * 4, (row * width + to) * 4)
      .equals(ground.subarray(0, (to - from) * 4));
  const isInMargin = (row: number) => row < MARGINS.top || row >= height - MARGINS.bottom;
  return Array.from({ length: height }, (_, row) => row).filter((row) => {
    if (isInMargin(row)) return !isGround(row, 0, width);
    return !isGround(row, 0, MARGINS.side) || !isGround(row, width - MARGINS.side, width);
  });
}

/** Pixels of this colour right of the middle. */
function pixelsOf(svg: string, colour: string): number {
  const { pixels, width } = render(svg);
  const wanted = Buffer.from(`${colour}ff`, 'hex').readUInt32LE();
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  return words.reduce((sum, word, index) => sum + Number(word === wanted && index % width > width / 2), 0);
}

const HOURS = [0, 1, 2, 6, 7, 8, 9, 100];
const RIGHT = alertOf({ id: 1, resolution: { payout: 1, won: true, profitUsdc: 1 } });
const CHART: PriceChart = {
  outcome: LONGEST.outcome,
  line: HOURS.map((hours, index) => ({ at: hours * HOUR_MS, price: index % 2 === 0 ? 0.0004 : 0.9996 })),
  alerts: HOURS.map((hours) => ({
    at: hours * HOUR_MS,
    price: 0.9996,
    alert: RIGHT,
    isMain: hours === 100,
  })),
  exits: [{ at: 8 * HOUR_MS, price: 0.5, exit: exitOf({ number: 1 }) }],
  settlement: { at: 100 * HOUR_MS, price: 0 },
};

describe('the picture of an alert', () => {
  test.each([
    ['the longest texts', LONGEST],
    ['a title of many short words', { ...LONGEST, eventTitle: 'Wow me '.repeat(40) }],
    ['a short title', { ...LONGEST, eventTitle: 'W'.repeat(40) }],
  ])('with %s keeps its margins', async (_, alert) => {
    expect(rowsInMargins(await pictureOf(alert))).toEqual([]);
  });

  test('with the longest texts and a chart keeps its margins, and shows line and marks', async () => {
    const svg = await pictureOf(LONGEST, CHART);
    expect(rowsInMargins(svg)).toEqual([]);
    // Neither is elsewhere on the card of a lost alert: the marks, and the line.
    for (const colour of ['0a6b45', '0b5fa5']) expect(pixelsOf(svg, colour)).toBeGreaterThan(300);
  });

  test('has no character that its fonts lack: the slug stands for such a title, the number for such a slug', async () => {
    const given = { eventTitle: '東京は雨ですか？', eventSlug: 'дождь-in-τόκιο', outcome: 'はい' };
    const said = { eventTitle: 'Дождь in τόκιο', eventSlug: '', outcome: 'outcome 1' };
    expect(await pictureOf(alertOf({ id: 1, ...given }))).toBe(await pictureOf(alertOf({ id: 1, ...said })));
    const numbered = await pictureOf(alertOf({ id: 1, ...given, eventSlug: '東京' }));
    expect(numbered).toBe(await pictureOf(alertOf({ id: 1, ...said, eventTitle: 'Market of alert 1' })));
  });
});
