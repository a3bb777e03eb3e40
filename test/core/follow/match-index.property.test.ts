import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LastingFilter, passesFilter } from '../../../src/core/alerts/passes-filter.ts';
import { ALERT_TYPES } from '../../../src/core/detection/candidate.ts';
import type { Follow, Follower, FollowSubject } from '../../../src/core/follow/follower.ts';
import { MatchIndex } from '../../../src/core/follow/match-index.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { alertOf } from '../../support/alerts.ts';
import { followerOf, followOf } from '../../support/followers.ts';

// Few of each, so that rules match, repeat and are removed.
const [WALLETS, MARKETS] = [
  ['0xaa', '0xbb', '0xcc'],
  ['0xm1', '0xm2'],
];
const SCORES = [0, 59.5, 60, 80, 100];
const USDC = [0, 999.99, 1_000, 5_000];
const TITLES = ['Will ÄRGER rise 100%?', 'Will İt pass', '0xaa', ''];
const WORDS = ['', 'w', 'il', 'will', 'ÄRGER', 'RISE 1', 'it', 'İt', '0xaa', '0xbb', '😀'];
const categories = fc.constantFrom(...CATEGORIES.slice(0, 3));

/** Several people follow one of these, and some end it. */
const COMMON = fc.constantFrom<LastingFilter>({}, { minScore: 60 }, { search: 'will' }, { side: 'BUY' });
const filters: fc.Arbitrary<LastingFilter> = fc.record(
  {
    type: fc.constantFrom(...ALERT_TYPES),
    side: fc.constantFrom('BUY', 'SELL'),
    category: categories,
    categories: fc.array(categories, { maxLength: 2 }),
    minScore: fc.constantFrom(...SCORES),
    minPosition: fc.constantFrom(...USDC),
    search: fc.constantFrom(...WORDS),
    wallet: fc.constantFrom(...WALLETS),
    market: fc.constantFrom(...MARKETS, 'x'),
  },
  { requiredKeys: [] },
);
const subjects: fc.Arbitrary<FollowSubject> = fc.oneof(
  fc.constantFrom(...WALLETS).map((wallet) => ({ kind: 'wallet', wallet }) as const),
  fc
    .constantFrom(...MARKETS)
    .map((marketId) => ({ kind: 'market', marketId, title: 'T', slug: 't' }) as const),
  fc.record({ kind: fc.constant('filter'), filter: fc.oneof(COMMON, filters) }),
);
const follows: fc.Arbitrary<readonly Follow[]> = fc.array(
  fc
    .record({ subject: subjects, isPaused: fc.boolean() })
    .map(({ subject, isPaused }) => followOf('a1', subject, { isPaused })),
  { maxLength: 4 },
);
const alerts = fc
  .record({
    type: fc.constantFrom(...ALERT_TYPES),
    wallet: fc.constantFrom(...WALLETS),
    members: fc.option(fc.subarray([...WALLETS])),
    marketId: fc.constantFrom(...MARKETS),
    threadId: fc.constantFrom(7, 9),
    eventTitle: fc.constantFrom(...TITLES),
    eventSlug: fc.constantFrom('will-it', 'x'),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    category: categories,
    score: fc.constantFrom(...SCORES),
    usdc: fc.constantFrom(...USDC),
  })
  .map(({ members, ...given }) => {
    const alert = alertOf({ id: 9, ...given });
    return members === null ? alert : { ...alert, details: { ...alert.details, wallets: members } };
  });
/** Rows of a few people in the order in which they were stored; null: the row was removed. */
const changes = fc.array(fc.tuple(fc.constantFrom('cus_a', 'cus_b', 'cus_c', 'cus_d'), fc.option(follows)), {
  maxLength: 12,
});

test('the index names the same people as a walk over all their follows, after any changes (property)', () => {
  fc.assert(
    fc.property(changes, fc.array(alerts, { minLength: 1, maxLength: 5 }), (steps, seen) => {
      const index = new MatchIndex();
      const people = new Map<string, Follower>();
      for (const [version, [customerId, own]] of steps.entries()) {
        if (own === null) {
          index.remove(customerId);
          people.delete(customerId);
          continue;
        }
        const follower = followerOf(customerId, { follows: own, version });
        index.set(follower);
        people.set(customerId, follower);
      }
      expect(index.size).toBe(people.size);
      for (const alert of seen) {
        const isFor = ({ subject, isPaused }: Follow) => {
          if (isPaused) return false;
          if (subject.kind === 'market') return subject.marketId === alert.marketId;
          if (subject.kind === 'filter') return passesFilter(alert, subject.filter);
          const isMember = alert.id === alert.threadId && alert.details.wallets?.includes(subject.wallet);
          return subject.wallet === alert.wallet || isMember === true;
        };
        const walked = [...people.values()].filter((person) => person.follows.some(isFor));
        expect([...index.candidates(alert)].toSorted()).toEqual(
          walked.map(({ customerId }) => customerId).toSorted(),
        );
      }
    }),
    { numRuns: 500 },
  );
});
