import { describe, expect, test } from 'vitest';
import type { LogEntry } from '../../../src/core/alerts/log/log-entry.ts';
import {
  EVENTS,
  type Event,
  fixtureAlert,
  type LogFixture,
  logFixtureOf,
  outcome,
} from '../../support/log-fixture.ts';
import { KEY, type LogStandIn } from '../../support/log-stand-in.ts';
import { openLog, type Verifier } from '../../support/run-verify-log.ts';

/** What an operator does to the past; every later hash is computed again, and the API answers accordingly. */
const TAMPERINGS: readonly (readonly [
  name: string,
  tamper: (events: readonly Event[]) => readonly Event[],
])[] = [
  ['an alert is changed', (events) => events.with(2, fixtureAlert(2, '0xm1', { usdc: 9_000 }))],
  ['an alert is removed', (events) => renumbered(events.toSpliced(2, 1))],
  ['a right alert is inserted', (events) => renumbered(events.toSpliced(1, 0, fixtureAlert(99, '0xm1')))],
  ['an outcome is flipped', (events) => events.with(4, outcome('outcome', '0xm1', [1, 0]))],
  ['a correction is removed', (events) => events.toSpliced(6, 1)],
];

/** Ids are dense: who removes or inserts an alert gives the later ones other numbers. */
function renumbered(events: readonly Event[]): readonly Event[] {
  let id = 0;
  return events.map((event) => {
    if (event.kind !== 'alert') return event;
    id += 1;
    return { kind: 'alert', alert: { ...event.alert, id, threadId: id } };
  });
}

interface Evidence {
  /** Arguments of the command; what it needs is made from the world before the tampering. */
  keep(verifier: Verifier, standIn: LogStandIn, before: LogFixture): Promise<readonly string[]>;
  readonly named: RegExp;
}

const EVIDENCE: Readonly<Record<string, Evidence>> = {
  'a head that this machine saved': {
    async keep(verifier, { url }) {
      expect(await verifier.run(url, '--key', KEY)).toMatchObject({ code: 0 });
      return [];
    },
    named: /^note {2}evidence +against the head that this machine saved on 2026-\d\d-\d\d$/m,
  },
  'one received alert': {
    async keep(verifier, _, { answers }) {
      return ['--alert', await verifier.file('alert.json', answers.get(6))];
    },
    named: /^note {2}evidence +against 1 received alert$/m,
  },
  'the shortened head of a digest': {
    async keep(_verifier, _standIn, { entries }) {
      const { sequence, hash } = entries.at(-1) as LogEntry;
      return ['--head', `${sequence}:${hash.slice(0, 16)}`];
    },
    named: /^note {2}evidence +against the head 10:[0-9a-f]{16} \(64 of 256 bits\)$/m,
  },
};

describe.each(TAMPERINGS)('%s and every later hash computed again', (_, tamper) => {
  test.each(Object.entries(EVIDENCE))('is found from %s', async (_name, { keep, named }) => {
    const before = logFixtureOf(EVENTS);
    const { standIn, verifier, run } = await openLog(before);
    const args = await keep(verifier, standIn, before);
    standIn.fixture = logFixtureOf(tamper(EVENTS));
    const { code, out } = await run('--key', KEY, ...args);
    expect(out).toMatch(/^FAIL {2}log +entry \d+: .*\n +expected \S.*\n +found {4}\S/m);
    expect(out).toMatch(named);
    expect(out).toMatch(/A check failed\.$/);
    expect(code).toBe(1);
  });

  test('is not found without an earlier view, and the command says that it had none', async () => {
    const { run } = await openLog(logFixtureOf(tamper(EVENTS)));
    const { code, out } = await run('--key', KEY);
    expect(code, out).toBe(0);
    expect(out).toContain(
      'warn  evidence     no earlier view: the log is consistent with itself, but so is a log that its operator rewrote as a whole',
    );
  });
});

describe('an honest log', () => {
  test.each(Object.entries(EVIDENCE))('holds against %s', async (_name, { keep }) => {
    const before = logFixtureOf(EVENTS);
    const { standIn, verifier, run } = await openLog(before);
    const args = await keep(verifier, standIn, before);
    standIn.fixture = logFixtureOf([...EVENTS, fixtureAlert(7, '0xm4')]);
    const { code, out } = await run('--key', KEY, ...args);
    expect(code, out).toBe(0);
    expect(out).toMatch(/^pass {2}evidence +against /m);
  });

  test('holds with a corrected outcome: the last one counts, and no correction is a break', async () => {
    const { standIn, run } = await openLog(logFixtureOf(EVENTS.slice(0, 6)));
    expect(await run('--key', KEY)).toMatchObject({ code: 0 });
    standIn.fixture = logFixtureOf(EVENTS);
    const { code, out } = await run('--key', KEY);
    expect(code, out).toBe(0);
    expect(out).toContain('1 outcome and 1 correction in these entries');
  });
});

describe('a log that is shorter than an earlier view', () => {
  test.each(Object.entries(EVIDENCE))('is found from %s', async (_name, { keep }) => {
    const before = logFixtureOf(EVENTS);
    const { standIn, verifier, run } = await openLog(before);
    const args = await keep(verifier, standIn, before);
    standIn.fixture = logFixtureOf(EVENTS.slice(0, 8));
    const { code, out } = await run('--key', KEY, ...args);
    expect(code, out).toBe(1);
    expect(out).toMatch(/entry 10: the log ends before .*: entries were removed/);
    expect(out).toContain('found    the log ends with entry 8');
  });
});
