import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../process/worker-thread.ts';
import { ColumnArchive } from '../archive/archive.ts';
import type { ArchiveCall } from './archive-access.ts';
import { createSqliteArchiveSource } from './archive-source.ts';
import { openReader } from './connection.ts';

const { path } = workerData as { path: string };
const archive = new ColumnArchive(createSqliteArchiveSource(openReader(path)));

answerRequests(async ({ name, args }: ArchiveCall) => {
  const method = archive[name] as (...values: readonly unknown[]) => unknown;
  return method(...args);
});
