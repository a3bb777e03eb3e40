import type { AgendaBackend } from 'agenda';
import type { Clock } from '../core/clock.ts';
import { sqliteFile } from './database.ts';
import { openSqliteAgendaBackend } from './sqlite/agenda-backend.ts';

/**
 * Where Agenda keeps its jobs: in the database that `DATABASE_URL` names, which was opened before, over a connection of
 * its own. `disconnect` closes that. Throws when the database cannot be reached.
 */
export async function openAgendaBackend(url: string, clock: Clock): Promise<AgendaBackend> {
  const file = sqliteFile(url);
  if (file !== null) return openSqliteAgendaBackend(file);
  const { connect } = await import('./mongo/connect.ts');
  const { createMongoAgendaBackend } = await import('./mongo/agenda-backend.ts');
  return createMongoAgendaBackend(await connect(url), clock);
}
