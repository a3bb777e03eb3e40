import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTipoff } from '../support/run-tipoff.ts';
import { startService } from '../support/service-process.ts';

async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-address-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function start(env: Readonly<Record<string, string>>) {
  const service = startService(env);
  onTestFinished(() => void service.end('SIGKILL'));
  return service;
}

test('keys, chat and listen take the address of the running service, whatever PORT the shell has, and say so', async () => {
  const DATABASE_URL = `sqlite:${join(await ownFolder(), 'tipoff.db')}`;
  const shell = { ...process.env, DATABASE_URL, PORT: '9', PUBLIC_URL: undefined, NO_COLOR: '1' };
  const service = start({ DATABASE_URL, WEBHOOK_ALLOW_PRIVATE: 'true', LOG_FORMAT: 'json' });
  const { address } = await service.logged('listening');
  const issue = () => runTipoff(['keys', 'issue', '--tier', 'enterprise', '--name', 'a'], shell);
  const { out } = await vi.waitFor(async () => {
    const issued = await issue();
    expect(issued.out).toContain(`The service runs at ${address}: try it:`);
    return issued;
  });
  expect(out).toContain(`'${address}/api/v1/alerts/latest`);

  const chat = await runTipoff(['chat', '--as', 'ann'], shell, '/key\n1\n');
  expect(chat.err).toBe(`The service at ${address}.\n`);
  expect(chat.out).toContain(`'${address}/api/v1/`);

  const listen = await runTipoff(['listen', '--key', 'sk_live_wrong'], shell);
  expect(listen).toMatchObject({ code: 2, out: `The service at ${address}.\n` });
  expect(listen.err).toContain(`The service at ${address} refuses the key`);

  const second = start({ DATABASE_URL, LOG_FORMAT: 'json' });
  const warning = await second.logged(
    'another process of the service uses this SQLite file, which is for one process: end one of them, or use MongoDB',
  );
  expect(warning).toMatchObject({ level: 'warn', other: address });
  await second.end('SIGTERM');

  await service.end('SIGKILL');
  const after = await issue();
  expect(after.out).toContain(
    'No service is running on this database now. Once it runs at http://127.0.0.1:9, try it:',
  );
  const third = start({ DATABASE_URL, LOG_FORMAT: 'json' });
  await third.logged('listening');
  expect(third.output()).not.toContain('another process of the service');
});
