import { expect, test } from 'vitest';
import { onEachDatabase } from '../../infra/database/each-database.ts';
import { START } from '../../support/rows.ts';

const ENTRY = {
  at: START,
  actor: 'telegram:123',
  command: 'extend',
  args: 'cus_a 30',
  outcome: 'done',
} as const;

onEachDatabase('audit log', (fixture) => {
  test('entries are numbered 1, 2, 3 … as written, and listed newest first, a page at a time', async () => {
    const { audit } = fixture.database;
    expect(await audit.list({ limit: 10 })).toEqual([]);

    for (const command of ['ban', 'unban', 'revoke']) await audit.append({ ...ENTRY, command });

    expect(await audit.list({ limit: 2 })).toStrictEqual([
      { id: 3, ...ENTRY, command: 'revoke' },
      { id: 2, ...ENTRY, command: 'unban' },
    ]);
    expect(await audit.list({ limit: 10, before: 2 })).toStrictEqual([{ id: 1, ...ENTRY, command: 'ban' }]);
    expect(await audit.list({ limit: 10, before: 1 })).toEqual([]);
  });

  test('each entry of two processes has a number of its own, and no number is left out', async () => {
    const logs = [fixture.database.audit, (await fixture.another()).audit];
    const entries = Array.from({ length: 20 }, (_, index) => ({ ...ENTRY, at: START + index }));

    await Promise.all(entries.map((entry, index) => logs[index % 2]?.append(entry)));

    const listed = await fixture.database.audit.list({ limit: 100 });
    expect(listed.map(({ id }) => id)).toEqual(entries.map((_, index) => 20 - index));
    expect(new Set(listed.map(({ at }) => at)).size).toBe(20);
  });
});
