import { parentPort, workerData } from 'node:worker_threads';
import { RecordMaker, type RecordRequest } from '../../core/record/record-maker.ts';
import { sha256 } from '../sha256.ts';
import { openRecordSources, type RecordDatabase } from './open-record-sources.ts';
import type { RecordReply } from './record-thread.ts';

const database = workerData as RecordDatabase;
const maker = new RecordMaker(sha256);

parentPort?.on('message', (request: RecordRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});

async function answer(request: RecordRequest): Promise<RecordReply> {
  try {
    // Open during a run only: an idle thread keeps neither sockets nor a file that was replaced.
    const sources = await openRecordSources(database);
    try {
      return { made: await maker.make(sources, request) };
    } finally {
      await sources.close();
    }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
