import { benchDetector } from './detector.ts';
import type { Figure } from './figure.ts';
import { benchFlood } from './flood.ts';
import { benchLatest } from './latest.ts';
import { benchMemory } from './memory.ts';
import { benchReplay } from './replay.ts';
import { benchSearch } from './search.ts';

/** A part of the benchmarks that can be run by itself. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** How it was measured, for whoever reads the figures. */
  readonly method: string;
  run(): Promise<readonly Figure[]>;
}

export const SECTIONS: readonly Section[] = [
  {
    name: 'detector',
    title: 'Detector',
    method:
      'The rows of the tape are parsed before; a fresh detector judges all of them, after 3 runs to warm up.',
    run: benchDetector,
  },
  {
    name: 'replay',
    title: 'Replay, end to end',
    method:
      'The whole service with an empty database: from its start, over reading and parsing the tape, until every alert and the last snapshot are written.',
    run: benchReplay,
  },
  {
    name: 'memory',
    title: 'Memory',
    method:
      'The tape again and again through one detector, later each time and with wallets and transactions never seen before; measured after a forced collection.',
    run: benchMemory,
  },
  {
    name: 'latest',
    title: '`GET /alerts/latest` against bare Fastify',
    method:
      'The service, a bare Fastify with one route that sends the same bytes with the same content type, and autocannon: three processes. The two servers take turns; each round gives one ratio.',
    run: benchLatest,
  },
  {
    name: 'search',
    title: '`GET /alerts` as the archive grows',
    method:
      'A fixed mix of 14 searches over HTTP with a key, one at a time, each 150 times after 20 to warm up. 2,000 markets, 50,000 wallets; the small archive is the beginning of the large one. A filter’s first search counts its matches; later ones count only what was added since.',
    run: benchSearch,
  },
  {
    name: 'flood',
    title: 'A flood of unknown keys',
    method: 'Well-formed keys that were never issued, each tried once, over 50 connections.',
    run: benchFlood,
  },
];
