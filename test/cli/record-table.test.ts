import { describe, expect, it } from 'vitest';
import { recordTable } from '../../src/cli/record-table.ts';
import type { PublishedRecord, RecordEntry, RecordFigures } from '../../src/core/record.ts';

const none: RecordFigures = {
  count: 0,
  resolved: 0,
  winRate: null,
  averageEntry: null,
  edge: null,
  profitUsdc: null,
};
const empty: RecordEntry = { perAlert: none, perMarket: none };
const all: RecordEntry = {
  perAlert: {
    count: 132,
    resolved: 130,
    winRate: 0.492,
    averageEntry: 0.59,
    edge: -0.098,
    profitUsdc: -12345.6,
  },
  perMarket: { count: 39, resolved: 39, winRate: 0.6, averageEntry: 0.5, edge: 0.1, profitUsdc: 7 },
};
const record: PublishedRecord = {
  all,
  byType: { fresh: all, fresh_accumulator: empty, cluster: empty },
  byBand: { very_high: all, strong: empty, moderate: empty, informational: empty },
};

describe('recordTable', () => {
  const [perAlert = '', perMarket = ''] = recordTable(record).split('\n\n');

  it('shows the figures of a row, signs included', () => {
    expect(perAlert.split('\n')[2]).toMatch(/^all +132 +130 +49\.2 % +0\.590 +-0\.098 +-12345\.60$/);
    expect(perMarket.split('\n')[2]).toMatch(/^all +39 +39 +60\.0 % +0\.500 +\+0\.100 +\+7\.00$/);
  });

  it('shows a dash where nothing is resolved', () => {
    expect(perAlert).toMatch(/^cluster +0 +0 +- +- +- +-$/m);
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
      'below 40 informational',
    ]);
  });

  it('aligns its columns: every line of a block but its title has one length', () => {
    for (const block of [perAlert, perMarket]) {
      const lengths = new Set(
        block
          .split('\n')
          .slice(1)
          .map((line) => line.length),
      );
      expect(lengths.size).toBe(1);
    }
  });

  it('never shows a negative zero', () => {
    const tiny = { ...all.perAlert, edge: -0.0001, profitUsdc: -0.001 };
    const text = recordTable({ ...record, all: { perAlert: tiny, perMarket: tiny } });
    expect(text.split('\n')[2]).toMatch(/ 0\.000 +0\.00$/);
  });
});
