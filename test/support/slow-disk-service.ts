import { slowDisk } from './slow-disk.ts';

/** The service on a disk that takes `SYNC_MS` longer for each sync. */
slowDisk(Number(process.env['SYNC_MS']));
await import('../../src/main.ts');
