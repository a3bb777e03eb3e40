import type { AgendaBackend } from 'agenda';
import { createSqliteAgendaRepository } from './agenda-repository.ts';
import { openMigrated } from './open-migrated.ts';

/**
 * Agenda's jobs in the table `agenda_jobs` of a file that was opened as the service's database before, over a connection
 * of its own: ticks may be lost in a power cut and need not wait for the disk. Agenda has no backend for SQLite itself.
 */
export function openSqliteAgendaBackend(path: string): AgendaBackend {
  const db = openMigrated(path, 'NORMAL');
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
