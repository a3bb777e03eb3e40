import { describe, expect, test } from 'vitest';
import { EVENTS, fixtureAlert, logFixtureOf, outcome } from '../../support/log-fixture.ts';
import { KEY } from '../../support/log-stand-in.ts';
import { answering, openLog } from '../../support/run-verify-log.ts';

describe('an outcome that comes between the runs', () => {
  test('is compared with the alerts of earlier runs', async () => {
    const { standIn, run } = await openLog();
    await run('--key', KEY);
    const later = logFixtureOf([...EVENTS, outcome('outcome', '0xm3', [1, 0])]);
    standIn.fixture = answering(later, 4, { won: false });
    const { code, out } = await run('--key', KEY);
    expect(out).toContain('entry 11: won of alert 4 in the API does not follow from the log');
    expect(code).toBe(1);
    standIn.fixture = later;
    const honest = await run('--key', KEY);
    expect(honest.out).toContain('the results of 6 alerts agree with the log');
    expect(honest.code).toBe(0);
  });

  test('while alerts are compared is read with a real-time key before anything is said', async () => {
    const { standIn, run } = await openLog();
    const later = logFixtureOf([...EVENTS, outcome('outcome', '0xm3', [1, 0])]);
    standIn.answer = (path) => {
      if (path.startsWith('/api/v1/alerts?since_id=0')) standIn.fixture = later;
      return false;
    };
    const { code, out } = await run('--key', KEY);
    expect(code, out).toBe(0);
    expect(out).toContain('the results of 6 alerts agree with the log');
  });

  test('while alerts are compared leaves the alerts that came with it to the next run', async () => {
    const { standIn, run } = await openLog();
    const later = logFixtureOf([...EVENTS, fixtureAlert(7, '0xm4'), outcome('outcome', '0xm3', [1, 0])]);
    standIn.answer = (path) => {
      // Alert 4 was open when it was compared; alert 6 of its market is settled already.
      if (path.startsWith('/api/v1/alerts?since_id=4'))
        standIn.fixture = answering(later, 7, { trade_count: 7 });
      return false;
    };
    const first = await run('--key', KEY);
    expect(first.code, first.out).toBe(0);
    expect(first.out).toContain('6 alerts compared');
    const { code, out } = await run('--key', KEY);
    expect(out).toContain('entry 11: trade_count of alert 7 is not what the API answers');
    expect(code).toBe(1);
    standIn.fixture = answering(later, 4, { won: false });
    standIn.answer = () => false;
    expect((await run('--key', KEY)).out).toContain('won of alert 4');
  });

  test('is counted, not failed, while a free key does not see its entry', async () => {
    const settled = logFixtureOf([...EVENTS, outcome('outcome', '0xm3', [1, 0])]);
    const { standIn, run } = await openLog(settled);
    Object.assign(standIn, { isRealtime: false, delayed: 1 });
    const first = await run('--key', KEY);
    expect(first.out).toContain('2 not yet comparable (the key sees the log at the free delay)');
    expect(first.code).toBe(0);
    standIn.delayed = 0;
    const seen = await run('--key', KEY);
    expect(seen.out).toContain('the results of 6 alerts agree with the log');
    expect(seen.code).toBe(0);
  });
});
