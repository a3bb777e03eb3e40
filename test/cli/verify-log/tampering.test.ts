import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
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
  [
    'an alert is changed',
    (events) => events.with(2, fixtureAlert(2, '0xm1', { usdc: 9_000, shares: 22_500 })),
  ],
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

async function runAfter(events: readonly Event[], { keep }: Evidence) {
  const before = logFixtureOf(EVENTS);
  const { standIn, verifier, run } = await openLog(before);
  const args = await keep(verifier, standIn, before);
  standIn.fixture = logFixtureOf(events);
  return run('--key', KEY, ...args);
}

describe.each(TAMPERINGS)('%s and every later hash computed again', (_, tamper) => {
  test.each(Object.entries(EVIDENCE))('is found from %s', async (_name, evidence) => {
    const { code, out } = await runAfter(tamper(EVENTS), evidence);
    expect(out).toMatch(/^FAIL {2}log +entry \d+: .*\n +expected \S.*\n +found {4}\S/m);
    expect(out).toMatch(evidence.named);
    expect(out).toMatch(/A check failed\.$/);
    expect(code).toBe(1);
  });

  test('is not found without an earlier view, and the command says that it had none', async () => {
    const { run } = await openLog(logFixtureOf(tamper(EVENTS)));
    const { code, out } = await run('--key', KEY);
    expect(code, out).toBe(0);
    expect(out).toContain(
      'warn  evidence     no earlier view: without an earlier head this proves nothing about the past',
    );
  });
});

describe('an honest log', () => {
  test.each(Object.entries(EVIDENCE))('holds against %s', async (_name, evidence) => {
    const { code, out } = await runAfter([...EVENTS, fixtureAlert(7, '0xm4')], evidence);
    expect(code, out).toBe(0);
    expect(out).toMatch(/^pass {2}evidence +entries up to 10 unchanged, against /m);
  });
});

test.each(Object.entries(EVIDENCE))(
  'a log that is shorter than an earlier view is found from %s',
  async (_, evidence) => {
    const { code, out } = await runAfter(EVENTS.slice(0, 8), evidence);
    expect(code, out).toBe(1);
    expect(out).toMatch(/entry 10: the log ends before .*: entries were removed/);
    expect(out).toContain('found    the log ends with entry 8');
  },
);

/** An entry that is edited with its hash kept, so that every later entry still names it. */
function edited({ entries, answers }: LogFixture, sequence: number): LogFixture {
  const entry = entries[sequence - 1] as LogEntry;
  const body = { ...entry.body, event_title: 'another', version: '2' };
  return { entries: entries.with(sequence - 1, { ...entry, body }), answers };
}

function withoutOutcome({ answers }: LogFixture): LogFixture {
  const { entries, answers: marked } = logFixtureOf(EVENTS.toSpliced(8, 1));
  const results = [...answers].map(
    ([id, answer]) => [id, { ...answer, log: marked.get(id)?.['log'] ?? null }] as const,
  );
  return { entries, answers: new Map(results) };
}

test('what a fresh run finds, a run with further evidence finds too: it fails if and only if it fails without evidence, or with one piece alone', async () => {
  const before = logFixtureOf(EVENTS);
  const { standIn, verifier, run } = await openLog(before);
  await run();
  const saved = await readFile(verifier.state, 'utf8');
  const other = logFixtureOf(EVENTS.slice(1));
  const heads = [before, other].flatMap(({ entries }) =>
    entries.map(({ sequence, hash }) => `${sequence}:${hash}`),
  );
  const alerts = [before, other].flatMap(({ answers }, index) =>
    [...answers].map(([id, answer]) => [`${index}-${id}.json`, answer] as const),
  );
  const files = await Promise.all(alerts.map(([name, answer]) => verifier.file(name, answer)));
  const pieces = [
    'saved',
    ...heads.flatMap((head) => [`--head=${head}`, `--head=${head.slice(0, 20)}`]),
    ...files.map((file) => `--alert=${file}`),
  ];
  const logs = [
    ...[(events: readonly Event[]) => events, ...TAMPERINGS.map(([, tamper]) => tamper)].map((tamper) =>
      logFixtureOf(tamper(EVENTS)),
    ),
    ...EVENTS.map((_, index) => edited(before, index + 1)),
    ...EVENTS.map((_, index) => logFixtureOf(EVENTS.slice(0, index))),
    withoutOutcome(before),
  ];
  const codeWith = async (given: readonly string[], key: readonly string[]) => {
    const state = await verifier.file('state.json', given.includes('saved') ? saved : NO_STATE);
    return (await run('--state', state, ...key, ...given.filter((piece) => piece !== 'saved'))).code;
  };
  const property = fc.asyncProperty(
    fc.constantFrom(...logs),
    fc.subarray(pieces, { maxLength: 4 }),
    fc.constantFrom([], ['--key', KEY]),
    async (log, given, key) => {
      standIn.fixture = log;
      const alone = [await codeWith([], key)];
      for (const piece of given) alone.push(await codeWith([piece], key));
      expect(await codeWith(given, key)).toBe(Math.max(...alone));
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

const NO_STATE = { version: 1, services: {} };
