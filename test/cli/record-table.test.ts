import { describe, expect, it } from 'vitest';
import { recordTable } from '../../src/cli/record-table.ts';
import type { PublishedRecord, RecordEntry, RecordFigures } from '../../src/core/record/record.ts';

const none: RecordFigures = {
  count: 0,
  resolved: 0,
  winRate: null,
  averageEntry: null,
  edge: null,
  intervals: null,
};
const empty: RecordEntry = {
  perEvent: none,
  perMarket: none,
  perAlert: none,
  profitUsdc: null,
  positions: { count: 0, profitUsdc: null },
};
const all: RecordEntry = {
  perEvent: { count: 1, resolved: 1, winRate: 0.5, averageEntry: 0.4, edge: 0.1, intervals: null },
  perMarket: {
    count: 39,
    resolved: 39,
    winRate: 0.6,
    averageEntry: 0.5,
    edge: 0.1,
    intervals: {
      winRate: { low: 0.451, high: 0.749 },
      averageEntry: { low: 0.42, high: 0.58 },
      edge: { low: -0.0304, high: 0.2296 },
    },
  },
  perAlert: {
    count: 132,
    resolved: 130,
    winRate: 0.492,
    averageEntry: 0.59,
    edge: -0.098,
    intervals: {
      winRate: { low: 0.4, high: 1 },
      averageEntry: { low: 0.5, high: 0.6 },
      edge: { low: -0.2, high: -0.0004 },
    },
  },
  profitUsdc: -12345.6,
  positions: { count: 101, profitUsdc: 2345.4 },
};
const record: PublishedRecord = {
  all,
  byType: { fresh: all, fresh_accumulator: empty, cluster: empty },
  byBand: { very_high: all, strong: empty, moderate: empty, informational: empty },
};

describe('recordTable', () => {
  const blocks = recordTable(record).split('\n\n');
  const [, perMarket = '', perAlert = '', profits = ''] = blocks;
  const rowOf = (block: string, label: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${label} `))
      ?.split(/ {2,}/);

  it('leads with the markets, then the alerts, and ends with the sums of dollars', () => {
    expect(blocks.map((block) => block.slice(0, 10))).toEqual([
      'Edge: win ',
      'Per market',
      'Per alert ',
      'Profit in ',
    ]);
    expect(blocks.slice(0, -1).join()).not.toContain('USDC');
    expect(profits).toMatch(/A position counts once in each row, so the rows do\s+not add up\./);
  });

  it('shows each figure with its interval, signs included', () => {
    expect(rowOf(perMarket, 'all')).toEqual([
      'all',
      '39',
      '60.0 [45, 75]',
      '50.0 [42, 58]',
      '+10.0 [-3.0, +23.0]',
    ]);
  });

  it('shows how many of the observations are resolved where some are not', () => {
    expect(rowOf(perAlert, 'all')?.[1]).toBe('130/132');
  });

  it('shows a dash where nothing is resolved, and where there is no interval', () => {
    expect(rowOf(perAlert, 'cluster')).toEqual(['cluster', '0', '-', '-', '-']);
    const alone = { ...all, perMarket: { ...all.perMarket, count: 1, resolved: 1, intervals: null } };
    const [, block = ''] = recordTable({ ...record, all: alone }).split('\n\n');
    expect(rowOf(block, 'all')).toEqual(['all', '1', '60.0 [-]', '50.0 [-]', '+10.0 [-]']);
  });

  it('shows events first where there are several and they are not the markets themselves', () => {
    const several = { ...all, perEvent: { ...all.perEvent, count: 12, resolved: 12 } };
    const [, first = ''] = recordTable({ ...record, all: several }).split('\n\n');
    expect(first).toContain('Per event (one vote each)');
    expect(rowOf(first, 'all')?.[1]).toBe('12');
  });

  it('sums the dollars of the orders and of the positions, to the dollar, and says how many each are', () => {
    expect(
      profits
        .split('\n')
        .find((line) => /^ +alerts/.test(line))
        ?.trim()
        .split(/ {2,}/),
    ).toEqual([...['alerts', 'order profit', 'positions', 'position profit']]);
    expect(rowOf(profits, 'all')).toEqual(['all', '130/132', '-12,346', '101', '+2,345']);
    expect(rowOf(profits, 'cluster')).toEqual(['cluster', '0', '-', '0', '-']);
  });

  it('has a row for all, each type and each band, in that order', () => {
    const labels = perAlert
      .split('\n')
      .slice(2)
      .map((line) => line.split(/ {2,}/)[0]);
    expect(labels).toEqual([
      'all',
      'fresh',
      'fresh_accumulator',
      'cluster',
      '80-100 very high',
      '60-79 strong',
      '40-59 moderate',
      'below 40',
    ]);
  });

  it('aligns its columns, within 80 of them', () => {
    for (const block of [perMarket, perAlert]) {
      const lengths = new Set(
        block
          .split('\n')
          .slice(1)
          .map((line) => line.length),
      );
      expect(lengths.size).toBe(1);
    }
    for (const line of recordTable(record).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('never shows a negative zero', () => {
    expect(rowOf(perAlert, 'all')?.[4]).toBe('-9.8 [-20.0, 0.0]');
    const tiny = { ...all, profitUsdc: -0.001 };
    expect(
      rowOf(
        recordTable({ ...record, all: tiny })
          .split('\n\n')
          .at(-1) ?? '',
        'all',
      )?.[2],
    ).toBe('0');
  });
});
