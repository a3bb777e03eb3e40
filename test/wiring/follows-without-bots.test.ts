import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { alertOf } from '../support/alerts.ts';
import { configOf } from '../support/config.ts';
import { DATABASES } from '../support/databases.ts';
import { HIGH, putPerson, rowsOf } from '../support/open-personal.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

test('without a token people are told what they follow, and the service does not say that bots are on', async () => {
  const { database, url, drop } = await (DATABASES[0] ?? expect.fail()).open();
  onTestFinished(drop);
  await putPerson(database, 'cus_a', { follow: [HIGH], place: 'terminal' });
  const logger = createRecordingLogger();
  const settings = { ROLES: 'api,bots', MARKET_SOURCE: 'none', PORT: '0', WEB: 'false' };
  const container = await createContainer(configOf({ ...settings, DATABASE_URL: url }), { logger });
  onTestFinished(() => container.close());
  const { address } = await container.start();
  await vi.waitFor(async () => expect(await database.chat.cursor('personal_exits')).not.toBeNull(), 10_000);

  const now = Date.now();
  const other = await openDatabase(url);
  await other.alerts.append(alertOf({ id: 1, score: 90, tradedAt: now, createdAt: now }));
  await other.close();

  await vi.waitFor(
    async () => expect((await rowsOf(database)).map(({ id }) => id)).toContain('personal:1@cus_a'),
    10_000,
  );
  const ready = await (await fetch(`${address}/readyz`)).json();
  expect(ready).toMatchObject({ ready: true, checks: { source: { ready: true } } });
  expect(ready).not.toHaveProperty('checks.bots');
  const said = logger.lines.map(({ message }) => message);
  expect(said).toContain('bots are off: neither TELEGRAM_BOT_TOKEN nor DISCORD_TOKEN is set');
  expect(said.filter((line) => /bots are on|PUBLIC_URL is not set: users of the bots/.test(line))).toEqual(
    [],
  );
});
