import { expect, test } from 'vitest';
import type { Exit } from '../../../src/core/alerts/exits/exit.ts';
import type { JsonObject } from '../../../src/core/alerts/log/log-entry.ts';
import { exitOf } from '../../support/alerts.ts';
import { EVENTS, type Event, logFixtureOf } from '../../support/log-fixture.ts';
import { KEY } from '../../support/log-stand-in.ts';
import { openLog } from '../../support/run-verify-log.ts';

const exit = (number: number, given: Partial<Exit> = {}): Event => ({
  kind: (given.corrects ?? null) === null ? 'exit' : 'exit_correction',
  exit: exitOf({ number, ...given }),
});

const EXITS = [exit(1), exit(2, { level: 'out', alertIds: [1, 6] }), exit(3, { corrects: 2 })];

/** A log with these exits at its end, and a service that answers so of them. */
async function verify(
  exits: readonly Event[],
  change: (answers: JsonObject[]) => JsonObject[] = (all) => all,
) {
  const fixture = logFixtureOf([...EVENTS, ...exits]);
  const { standIn, run } = await openLog(fixture);
  standIn.answer = (path, response) => {
    const url = new URL(path, standIn.url);
    if (url.pathname !== '/api/v1/exits') return false;
    const after = Number(url.searchParams.get('after'));
    const answers = fixture.entries
      .filter(({ kind }) => kind.startsWith('exit'))
      .map(({ body, sequence, hash }) => ({ ...body, log: { sequence, hash } }));
    response.end(JSON.stringify({ exits: change(answers).slice(after) }));
    return true;
  };
  return { ...(await run('--key', KEY)), alone: () => run() };
}

test('exits and corrections are numbered without a gap, and are what the API answers', async () => {
  const { code, out, alone } = await verify(EXITS);
  expect(code, out).toBe(0);
  expect(out).toMatch(/^pass {2}exits +3, corrections included, compared with the API$/m);
  expect((await alone()).out).toMatch(/^skip {2}exits +3; none compared$/m);
});

test.each<[string, readonly Event[], RegExp]>([
  [
    'a removed exit',
    EXITS.toSpliced(1, 1),
    /it is not the entry of the next exit\n +expected exit 2\n +found +exit 3/,
  ],
  [
    'an exit of no alert',
    [exit(1, { alertIds: [7] })],
    /entry 11: it is about an alert that is not in the log/,
  ],
  [
    'a correction of nothing',
    [exit(1, { corrects: 1 })],
    /entry 11: body.corrects is wrong in an entry of kind exit_correction/,
  ],
])('%s is a break of the log', async (_name, exits, expected) => {
  const { code, out } = await verify(exits);
  expect(out).toMatch(expected);
  expect(code).toBe(1);
});

test('an exit that the API answers otherwise, or does not know, is a break', async () => {
  const changed = await verify(EXITS, (all) => all.with(1, { ...all[1], sale_price: 0.7 }));
  expect(changed.out).toMatch(/entry 12: sale_price of exit 2 .*\n +expected 0.71\n +found {4}0.7$/m);
  const missing = await verify(EXITS, (all) => all.slice(0, 2));
  expect(missing.out).toMatch(/entry 13: number of exit 3 .*\n +expected an exit\n +found {4}no such exit$/m);
  expect([changed.code, missing.code]).toEqual([1, 1]);
});
