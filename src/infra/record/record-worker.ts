import { workerData } from 'node:worker_threads';
import { type MadeRecord, RecordMaker, type RecordRequest } from '../../core/record/record-maker.ts';
import { answerRequests } from '../process/worker-thread.ts';
import { sha256 } from '../secrets/sha256.ts';
import { openRecordSources, type RecordDatabase } from './open-record-sources.ts';

const database = workerData as RecordDatabase;
const maker = new RecordMaker(sha256);

answerRequests(make);

async function make(request: RecordRequest): Promise<MadeRecord> {
  // Open during a run only: an idle thread keeps neither sockets nor a file that was replaced.
  const sources = await openRecordSources(database);
  try {
    return await maker.make(sources, request);
  } finally {
    await sources.close();
  }
}
