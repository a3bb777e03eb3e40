import { workerData } from 'node:worker_threads';
import { type MadeRecord, RecordMaker, type RecordRequest } from '../../core/record/record-maker.ts';
import { openSqliteRecordSources } from '../database/sqlite/open-sqlite.ts';
import { systemClock } from '../process/system-clock.ts';
import { answerRequests } from '../process/worker-thread.ts';
import type { RecordDatabase } from './record-thread.ts';

const maker = new RecordMaker();

answerRequests(make);

async function make(request: RecordRequest): Promise<MadeRecord> {
  // Open during a run only: an idle thread keeps neither sockets nor a file that was replaced.
  const sources = await openSources(workerData);
  try {
    return await maker.make(sources, request);
  } finally {
    await sources.close();
  }
}

async function openSources({ url, file }: RecordDatabase) {
  if (file !== null) return openSqliteRecordSources(file);
  const { openMigratedMongo } = await import('../database/mongo/open-mongo.ts');
  return openMigratedMongo(url, systemClock);
}
