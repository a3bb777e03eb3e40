import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/infra/database/database.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { alertForCrowd, matchingCost, putCrowd } from '../../support/many-followers.ts';

test('of many people with three rules each, those whose rule matches an alert are told, and no others', async () => {
  const database = await openDatabase('sqlite::memory:');
  onTestFinished(() => database.close());
  const crowd = { people: 400, matching: 20 };
  await putCrowd(database, crowd);

  const alerts = [1, 2, 3].map((id) => alertForCrowd(id, crowd, Date.now()));
  const { added } = await matchingCost(database, alerts, systemClock);

  expect(added).toBe(20);
});
