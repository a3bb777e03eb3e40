import { expect, test } from 'vitest';
import { heartbeatAlarms } from '../../../../src/core/chat/alarms/heartbeat-alarms.ts';
import { START } from '../../../support/rows.ts';

const beat = (checks: Record<string, unknown>, at = START) => ({
  owner: 'one',
  roles: 'all' as const,
  at,
  checks,
});
const sentences = (...heartbeats: ReturnType<typeof beat>[]) =>
  Object.fromEntries(heartbeatAlarms(heartbeats, START).map(({ name, sentence }) => [name, sentence]));

test('the disk of any process counts, from below 10 % on', () => {
  expect(sentences(beat({ disk: { free_percent: 10 } }), beat({}))['disk_low']).toBeNull();
  expect(sentences(beat({ disk: { free_percent: null } }))['disk_low']).toBeNull();
  expect(
    sentences(beat({ disk: { free_percent: 60 } }), beat({ disk: { free_percent: 9.9 } }))['disk_low'],
  ).toMatch(/^9 % of the disk is free\./);
});

test('webhooks are late when the oldest delivery waits for more than 5 minutes', () => {
  expect(sentences(beat({ deliveries: { oldest_seconds: 300 } }))['webhook_backlog']).toBeNull();
  expect(sentences(beat({ deliveries: { oldest_seconds: 301 } }))['webhook_backlog']).toContain(
    'for 5 minutes',
  );
});

test('a process silent for 30 seconds does not count; if it is the only one, nothing changes', () => {
  const silent = beat({ disk: { free_percent: 1 } }, START - 30_001);
  expect(sentences(silent, beat({}))['disk_low']).toBeNull();
  expect(heartbeatAlarms([silent], START)).toEqual([]);
});
