import { expect, test } from 'vitest';
import type { OperatorAlarm } from '../../../src/core/operations/operator-alarm.ts';
import { onSqlite } from '../../infra/database/each-database.ts';
import { START } from '../../support/rows.ts';

const ALARM: OperatorAlarm = {
  name: 'feed_blind',
  isRaised: true,
  sentence: 'The feed sees no trades.',
  since: START,
  until: null,
  raises: 1,
  isReported: false,
};

onSqlite('the alarms of operators', (fixture) => {
  test('of each alarm every process sees the last state', async () => {
    const { operatorAlarms: alarms } = fixture.database;
    const over = { ...ALARM, isRaised: false, until: START + 60_000, isReported: true };
    await alarms.put(ALARM);
    await alarms.put({ ...ALARM, name: 'disk_low' });
    await alarms.put(over);

    expect(await (await fixture.another()).operatorAlarms.list()).toStrictEqual([
      { ...ALARM, name: 'disk_low' },
      over,
    ]);
  });
});
