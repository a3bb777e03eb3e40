import { MongoJobRepository } from '@agendajs/mongo-backend';
import type { AgendaBackend } from 'agenda';
import type { Connection } from 'mongoose';
import type { Clock } from '../../core/clock.ts';
import { closeInTime } from './connect.ts';

/**
 * Agenda's jobs in a collection of their own, over a connection that is closed with the backend. The package's own
 * backend is left out, as it keeps a log beside, whose indexes are made on the side and fail on a closed connection.
 */
export function createMongoAgendaBackend(connection: Connection, clock: Clock): AgendaBackend {
  const { db } = connection;
  if (db === undefined) throw new Error('not connected');
  const repository = new MongoJobRepository({ mongo: db, db: { collection: 'agenda_jobs' } });
  return {
    name: 'MongoDB',
    ownsConnection: false,
    repository,
    connect: () => repository.connect(),
    disconnect: () => closeInTime(connection, clock),
  };
}
