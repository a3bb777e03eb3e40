import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SAMPLE_EXAMPLE } from '../../src/http/views/alert-view.ts';
import { ALERT_EXAMPLE, REGISTERED_EXAMPLE } from '../../src/http/views/examples.ts';
import { startWithDocument } from '../support/documented-api.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the receiver that the document shows takes an alert, leaves a test, and throws at a changed byte', async () => {
  const { document } = await startWithDocument();
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(document.info.description) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-receiver-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'receiver.mjs'), code);
  const take = vi.fn();
  vi.stubGlobal('take', take);
  vi.stubEnv('WEBHOOK_SECRET', REGISTERED_EXAMPLE.secret);
  onTestFinished(async () => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
  const { receive } = await import(pathToFileURL(join(folder, 'receiver.mjs')).href);
  const deliver = (alert: object, change = (body: string) => body) => {
    const [id, at, body] = ['msg_1', new Date(), JSON.stringify(alert)];
    const signature = new Webhook(REGISTERED_EXAMPLE.secret).sign(id, at, body);
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    receive(change(body), {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    });
  };

  deliver(ALERT_EXAMPLE);
  deliver(SAMPLE_EXAMPLE);
  expect(() => deliver(ALERT_EXAMPLE, (body) => body.replace('BUY', 'buY'))).toThrow();

  expect(take.mock.calls).toEqual([[ALERT_EXAMPLE]]);
});
