import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/core/database.ts';
import { openDatabase } from '../../../src/infra/database/database.ts';

/** A database for a site, in a folder that its disposal removes. */
export interface SiteDatabase extends AsyncDisposable {
  readonly url: string;
}

/** `fill`: writes what is there before the site starts. */
export async function siteDatabase(fill: (database: Database) => Promise<void>): Promise<SiteDatabase> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'tipoff-site-'));
  const url = `sqlite:${join(folder.path, 'tipoff.db')}`;
  const database = await openDatabase(url);
  await fill(database);
  await database.close();
  return { url, [Symbol.asyncDispose]: folder.remove };
}
