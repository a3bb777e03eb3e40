import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AlarmWatch } from '../../../../src/core/chat/alarms/alarm-watch.ts';
import type { NewChatMessage } from '../../../../src/core/chat/chat-message.ts';
import type { Database } from '../../../../src/core/database.ts';
import type { OperatorAlarm, OperatorAlarms } from '../../../../src/core/operations/operator-alarm.ts';
import { onSqlite } from '../../../infra/database/each-database.ts';
import { createFakeClock } from '../../../support/clock.ts';
import { START } from '../../../support/rows.ts';
import { silentLogger } from '../../../support/silent-logger.ts';

const ANN = 'operator:telegram:1';
const BOB = 'operator:discord:2';

/** A watch on one source, and what was reported. `restart` makes the watch of the next process. */
function openFixture(
  alarms: Pick<OperatorAlarms, 'list' | 'put'>,
  given: Partial<{ report: Database['chat']['add'] }> = {},
) {
  const clock = createFakeClock(START);
  const reported: NewChatMessage[] = [];
  const state = { sentence: null as string | null, isKnown: true };
  const report = async (messages: readonly NewChatMessage[]) => {
    await given.report?.(messages);
    const known = new Set(reported.map(({ id }) => id));
    reported.push(...messages.filter(({ id }) => !known.has(id)));
  };
  const make = () =>
    new AlarmWatch({
      readings: async () => (state.isKnown ? [{ name: 'feed_blind', sentence: state.sentence }] : []),
      ...{ alarms, operators: [ANN, BOB], report, clock, logger: silentLogger },
    });
  let watch = make();
  return {
    clock,
    state,
    restart: () => {
      watch = make();
    },
    look: () => watch.look(),
    async pass(seconds: number): Promise<void> {
      for (let passed = 0; passed < seconds; passed += 10) {
        await watch.look();
        await clock.advance(10_000);
      }
    },
    ids: () => reported.map(({ id }) => id.replaceAll(String(START), 'START')),
    facts: () => reported.map(({ facts }) => facts),
    phases: () =>
      reported.filter(({ recipient }) => recipient === ANN).map(({ id }) => /:(\w+)@/.exec(id)?.[1] ?? id),
  };
}

function memoryAlarms(): Pick<OperatorAlarms, 'list' | 'put'> {
  const rows = new Map<string, OperatorAlarm>();
  return {
    list: async () => [...rows.values()],
    put: async (alarm) => void rows.set(alarm.name, alarm),
  };
}

onSqlite('an alarm of the operator', (fixture) => {
  test('is reported to each operator once within 2 minutes, and once when it is over with its duration', async () => {
    const { state, pass, ids, facts } = openFixture(fixture.database.operatorAlarms);
    await pass(20);
    expect(ids()).toEqual([]);

    state.sentence = 'The feed is blind.';
    await pass(120);
    state.sentence = null;
    await pass(120);

    const since = START + 20_000;
    const until = START + 140_000;
    expect(ids()).toEqual([
      `operator_alarm:feed_blind:${since}:raised@${ANN}`,
      `operator_alarm:feed_blind:${since}:raised@${BOB}`,
      `operator_alarm:feed_blind:${since}:over@${ANN}`,
      `operator_alarm:feed_blind:${since}:over@${BOB}`,
    ]);
    expect(facts()[2]).toEqual({ alarm: 'feed_blind', sentence: 'The feed is blind.', since, until });
  });

  test('that lasts less than 30 seconds is not raised', async () => {
    const { state, pass, phases } = openFixture(fixture.database.operatorAlarms);
    for (let time = 0; time < 5; time += 1) {
      state.sentence = 'The feed is blind.';
      await pass(20);
      state.sentence = null;
      await pass(20);
    }
    expect(phases()).toEqual([]);
  });

  test('does not change while its source does not know', async () => {
    const { state, pass, phases } = openFixture(fixture.database.operatorAlarms);
    state.sentence = 'The feed is blind.';
    await pass(60);
    state.isKnown = false;
    state.sentence = null;
    await pass(600);
    expect(phases()).toEqual(['raised']);
  });

  test('whose messages could not be stored is reported at the next check', async () => {
    let isAway = true;
    const report = async () => {
      if (isAway) throw new Error('the outbox is away');
      return [];
    };
    const { state, clock, look, phases } = openFixture(fixture.database.operatorAlarms, { report });
    state.sentence = 'The feed is blind.';
    await look();
    await clock.advance(30_000);
    await expect(look()).rejects.toThrow('the outbox is away');
    isAway = false;
    await look();
    expect(phases()).toEqual(['raised']);
  });
});

test('trouble that comes and goes is reported less and less often', async () => {
  const { state, pass, phases } = openFixture(memoryAlarms());
  // On for a minute, off for 3 minutes, for 2 hours.
  for (let time = 0; time < 30; time += 1) {
    state.sentence = 'The feed is blind.';
    await pass(60);
    state.sentence = null;
    await pass(180);
  }
  expect(phases()).toEqual(['raised', 'over', 'raised', 'over', 'raised']);
});

test('whatever a source says and whenever the process restarts, raised and over alternate, none of them twice', async () => {
  const step = fc.record({
    isOn: fc.boolean(),
    seconds: fc.integer({ min: 1, max: 20 }).map((tens) => tens * 10),
    isRestart: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const fixture = openFixture(memoryAlarms());
      for (const { isOn, seconds, isRestart } of steps) {
        fixture.state.sentence = isOn ? 'The feed is blind.' : null;
        if (isRestart) fixture.restart();
        await fixture.pass(seconds);
      }
      const phases = fixture.phases();
      expect(phases).toEqual(phases.map((_, index) => (index % 2 === 0 ? 'raised' : 'over')));
      expect(new Set(fixture.ids()).size).toBe(fixture.ids().length);
    }),
    { numRuns: 50 },
  );
});
