import { expect, test } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import { START } from '../../../support/rows.ts';
import { fixtureOf, poll, see, whileRunning } from './coverage-fixture.ts';

test('design: "a silent feed is noticed within 30 s", named, and recorded from the last confirmed moment', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await see(fixture, coverage, 10 * SECOND_MS);
    coverage.failed('refused');
    await fixture.clock.advance(30 * SECOND_MS);

    expect(coverage.visibility()).toBe('blind');
    const since = START + 10 * SECOND_MS;
    expect(coverage.status()).toMatchObject({
      confirmedUntil: since,
      open: { startedAt: since, cause: 'refused' },
    });
    expect(fixture.warnings()).toEqual([
      {
        level: 'warn',
        message: 'the live feed is blind',
        fields: { since: new Date(since).toISOString(), cause: 'refused' },
      },
    ]);
    expect(fixture.told.at(-1)).toEqual({ ageMs: 30 * SECOND_MS, sight: 'blind' });
    expect(fixture.store.all()).toEqual([
      { id: `blind_${since}`, startedAt: since, endedAt: null, cause: 'refused', backfilledAt: null },
    ]);
  });
});

test('answers that are fresh no more are blindness within 30 s, whatever they still confirm of the past', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await poll(fixture, coverage, MINUTE_MS);
    const asOf = fixture.clock.now();
    for (let second = 1; second <= 30; second += 1) {
      await fixture.clock.advance(SECOND_MS);
      coverage.fresh(asOf);
      coverage.confirmed({ from: START, until: asOf - 11 * SECOND_MS });
      coverage.failed('stalled');
    }
    expect(coverage.visibility()).toBe('blind');
    expect(fixture.store.all()).toMatchObject([{ startedAt: asOf - 11 * SECOND_MS, cause: 'stalled' }]);
  });
});
