import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/infra/database/database.ts';
import { runUndisturbed } from '../support/crash-run.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { startService } from '../support/service-process.ts';
import { issueKey } from './delivery-service-fixture.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

test('verify-log passes every check of a running service, and keeps the head for the next run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-verify-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = `sqlite:${join(folder, 'tipoff.db')}`;
  await runUndisturbed(url);
  const database = await openDatabase(url);
  const { secret } = await issueKey(database);
  await database.close();
  const service = startService({ DATABASE_URL: url, ROLES: 'api' });
  onTestFinished(async () => void (await service.end('SIGKILL')));
  const address = String((await service.logged('listening'))['address']);
  const verify = (...args: readonly string[]) =>
    runTipoff(['verify-log', address, '--state', join(folder, 'state.json'), ...args], {
      ...process.env,
      TIPOFF_API_KEY: secret,
    });

  const first = await verify('--tape', TAPE);
  expect(first, first.out).toMatchObject({ code: 0, err: '' });
  expect(first.out).toMatch(/^pass {2}alerts +222 alerts compared with the API$/m);
  expect(first.out).toMatch(/^pass {2}outcomes .*; the results of 222 alerts agree with the log$/m);
  expect(first.out).toMatch(/^pass {2}tape +222 alerts of 2022-/m);
  expect(first.out).not.toMatch(/^warn {2}tape/m);
  expect(first.out).toMatch(/^warn {2}evidence +no earlier view/m);
  const second = await verify();
  expect(second).toMatchObject({ code: 0, err: '' });
  expect(second.out).toMatch(
    /^pass {2}evidence +entries up to \d+ unchanged, against the head that this machine saved on 20\d\d-\d\d-\d\d$/m,
  );
  expect(second.out).not.toContain('\u001b');
});
