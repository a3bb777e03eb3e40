import type { DatabaseSync } from 'node:sqlite';
import type { AgendaBackend } from 'agenda';
import { createSqliteAgendaRepository } from './agenda-repository.ts';
import { openWriter } from './connection.ts';
import { MEMORY } from './open-sqlite.ts';
import { makePrivateFile } from './private-file.ts';
import { migrate } from './schema.ts';

/**
 * Agenda's jobs in the table `agenda_jobs` of a file that was opened as the service's database before, over a connection
 * of its own: ticks may be lost in a power cut and need not wait for the disk. Agenda has no backend for SQLite itself.
 */
export function openSqliteAgendaBackend(path: string): AgendaBackend {
  const db = openFile(path);
  return {
    name: 'SQLite',
    ownsConnection: false,
    repository: createSqliteAgendaRepository(db),
    connect: async () => {},
    disconnect: async () => {
      if (db.isOpen) db.close();
    },
  };
}

function openFile(path: string): DatabaseSync {
  if (path !== MEMORY) makePrivateFile(path);
  const db = openWriter(path, 'NORMAL');
  try {
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
