import { createHash } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/infra/database/database.ts';
import { alertOf } from '../../test/support/alerts.ts';
import { appendDrafts } from '../../test/support/log-entries.ts';
import { START } from '../../test/support/rows.ts';
import { startService } from '../../test/support/service-process.ts';

export const LARGE_MONTH = new Date(START).toISOString().slice(0, 7);
export const ALERTS = 1_500;
const ENTRIES = 6_800;
const ENTRY_BYTES = 8_000;

/** Attacks a service of its own, over `ALERTS` alerts and a month of the log of 54 MB. Ends it afterwards. */
export async function withAttackedService<Result>(
  attack: (address: string) => Promise<Result>,
): Promise<Result> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-attack-'));
  const url = `sqlite:${join(folder.path, 'attack.db')}`;
  await fill(url);
  const service = startService({
    DATABASE_URL: url,
    ROLES: 'api',
    // The attacks are meant for the other limits.
    PUBLIC_REQUESTS_PER_MINUTE: '0',
    SECRET_KEY: 'what the secrets of an attacked service come from',
  });
  try {
    const { address } = await service.logged('listening');
    return await attack(String(address));
  } finally {
    await service.end('SIGTERM');
  }
}

async function fill(url: string): Promise<void> {
  const database = await openDatabase(url);
  try {
    for (let id = 1; id <= ALERTS; id += 1)
      await database.alerts.append(alertOf({ id, createdAt: START, marketId: `0xm${id % 50}` }));
    const text = (index: number) =>
      createHash('shake256', { outputLength: ENTRY_BYTES / 2 })
        .update(String(index))
        .digest('hex');
    const drafts = Array.from({ length: ENTRIES }, (_, index) => ({
      kind: 'outcome' as const,
      subject: `market:0xm${index}`,
      at: START,
      body: { market_id: `0xm${index}`, outcomes: [text(index), 'No'], payouts: [1, 0] },
    }));
    await appendDrafts(database.log, drafts);
  } finally {
    await database.close();
  }
}
