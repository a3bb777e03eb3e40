import { workerData } from 'node:worker_threads';
import { answerRequests, tellMain } from '../../process/worker-thread.ts';
import { type ArchiveCall, openArchive } from './archive-access.ts';
import { openReader, openWriter } from './connection.ts';

const { path } = workerData as { path: string };
const archive = openArchive(openReader(path), openWriter(path, 'NORMAL'), (error) => tellMain(String(error)));

answerRequests(async ({ name, args }: ArchiveCall) => {
  const method = archive[name] as (...values: readonly unknown[]) => unknown;
  return method(...args);
});
