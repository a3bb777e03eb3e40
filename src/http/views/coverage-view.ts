import { z } from 'zod';
import { rounded } from '../../core/base/rounded.ts';
import { iso, isoOrNull } from '../../core/base/text/date-time.ts';
import { type EpochMs, SECOND_MS } from '../../core/base/time/duration.ts';
import {
  BLIND_CAUSES,
  type BlindWindow,
  CAUSE_WORDS,
  type FactsDelayed,
} from '../../core/trades/coverage/blind-window.ts';
import {
  type CoverageSummary,
  FEED_STATES,
  type FeedView,
} from '../../core/trades/coverage/coverage-report.ts';
import type { UnwatchedVolume } from '../../core/trades/coverage/unwatched-volume.ts';
import { blindWindowCause, named } from '../schemas/enumerations.ts';
import {
  component,
  count,
  decimal,
  flag,
  listOf,
  moment,
  momentOrNull,
  orNull,
  textOrNull,
} from '../schemas/fields.ts';

const REASONS_IN_WORDS =
  '`stopped` (the service did not run), `unreachable` (the market did not answer), `dns` (its host name could not be resolved), `tls` (the TLS connection failed), `refused` (HTTP 403 or 451: is the address of the service geo-blocked?), `not_found` (404), `rate_limited` (429), `failing` (other errors, or answers that cannot be read), `stalled` (answers out of date)';
export const CAUSES_IN_WORDS = `The cause when the window began: ${REASONS_IN_WORDS} or \`unconfirmed\` (not blind: a node delivered trades, and the list did not confirm that they were complete).`;

export const reasonSchema = orNull(
  named('FeedReason', BLIND_CAUSES, 'Why the market cannot be read.'),
  `Why the market cannot be read, by the latest attempt: ${REASONS_IN_WORDS}; null while it is read, and when nothing is known.`,
);

const WINDOW_EXAMPLE = {
  started_at: '2026-03-14T09:26:53.000Z',
  ended_at: '2026-03-14T09:31:20.000Z',
  seconds: 267,
  cause: 'unreachable',
  backfilled: true,
  backfilled_at: '2026-03-14T09:31:24.120Z',
} as const;

const duration = (description: string) => z.number().min(0).describe(description);

export const windowSchema = component(
  'BlindWindow',
  'A period whose trades the service may not have seen when they were made.',
  WINDOW_EXAMPLE,
  {
    started_at: moment('The time up to which all trades were known.'),
    ended_at: momentOrNull('When the market was available again; null while it is not.'),
    seconds: duration('Its length; for an open window, until now.'),
    cause: blindWindowCause.describe(CAUSES_IN_WORDS),
    backfilled: flag('Whether all trades that the market still listed for this time were read afterwards.'),
    backfilled_at: momentOrNull('When they were read; null if they were not.'),
  },
);

export const factsDelayedSchema = component(
  'FactsDelayed',
  'The market does not answer questions about wallets: alerts on new wallets come late, but none is lost.',
  { waiting: 12, since: '2026-03-14T09:26:53.000Z' },
  {
    waiting: count('Number of these trades.'),
    since: moment('When the first of the missing facts was requested.'),
  },
);

export const summarySchema = component('CoverageSummary', 'Totals of the windows.', {
  since: moment('Start of the period, not before the service first watched the market.'),
  until: moment('End of the period.'),
  windows: count('Number of windows, at most 10,000.'),
  blind_seconds: duration('Seconds of it that were blind.'),
  unconfirmed_seconds: duration('Seconds of it that were not blind, but not confirmed when they happened.'),
  not_backfilled_seconds: duration('Seconds of it that were blind or unconfirmed, and are not backfilled.'),
  covered: orNull(
    z.number().min(0).max(1),
    'Share of it that was confirmed or backfilled, 0 to 1, up to the last confirmed moment; null before anything was confirmed.',
  ),
});

const share = (description: string) => z.number().min(0).max(1).describe(description);

const UNWATCHED_EXAMPLE = {
  since: '2026-03-13T10:20:00.000Z',
  until: '2026-03-14T10:15:00.000Z',
  blocks: 1_435,
  volume_usdc: 812_345.67,
  combos_share: 0.012,
  other_contracts_share: 0,
} as const;

const unwatchedSchema = component(
  'UnwatchedVolume',
  'Trading on the chain that is not judged, as shares of volume: the USDC of the orders that took liquidity, in 5 blocks every 5 minutes of the last 24 hours, since the service started.',
  UNWATCHED_EXAMPLE,
  {
    since: moment('Time of the oldest block of the sample.'),
    until: moment('Time of the newest.'),
    blocks: count('Number of blocks.'),
    volume_usdc: decimal('Volume of the sample on the exchanges that are watched, combos included, in USDC.'),
    combos_share: share(
      'Part of this volume in combos: positions in several markets, which have no market of their own.',
    ),
    other_contracts_share: orNull(
      z.number().min(0).max(1),
      'Volume of other contracts that emit the same event, as a share of their volume plus `volume_usdc`; anyone can deploy such a contract. Null: not known, because the node does not search all contracts.',
    ),
  },
);

const COVERAGE_EXAMPLE = {
  state: 'live',
  watching_since: '2026-02-01T08:00:00.000Z',
  confirmed_until: '2026-03-14T10:15:02.310Z',
  blind_now: null,
  reason: null,
  message: null,
  facts_delayed: null,
  unwatched: UNWATCHED_EXAMPLE,
  windows: [WINDOW_EXAMPLE],
  has_more: false,
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

export const coverageSchema = component(
  'Coverage',
  'Which periods the live feed covered.',
  COVERAGE_EXAMPLE,
  {
    state: z
      .enum(FEED_STATES)
      .describe(
        'State of the live feed: `live`, `catching_up` (it works again and is reading what it just missed), `unconfirmed` (a node shows trades, and nothing confirms that they are all), `blind`, or `unknown` (it has seen nothing yet, or no feed runs).',
      ),
    watching_since: momentOrNull('When the service first watched the market; null when it never did.'),
    confirmed_until: momentOrNull(
      'Every trade that the market listed up to this moment was read, except those in windows; null before anything was seen.',
    ),
    blind_now: orNull(
      windowSchema,
      'The current window, blind or unconfirmed; null while the market is seen.',
    ),
    reason: reasonSchema,
    message: textOrNull('The reason in words.'),
    facts_delayed: orNull(
      factsDelayedSchema,
      'Trades of new wallets that are waiting for facts, in any state; null while none is late.',
    ),
    unwatched: orNull(
      unwatchedSchema,
      'The volume that is not judged. Null: not known, because no Polygon node is set, or it has shown nothing yet.',
    ),
    windows: listOf(windowSchema, 'The windows of the period, newest first.'),
    has_more: flag('Whether the period has older ones. `Link` leads to them.'),
    summary: summarySchema,
  },
);

export function coverageView(
  view: FeedView,
  span: CoverageSummary,
  now: EpochMs,
): z.infer<typeof coverageSchema> {
  const { watchedMs, blindMs, unconfirmedMs, unfilledMs, from, until } = span;
  const covered = watchedMs === 0 ? null : 1 - Math.min(1, unfilledMs / watchedMs);
  return {
    state: view.state,
    watching_since: isoOrNull(view.since),
    confirmed_until: isoOrNull(view.confirmedUntil),
    blind_now: view.open === null ? null : windowView(view.open, now),
    reason: view.reason,
    message: view.reason && CAUSE_WORDS[view.reason],
    facts_delayed: factsDelayedView(view.factsDelayed),
    unwatched: unwatchedView(view.unwatched),
    windows: span.windows.map((window) => windowView(window, now)),
    has_more: span.windows.length < span.count,
    summary: {
      since: iso(from),
      until: iso(until),
      windows: span.count,
      blind_seconds: seconds(blindMs),
      unconfirmed_seconds: seconds(unconfirmedMs),
      not_backfilled_seconds: seconds(unfilledMs),
      covered: covered === null ? null : rounded(covered, 6),
    },
  };
}

function unwatchedView(volume: UnwatchedVolume | null): z.infer<typeof unwatchedSchema> | null {
  if (volume === null) return null;
  const { since, until, blocks, usdc, combos, otherContracts } = volume;
  return {
    since: iso(since),
    until: iso(until),
    blocks,
    volume_usdc: rounded(usdc, 2),
    combos_share: rounded(combos, 6),
    other_contracts_share: otherContracts === null ? null : rounded(otherContracts, 6),
  };
}

export function factsDelayedView(delayed: FactsDelayed | null) {
  return delayed && { waiting: delayed.waiting, since: iso(delayed.since) };
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
