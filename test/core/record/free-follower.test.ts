import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolutionOf } from '../../../src/core/alerts/settlement.ts';
import { freeFollower } from '../../../src/core/record/follower-result.ts';
import { asOfs, randomMarket, storedMarket } from './random-market.ts';
import { measured } from './record-market-fixture.ts';

test('what a reader without a key would have made of an alert is what the record measures', () => {
  const states = new Set<string>();
  fc.assert(
    fc.property(randomMarket, asOfs, (given, asOf) => {
      const stored = storedMarket(given, asOf);
      const expected = measured(stored, { asOf }).alerts.map(({ id, free }) => [
        id,
        { ...free, publicAt: expect.any(Number) },
      ]);
      const { settlement } = stored;
      const alerts = stored.alerts.map((alert) => ({
        ...alert,
        resolution: settlement && resolutionOf(alert, settlement),
      }));
      const found = alerts.map((alert) => [
        alert.id,
        freeFollower(alert, stored, { asOf, freeDelayMs: 300_000 }),
      ]);
      expect(found).toEqual(expected);
      for (const [, { state }] of expected as unknown as [number, { state: string }][]) states.add(state);
    }),
    { numRuns: 200 },
  );
  expect(states.size).toBeGreaterThan(3);
});
