import { z } from 'zod';
import { SECOND_MS } from '../../core/duration.ts';
import { type BlindWindow, WINDOW_CAUSES } from '../../core/feed-health/blind-window.ts';
import {
  FEED_STATES,
  type FeedHealthSummary,
  type FeedView,
} from '../../core/feed-health/feed-health-report.ts';
import { rounded } from '../../core/rounded.ts';
import type { EpochMs } from '../../core/trade.ts';

export const CAUSES_IN_WORDS =
  'Why: `stopped` (the service did not run), `unreachable` (the market did not answer), `refused` (it answered with errors, or asked to wait), `stalled` (it answered with what was old) or `unconfirmed` (not blind: a live stream showed trades, and nothing confirmed that they were all).';

const WINDOW_EXAMPLE = {
  started_at: '2026-03-14T09:26:53.000Z',
  ended_at: '2026-03-14T09:31:20.000Z',
  seconds: 267,
  cause: 'unreachable',
  backfilled: true,
  backfilled_at: '2026-03-14T09:31:24.120Z',
} as const;

const moment = (description: string) => z.string().meta({ description, format: 'date-time' });
const momentOrNull = (description: string) =>
  z.string().meta({ format: 'date-time' }).nullable().meta({ description });

const windowSchema = z
  .object({
    started_at: moment('The last moment up to which every trade was known.'),
    ended_at: momentOrNull('When the market was seen again; null while it is not.'),
    seconds: z.number().min(0).describe('How long it was, or is by now.'),
    cause: z.enum(WINDOW_CAUSES).describe(CAUSES_IN_WORDS),
    backfilled: z
      .boolean()
      .describe('Whether all that the market still listed of this time was taken afterwards.'),
    backfilled_at: momentOrNull('When that was done; null when it was not.'),
  })
  .meta({
    id: 'BlindWindow',
    description:
      'A time in which trades may have been made that the service did not see when they were made.',
    examples: [WINDOW_EXAMPLE],
  });

const summarySchema = z
  .object({
    since: moment('Where the time begins: not before the service first watched.'),
    until: moment('Where it ends.'),
    windows: z.number().int().min(0).describe('How many windows it has; 10,000 are counted at most.'),
    blind_seconds: z.number().min(0).describe('How much of it was blind.'),
    unconfirmed_seconds: z
      .number()
      .min(0)
      .describe('How much of it was not blind, but confirmed by nothing when it happened.'),
    not_backfilled_seconds: z
      .number()
      .min(0)
      .describe('How much of it was blind or unconfirmed, and was not backfilled by now.'),
    covered: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'Share of it that was confirmed or backfilled, 0 to 1; null when nothing of it was to be watched.',
      ),
  })
  .meta({ id: 'CoverageSummary', description: 'What the windows come to.' });

const COVERAGE_EXAMPLE = {
  state: 'live',
  watching_since: '2026-02-01T08:00:00.000Z',
  confirmed_until: '2026-03-14T10:15:02.310Z',
  blind_now: null,
  windows: [WINDOW_EXAMPLE],
  summary: {
    since: '2026-02-12T10:15:03.000Z',
    until: '2026-03-14T10:15:03.000Z',
    windows: 1,
    blind_seconds: 267,
    unconfirmed_seconds: 0,
    not_backfilled_seconds: 0,
    covered: 1,
  },
};

export const coverageSchema = z
  .object({
    state: z
      .enum(FEED_STATES)
      .describe(
        'How the live feed stands: `live`, `catching_up` (it sees, and what it missed just now is still to come), `unconfirmed` (a live stream shows trades, and nothing confirms that they are all), `blind`, or `unknown` before one saw anything, and where none runs.',
      ),
    watching_since: momentOrNull('When the service first watched the market; null when it never did.'),
    confirmed_until: momentOrNull(
      'Every trade up to this moment that the market listed was taken, but for those of windows; null before anything was seen.',
    ),
    blind_now: windowSchema
      .nullable()
      .describe('The window that lasts, blind or unconfirmed; null while the market is seen.'),
    windows: z.array(windowSchema).describe('The windows of the time, newest first.'),
    summary: summarySchema,
  })
  .meta({
    id: 'Coverage',
    description: 'What the live feed saw, and did not see.',
    examples: [COVERAGE_EXAMPLE],
  });

interface Shown {
  readonly view: FeedView;
  readonly span: FeedHealthSummary;
  readonly now: EpochMs;
}

/** How the record is shown. */
export function coverageView({ view, span, now }: Shown): z.infer<typeof coverageSchema> {
  const { watchedMs, blindMs, unconfirmedMs, unfilledMs, from, until } = span;
  const share = watchedMs === 0 ? null : 1 - Math.min(1, unfilledMs / watchedMs);
  return {
    state: view.state,
    watching_since: isoOrNull(view.since),
    confirmed_until: isoOrNull(view.confirmedUntil),
    blind_now: view.blind === null ? null : windowView(view.blind, now),
    windows: span.windows.map((window) => windowView(window, now)),
    summary: {
      since: iso(from),
      until: iso(until),
      windows: span.count,
      blind_seconds: seconds(blindMs),
      unconfirmed_seconds: seconds(unconfirmedMs),
      not_backfilled_seconds: seconds(unfilledMs),
      covered: share === null ? null : rounded(share, 6),
    },
  };
}

function windowView(window: BlindWindow, now: EpochMs): z.infer<typeof windowSchema> {
  const { startedAt, endedAt, cause, backfilledAt } = window;
  return {
    started_at: iso(startedAt),
    ended_at: isoOrNull(endedAt),
    seconds: seconds(Math.max(0, (endedAt ?? now) - startedAt)),
    cause,
    backfilled: backfilledAt !== null,
    backfilled_at: isoOrNull(backfilledAt),
  };
}

function seconds(ms: number): number {
  return rounded(ms / SECOND_MS, 3);
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : iso(at);
}
