import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openReader } from '../../../src/infra/database/sqlite/connection.ts';
import { openSqlite } from '../../../src/infra/database/sqlite/open-sqlite.ts';
import { noteFor } from '../../support/chat/messages.ts';
import { createFakeClock } from '../../support/clock.ts';
import { openCustomerFixture, visitorOf } from '../../support/customer-fixture.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

async function openFile(people: readonly string[]) {
  const folder = mkdtempSync(join(scratchFolder(), 'tipoff-erased-'));
  const path = join(folder, 'tipoff.db');
  const [logger, clock] = [createRecordingLogger(), createFakeClock(START)];
  const database = await openSqlite({ path, clock, logger });
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  const { service, give } = openCustomerFixture(database);
  const ids: string[] = [];
  for (const [index, name] of people.entries()) {
    const { id } = await service.visit(visitorOf(String(index), { name }));
    const { key } = await give({ customerId: id, tier: 'pro', request: `r${index}` });
    await service.keys.rename(id, key.id, `${name} key`);
    await database.chat.add([noteFor(`customer:${id}`, { id: `note:${name}` })]);
    ids.push(id);
  }
  const found = () => {
    const bytes = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1').toLowerCase())
      .join('\n');
    return people.filter((name) => bytes.includes(name.toLowerCase()));
  };
  return { path, service, clock, logger, ids, found };
}

test('no file of the database contains the name of a person whose data was erased', async () => {
  const people = Array.from({ length: 24 }, (_, index) => `Person-${index}-of-24`);
  const { service, ids, found } = await openFile(people);
  expect(found()).toEqual(people);

  const isLeaving = (_: unknown, index: number) => index % 3 === 1;
  for (const id of ids.filter(isLeaving)) await service.erase(id);

  expect(found()).toEqual(people.filter((name, index) => !isLeaving(name, index)));
});

test('a reader that stays is named in the log, and the data is erased', async () => {
  const { path, service, clock, logger, ids } = await openFile(['Ann-Lee']);
  const reader = openReader(path);
  reader.exec('BEGIN; SELECT * FROM customers');

  let isErased = false;
  const erasing = service.erase(ids[0] ?? '').finally(() => {
    isErased = true;
  });
  while (!isErased) {
    await nextTurn();
    await clock.advance(100);
  }
  await erasing;
  reader.close();

  expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'deleted data is still in the log of the database; retrying with the next retention'],
  ]);
  expect(await service.byId(ids[0] ?? '')).toBeNull();
});
