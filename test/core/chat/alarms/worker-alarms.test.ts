import { expect, test } from 'vitest';
import { workerAlarms } from '../../../../src/core/chat/alarms/worker-alarms.ts';

const sentences = (checks: Record<string, unknown>) =>
  Object.fromEntries(workerAlarms(checks).map(({ name, sentence }) => [name, sentence]));

test('the disk of the worker counts, from below 10 % on', () => {
  expect(sentences({ disk: { free_percent: 10 } })['disk_low']).toBeNull();
  expect(sentences({ disk: { free_percent: null } })['disk_low']).toBeNull();
  expect(sentences({ disk: { free_percent: 9.9 } })['disk_low']).toMatch(/^9 % of the disk is free\./);
});

test('webhooks are late when the oldest delivery waits for more than 5 minutes', () => {
  expect(sentences({ deliveries: { oldest_seconds: 300 } })['webhook_backlog']).toBeNull();
  expect(sentences({ deliveries: { oldest_seconds: 301 } })['webhook_backlog']).toContain('for 5 minutes');
});
