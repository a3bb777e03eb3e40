import { describe, expect, test } from 'vitest';
import { throttledLogger } from '../../../src/infra/telemetry/throttled-logger.ts';
import { createFakeClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';

function open(explain = (error: unknown): unknown => error) {
  const clock = createFakeClock(0);
  const recorded = createRecordingLogger();
  return {
    clock,
    lines: recorded.lines,
    logger: throttledLogger(recorded, { clock, explain }),
  };
}

describe('the log of the service', () => {
  test('has an error once, then once a minute with its count, also when it recovers in between', async () => {
    const { clock, lines, logger } = open();
    for (let second = 0; second < 150; second += 1) {
      logger.error({ err: new Error('database or disk is full') }, 'ingest failed');
      logger.info({}, 'ingest resumed');
      await clock.advance(1_000);
    }
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields }) => ('times' in fields ? fields.times : 1))).toEqual([1, 60, 60]);
    expect(lines.filter(({ level }) => level === 'info')).toHaveLength(150);
  });

  test.each([
    [
      'another port or duration',
      'connect ECONNREFUSED 10.0.0.1:443',
      'connect ECONNREFUSED 10.0.0.2:8443',
      1,
    ],
    ['another cause', 'connect ECONNREFUSED', 'read ECONNRESET', 2],
    ['another host', 'No DNS for a.example', 'No DNS for b.example', 2],
  ])('%s of an error counts as the same error or not', (_, first, second, expected) => {
    const { lines, logger } = open();
    for (const text of [first, second]) logger.warn({ err: new Error(text) }, 'polling failed');
    expect(lines).toHaveLength(expected);
  });

  test('different subjects, levels and messages have lines of their own; a number makes no other subject', () => {
    const { lines, logger } = open();
    const err = new Error('x');
    for (const job of ['record', 'digest', 'record']) logger.warn({ err, job }, 'job failed');
    for (const alert of [1, 2, 3]) logger.warn({ err, alert }, 'delivery failed');
    logger.error({ err }, 'job failed');
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn job failed',
      'warn job failed',
      'warn delivery failed',
      'error job failed',
    ]);
  });

  test('has the sentence that explains an error in the place of the error', () => {
    const { lines, logger } = open(() => new Error('the disk is full. Free space on it.'));
    logger.warn({ err: new Error('errcode 13'), job: 'record' }, 'job store unavailable');
    expect(lines[0]?.fields).toEqual({ reason: 'the disk is full. Free space on it.', job: 'record' });
  });
});
