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

test('blindness counts from the last fresh answer, and the window begins at the last confirmed moment', async () => {
  const fixture = fixtureOf();

  await whileRunning(fixture, async (coverage) => {
    await poll(fixture, coverage, MINUTE_MS);
    await fixture.clock.advance(25 * SECOND_MS);
    coverage.fresh(fixture.clock.now());
    expect([coverage.visibility(), fixture.store.all()]).toEqual(['seen', []]);

    const confirmed = START + 49 * SECOND_MS;
    await fixture.clock.advance(26 * SECOND_MS);
    expect(coverage.visibility()).toBe('blind');
    expect(fixture.store.all()).toMatchObject([{ startedAt: confirmed, endedAt: null }]);

    coverage.fresh(fixture.clock.now());
    expect(coverage.visibility()).toBe('blind');
    const until = fixture.clock.now() - 11 * SECOND_MS;
    coverage.confirmed({ from: confirmed, until });
    expect(coverage.visibility()).toBe('seen');
    await poll(fixture, coverage, MINUTE_MS);
    expect(fixture.store.all()).toMatchObject([{ startedAt: confirmed, endedAt: until }]);
    expect(fixture.store.all()[0]?.backfilledAt).not.toBeNull();
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

test('trades that nothing confirms are unconfirmed within 30 s and not blind; blind from where they end too; all is backfilled', async () => {
  const fixture = fixtureOf();
  const at = (seconds: number) => START + seconds * SECOND_MS;

  await whileRunning(fixture, async (coverage) => {
    coverage.provisional(true);
    await poll(fixture, coverage, MINUTE_MS);
    coverage.failed('refused');
    await fixture.clock.advance(30 * SECOND_MS);
    expect(coverage.visibility()).toBe('unconfirmed');
    expect(fixture.told.at(-1)).toEqual({ ageMs: 41 * SECOND_MS, sight: 'unconfirmed' });
    expect(fixture.store.all()).toMatchObject([{ startedAt: at(49), endedAt: null, cause: 'unconfirmed' }]);

    // The stream was heard last 15 s before that is noticed.
    await fixture.clock.advance(30 * SECOND_MS);
    coverage.provisional(false, at(105));
    expect(coverage.visibility()).toBe('blind');
    await fixture.clock.advance(30 * SECOND_MS);
    coverage.provisional(true);
    await fixture.clock.advance(30 * SECOND_MS);
    const pieces = [
      { startedAt: at(49), endedAt: at(105), cause: 'unconfirmed' },
      { startedAt: at(105), endedAt: at(150), cause: 'refused' },
      { startedAt: at(150), endedAt: null, cause: 'unconfirmed' },
    ];
    expect(fixture.store.all()).toMatchObject(pieces);
    expect(fixture.warnings().map(({ message }) => message)).toEqual([
      'the live feed is unconfirmed',
      'the live feed is no longer unconfirmed',
      'the live feed is blind',
      'the live feed is no longer blind',
      'the live feed is unconfirmed',
    ]);

    coverage.fresh(fixture.clock.now());
    coverage.confirmed({ from: at(49), until: at(169) });
    await poll(fixture, coverage, 20 * SECOND_MS);
    expect(coverage.visibility()).toBe('seen');
    expect(fixture.store.all().map(({ endedAt, backfilledAt }) => [endedAt, backfilledAt === null])).toEqual([
      [at(105), false],
      [at(150), false],
      [at(169), false],
    ]);
  });
});
