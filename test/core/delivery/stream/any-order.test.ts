import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWanted } from '../../../../src/core/delivery/stream/stream-client.ts';
import { alertOf } from '../../../support/alerts.ts';
import { type FakeSocket, openStreamFixture, settle } from '../../../support/stream-fixture.ts';

const CATEGORIES = ['crypto', 'politics', 'other'] as const;
const TYPES = ['fresh', 'cluster'] as const;

const filter = fc.record(
  {
    minScore: fc.constantFrom(0, 50, 90),
    categories: fc.subarray([...CATEGORIES], { minLength: 1 }),
    type: fc.constantFrom(...TYPES),
  },
  { requiredKeys: [] },
);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 400 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill' as const), who: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('drain' as const), who: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('rest' as const), turns: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('away' as const), isAway: fc.boolean() }) },
);

const plan = fc.record({
  before: fc.integer({ min: 0, max: 2_500 }),
  filters: fc.tuple(filter, filter, filter),
  steps: fc.array(step, { maxLength: 25 }),
});

/** Every kind of alert, history among them; follows from the id. */
function someAlert(id: number) {
  return alertOf({
    id,
    score: (id * 37) % 101,
    category: CATEGORIES[id % 3] ?? 'other',
    type: TYPES[(id >> 1) % 2] ?? 'fresh',
    isHistory: id % 11 === 0,
  });
}

describe('issue, resume', () => {
  test('whatever happens, each client is sent every alert it wants once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ before, filters, steps }) => {
        const fixture = await openStreamFixture(
          Array.from({ length: before }, (_, index) => someAlert(index + 1)),
        );
        const clients = filters.map((wanted) => {
          const seen: number[] = [];
          let known = 0;
          let current = connect();
          function connect() {
            return fixture.connect({ since: known, filter: wanted, isSlow: true });
          }
          // A frame is read when the client drains; a kill loses what was not.
          const take = ({ ids }: FakeSocket) => {
            for (const id of ids.slice(ids.indexOf(known) + 1)) {
              seen.push(id);
              known = id;
            }
          };
          return {
            wanted,
            seen,
            drain() {
              take(current.socket);
              current.socket.unsent = 0;
              current.session.drained();
            },
            kill() {
              current.session.gone('client');
              current = connect();
            },
          };
        });
        for (const one of steps) {
          if (one.kind === 'publish') {
            for (let count = 0; count < one.count; count += 1)
              fixture.publish(someAlert(fixture.ledger.length + 1));
          } else if (one.kind === 'kill') clients[one.who]?.kill();
          else if (one.kind === 'drain') clients[one.who]?.drain();
          else if (one.kind === 'away') fixture.faults.alerts = one.isAway;
          else await settle(one.turns);
        }
        fixture.faults.alerts = false;
        for (let round = 0; round < 16; round += 1) {
          await fixture.clock.advance(1_000);
          await settle(20);
          for (const client of clients) client.drain();
        }
        for (const { wanted, seen } of clients) {
          expect(seen).toEqual(fixture.ledger.filter((alert) => isWanted(wanted, alert)).map(({ id }) => id));
        }
      }),
      { numRuns: 25 },
    );
  });
});
