import { expect, test } from 'vitest';
import { START } from '../../support/rows.ts';
import { onEachDatabase } from './each-database.ts';

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
      { seq: 3, ...ENTRY, command: 'revoke' },
      { seq: 2, ...ENTRY, command: 'unban' },
    ]);
    expect(await audit.list({ limit: 10, before: 2 })).toStrictEqual([{ seq: 1, ...ENTRY, command: 'ban' }]);
    expect(await audit.list({ limit: 10, before: 1 })).toEqual([]);
  });

  test('concurrent appends of two processes are all kept, and numbered without a gap', async () => {
    const others = [fixture.database, await fixture.another()];
    const acts = Array.from({ length: 20 }, (_, index) => index);

    await Promise.all(
      others.flatMap(({ audit }, process) =>
        acts.map((act) => audit.append({ ...ENTRY, actor: `terminal:${process}`, args: String(act) })),
      ),
    );

    const entries = await fixture.database.audit.list({ limit: 100 });
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, index) => 40 - index));
    expect(new Set(entries.map(({ actor, args }) => `${actor} ${args}`)).size).toBe(40);
  });
});
