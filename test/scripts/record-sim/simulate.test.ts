import { expect, test } from 'vitest';
import { simulate } from '../../../scripts/record-sim/simulate.ts';

const EVENTS = 56;
const world = (drift: number) => ({ name: 'test', drift, share: 1, aim: null });

test('an obvious effect is found, and none where there is none: two tapes through the service and its record', async () => {
  const [found, none] = [
    await simulate({ scenario: world(0.12), seed: 1, events: EVENTS }),
    await simulate({ scenario: world(0), seed: 1, events: EVENTS }),
  ];
  expect(found.comparisons[0]).toMatchObject({ name: 'drift_24h_minus_controls', verdict: 'above' });
  const [primary, ...others] = none.comparisons.map(({ verdict }) => verdict);
  expect(primary).toBe('not_shown');
  // Fewer alerts have a follower.
  for (const verdict of others) expect(['not_shown', 'too_few']).toContain(verdict);
  for (const { events, blocks } of [found, none]) {
    expect(events).toBe(EVENTS);
    expect(blocks).toBeGreaterThanOrEqual(50);
  }
}, 60_000);
