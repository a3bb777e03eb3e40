import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import satori from 'satori';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { CARD_SIZE, cardOf } from '../../../src/core/alerts/cards/card.ts';
import { type ChartAlert, chartAlert, type PriceChart } from '../../../src/core/alerts/charts/price-chart.ts';
import { cardTree } from '../../../src/infra/cards/draw-card.ts';
import { cardTexts, FONTS, glyphsOf } from '../../../src/infra/cards/fonts.ts';
import { alertOf } from '../../support/alerts.ts';

const LONGEST: Alert = alertOf({
  id: 999_999_999_999,
  type: 'cluster',
  eventTitle: 'WMWMW'.repeat(40),
  outcome: 'W'.repeat(100_000),
  entryPrice: 0.999_999,
  usdc: 1e15,
  score: 100,
  resolution: { payout: 0, won: false, profitUsdc: -1e15 },
  details: {
    ...alertOf({ id: 1 }).details,
    wallets: ['0xa', '0xb', '0xc'],
    clusterTotal: 1e15,
    clusterShares: 1,
    reasons: Array.from({ length: 9 }, () => ({
      factor: 'to_win' as const,
      points: -100,
      max: 100,
      note: 'W'.repeat(500),
    })),
  },
});

const MARGINS = { top: 30, bottom: 28, side: 55 };

interface Box {
  readonly type: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

async function layOut(alert: Alert, chart: PriceChart | null = null) {
  const boxes: Box[] = [];
  const card = cardOf(
    { alert: { ...alert, withdrawn: { at: 0, reason: null } }, newest: alert, exit: null, chart },
    await glyphsOf(cardTexts(alert)),
  );
  const svg = await satori(cardTree(card), {
    ...CARD_SIZE,
    fonts: FONTS,
    onNodeDetected: (node) => boxes.push(node),
  });
  return { svg, boxes };
}

/** The rows of the picture with something else than its ground in the margins. */
function rowsInMargins(svg: string): readonly number[] {
  const { pixels, width, height } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
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
  const { pixels, width } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const wanted = Buffer.from(`${colour}ff`, 'hex').readUInt32LE();
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  return words.reduce((sum, word, index) => sum + Number(word === wanted && index % width > width / 2), 0);
}

const HOUR = 3_600_000;
const HOURS = [0, 1, 2, 6, 7, 8, 9, 100];
const CHART: PriceChart = {
  outcome: LONGEST.outcome,
  line: HOURS.map((hours, index) => ({ at: hours * HOUR, price: index % 2 === 0 ? 0.0004 : 0.9996 })),
  alerts: HOURS.map((hours): ChartAlert => {
    return {
      ...chartAlert(LONGEST, 0.9996),
      at: hours * HOUR,
      isMain: hours === 100,
      result: 'right',
    };
  }),
  exits: [{ at: 8 * HOUR, price: 0.5, words: 'Sold 60 %' }],
  settlement: { at: 100 * HOUR, price: 0 },
};

describe('the picture of an alert', () => {
  test.each([
    ['the longest texts', LONGEST],
    ['a title of many short words', { ...LONGEST, eventTitle: 'Wow me '.repeat(40) }],
    ['a title of the middle size', { ...LONGEST, eventTitle: 'W'.repeat(100) }],
    ['a short title', { ...LONGEST, eventTitle: 'W'.repeat(40) }],
  ])('with %s keeps its margins', async (_, alert) => {
    const { svg, boxes } = await layOut(alert);
    expect(rowsInMargins(svg)).toEqual([]);
    const outside = boxes.filter(
      ({ left: x, top: y, width, height }) => x < 0 || y < 0 || x + width > 1_200 || y + height > 630,
    );
    expect(outside).toEqual([]);
  });

  test('with the longest texts and a chart keeps its margins, and shows line and marks', async () => {
    const { svg, boxes } = await layOut(LONGEST, CHART);
    expect(rowsInMargins(svg)).toEqual([]);
    const outside = boxes.filter(
      ({ left: x, top: y, width, height }) => x < 0 || y < 0 || x + width > 1_200 || y + height > 630,
    );
    expect(outside).toEqual([]);
    // Neither is elsewhere on the card of a lost alert: the marks, and the line.
    for (const colour of ['0a6b45', '0b5fa5']) expect(pixelsOf(svg, colour)).toBeGreaterThan(300);
  });

  test('of any text has a glyph for each character', async () => {
    const known = fc.constantFrom('a', 'É', 'ж', 'Ω', 'ộ', ' ');
    const other = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.constantFrom('🏆', '東', 'ע', '\u0301', '\u200d'),
    );
    const text = fc
      .array(fc.oneof({ weight: 20, arbitrary: known }, { weight: 1, arbitrary: other }), { maxLength: 30 })
      .map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (eventTitle, eventSlug, outcome) => {
        const alert = alertOf({ id: 1, eventTitle, eventSlug, outcome });
        const missing: string[] = [];
        await satori(
          cardTree(
            cardOf({ alert, newest: alert, exit: null, chart: null }, await glyphsOf(cardTexts(alert))),
          ),
          {
            ...CARD_SIZE,
            fonts: FONTS,
            loadAdditionalAsset: async (_, segment) => {
              missing.push(segment);
              return [];
            },
          },
        );
        expect(missing).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
