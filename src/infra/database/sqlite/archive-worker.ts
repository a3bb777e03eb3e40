import { parentPort, workerData } from 'node:worker_threads';
import { ColumnArchive } from '../archive/archive.ts';
import type { ArchiveCall, ArchiveReply } from './archive-access.ts';
import { createSqliteArchiveSource } from './archive-source.ts';
import { openReader } from './connection.ts';

const { path } = workerData as { path: string };
const archive = new ColumnArchive(createSqliteArchiveSource(openReader(path)));

parentPort?.on('message', (message: ArchiveCall) => {
  void answer(message).then((reply) => parentPort?.postMessage(reply));
});

async function answer({ call, name, args }: ArchiveCall): Promise<ArchiveReply> {
  try {
    const method = archive[name] as (...values: readonly unknown[]) => unknown;
    return { call, value: await method(...args) };
  } catch (error) {
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
    return { call, error: error instanceof Error ? error.message : String(error), errcode };
  }
}
