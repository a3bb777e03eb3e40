import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { AlertStore } from '../../src/core/alerts/alert-store.ts';
import { Figures } from '../../src/core/alerts/archive/figures.ts';
import { createLogger } from '../../src/infra/telemetry/logger.ts';
import { ask, startApi } from '../support/api-server.ts';
import { forgedKey } from '../support/key-fixture.ts';
import { postMcp, toolCall } from '../support/mcp-client.ts';
import { idleArchive } from '../support/schedules.ts';

test('no key, hash or stack is in any body, header or log line, whatever is asked and whatever breaks', async () => {
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) });
  const { database, clock } = await startApi();
  const alerts: AlertStore = {
    ...database.alerts,
    stats: () => Promise.reject(new Error('inside')),
    // The careless fault: one that quotes the request.
    byId: () => Promise.reject(new Error(`failed for ${right.secret} Bearer ${right.secret}`)),
  };
  const { app, baseUrl, issue, hasher } = await startApi({
    logger: createLogger('debug', sink),
    alerts,
    figures: new Figures({ alerts, clock, archive: idleArchive() }),
    readiness: () => Promise.reject(new Error('inside')),
  });
  const right = await issue();
  const answers: string[] = [];
  const paths = app.routeTable.map(({ url }) => url.replaceAll(/:\w+/g, '1'));
  for (const secret of [right.secret, forgedKey(right.secret), forgedKey()]) {
    const headers = { authorization: `Bearer ${secret}` };
    for (const path of [...paths, '/%zz', '/nothing', `/api/v1/alerts/${secret}`, '/api/v1/alerts?page=x']) {
      const { text, headers: given } = await ask(`${baseUrl}${path}?api_key=${secret}`, { headers });
      answers.push(text.replaceAll(secret, path.includes(secret) ? '' : secret), JSON.stringify([...given]));
    }
  }
  for (const secret of [right.secret, forgedKey()]) {
    const answer = await postMcp(baseUrl, toolCall('get_alert', { id: 1 }), {
      authorization: `Bearer ${secret}`,
    });
    answers.push(answer.text, JSON.stringify([...answer.headers]));
  }
  const log = lines.join('');
  expect(log).toContain('request failed');
  for (const text of [...answers, log]) {
    expect(text).not.toMatch(/sk_live_[A-Za-z0-9]/);
    expect(text).not.toContain(await hasher.hash(right.secret));
  }
  for (const text of answers) expect(text).not.toMatch(/inside|node_modules|\.ts:\d+|Error:/);
});
