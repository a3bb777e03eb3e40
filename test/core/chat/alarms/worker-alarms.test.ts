import { expect, test } from 'vitest';
import { workerAlarms } from '../../../../src/core/chat/alarms/worker-alarms.ts';
import { START } from '../../../support/rows.ts';

const reportOf = (checks: Record<string, unknown>) => ({ owner: 'one', at: START, address: '', checks });
const sentences = (checks: Record<string, unknown>) =>
  Object.fromEntries(workerAlarms(reportOf(checks), START).map(({ name, sentence }) => [name, sentence]));

test('the disk of the worker counts, from below 10% on', () => {
  expect(sentences({ disk: { free_percent: 10 } })['disk_low']).toBeNull();
  expect(sentences({ disk: { free_percent: null } })['disk_low']).toBeNull();
  expect(sentences({ disk: { free_percent: 9.9 } })['disk_low']).toMatch(/^9% of the disk is free\./);
});

test('webhooks are late when the oldest delivery waits for more than 5 minutes', () => {
  expect(sentences({ deliveries: { oldest_seconds: 300 } })['webhook_backlog']).toBeNull();
  expect(sentences({ deliveries: { oldest_seconds: 301 } })['webhook_backlog']).toContain('for 5 minutes');
});

test('a worker that is silent for 30 seconds, or never reported, changes nothing', () => {
  expect(workerAlarms(reportOf({ disk: { free_percent: 1 } }), START + 30_001)).toEqual([]);
  expect(workerAlarms(null, START)).toEqual([]);
});
