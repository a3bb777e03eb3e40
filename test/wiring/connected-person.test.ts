import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { useAuthority } from '../infra/outgoing/sender-fixture.ts';
import { alertOf } from '../support/alerts.ts';
import { configOf } from '../support/config.ts';
import { DATABASES } from '../support/databases.ts';
import { HIGH, putPerson } from '../support/open-personal.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { bodyOf, startHttpsServer } from '../support/tls/https-server.ts';

const given = useAuthority(['localhost']);
const SECRET = 'quiet-topic-7';

test('without a bot an alert that a person follows reaches their own address, which no log and no report has', async () => {
  const received: Record<string, unknown>[] = [];
  const receiver = await startHttpsServer(given.certificate, async (request, response) => {
    received.push(JSON.parse((await bodyOf(request)).toString()));
    response.end('{"id":"x"}');
  });
  onTestFinished(receiver.close);
  const { database, url, drop } = await (DATABASES[0] ?? expect.fail()).open();
  onTestFinished(drop);
  const address = `https://localhost:${receiver.port}/${SECRET}`;
  await putPerson(database, 'cus_a', {
    ...{ follow: [HIGH], tier: 'pro', place: 'connect' },
    destination: { kind: 'ntfy', url: address, createdAt: 1 },
  });
  const logger = createRecordingLogger();
  const settings = { ROLES: 'api,bots', MARKET_SOURCE: 'none', PORT: '0', WEB: 'false' };
  const config = configOf({ ...settings, WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_URL: url });
  const container = await createContainer(config, { logger });
  onTestFinished(() => container.close());
  const { address: own } = await container.start();
  await vi.waitFor(async () => expect(await database.chat.cursor('personal_exits')).not.toBeNull());

  const now = Date.now();
  const other = await openDatabase(url);
  await other.alerts.append(alertOf({ id: 1, score: 90, tradedAt: now, createdAt: now }));
  await other.close();

  await vi.waitFor(() => expect(received).toHaveLength(1));
  expect(received[0]).toMatchObject({
    topic: SECRET,
    title: expect.stringMatching(/^90 · \$/),
    tags: ['alert'],
  });
  await vi.waitFor(
    async () => expect(await database.chat.byId('personal:1@cus_a')).toMatchObject({ state: 'sent' }),
    10_000,
  );
  const ready = await (await fetch(`${own}/readyz`)).json();
  expect(JSON.stringify([ready, logger.lines])).not.toContain(SECRET);
  expect(ready).toMatchObject({ ready: true, checks: { source: { ready: true } } });
  expect(ready).not.toHaveProperty('checks.bots');
  const said = logger.lines.map(({ message }) => message);
  expect(said).toContain('bots are off: neither TELEGRAM_BOT_TOKEN nor DISCORD_TOKEN is set');
  expect(said.filter((line) => /bots are on|PUBLIC_URL is not set: users of the bots/.test(line))).toEqual(
    [],
  );
});
