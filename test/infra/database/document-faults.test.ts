import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { endsWithin } from '../../../src/core/base/async/with-timeout.ts';
import { DATABASE_TIMEOUT_MS } from '../../../src/core/base/database-errors.ts';
import type { Declaration, OpenDocuments } from '../../../src/core/base/documents/documents.ts';
import { databaseFailure, openDatabase } from '../../../src/infra/database/database.ts';
import { openSqliteDocuments } from '../../../src/infra/database/documents/open-sqlite-documents.ts';
import { openMigratedMongo } from '../../../src/infra/database/mongo/open-mongo.ts';
import { isOutage, isOutcomeUnknown } from '../../../src/infra/database/outage.ts';
import type { OpenOptions } from '../../../src/infra/database/schema-version.ts';
import { CallGuard, OpenedFile } from '../../../src/infra/database/sqlite/call-guard.ts';
import { neverWait, openWriter } from '../../../src/infra/database/sqlite/connection.ts';
import { createTables } from '../../../src/infra/database/sqlite/schema.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { createFakeClock } from '../../support/clock.ts';
import { PATIENT } from '../../support/lanes/patient.ts';
import { startLossyProxy } from '../../support/mongod/lossy-proxy.ts';
import { command, type ReplicaSet, startReplicaSet } from '../../support/mongod/replica-set.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { START } from '../../support/rows.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const schema = z.strictObject({ id: z.string(), text: z.string() });
type Note = z.infer<typeof schema>;
const NOTES: Declaration<Note> = { kind: 'notes', schema };

const note = (id: string, text = ''): Note => ({ id, text });

async function idsOf(documents: OpenDocuments): Promise<readonly string[]> {
  return (await documents(NOTES).find({ order: 'id' })).map(({ id }) => id);
}

/** How a call failed, and what an operator is shown. */
async function failureOf(call: Promise<unknown>, url: string) {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  return {
    isOutage: isOutage(error),
    isOutcomeUnknown: isOutcomeUnknown(error),
    shown: String(databaseFailure(error, url)),
  };
}

/** `words`: what an operator is shown after the setting. */
function outage(words: string, { isOutcomeUnknown = false } = {}) {
  const shown = expect.stringContaining(`DatabaseUnavailable: DATABASE_URL: ${words}`);
  return { isOutage: true, isOutcomeUnknown, shown };
}

describe('documents in an SQLite file', () => {
  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(scratchFolder(), 'tipoff-faults-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Documents in a new file, which has the note `a`. */
  async function openFile(options: OpenOptions = {}) {
    const folder = await newFolder();
    const file = join(folder, 'data', 'tipoff.db');
    const url = `sqlite:${file}`;
    const { documents, close } = await openDatabase(url, options);
    onTestFinished(close);
    await documents(NOTES).insert([note('a')]);
    return { folder, file, url, documents, close };
  }

  async function openLockedFile() {
    const clock = createFakeClock(START);
    const opened = await openFile({ clock });
    const other = new DatabaseSync(opened.file);
    onTestFinished(() => other.close());
    other.exec('BEGIN EXCLUSIVE');
    return { ...opened, clock, unlock: () => other.exec('COMMIT') };
  }

  /** One of each way to write: a statement, a transaction, the connection that does not wait for the disk. */
  function writesOf(documents: OpenDocuments): readonly Promise<unknown>[] {
    return [
      documents(NOTES).insert([note('b')]),
      documents(NOTES).insert([note('c'), note('d')]),
      documents(NOTES, { isQuick: true }).put([note('e')]),
    ];
  }

  test('that another process locks are read meanwhile, and writes wait for the lock without blocking the event loop', async () => {
    const { documents, clock, unlock } = await openLockedFile();
    const startedAt = performance.now();
    const writes = writesOf(documents);
    // Each waits on the clock, which stands still: for its next attempt and for its time limit.
    await clock.asleep(2 * writes.length);

    expect(await idsOf(documents)).toEqual(['a']);
    // SQLite's own wait would be 5 s each.
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    unlock();
    await clock.advance(100);

    expect(await Promise.all(writes)).toEqual([null, null, true]);
    expect(await idsOf(documents)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('that stay locked fail writes before their time limit: nothing is written, and the next call works', async () => {
    const { file, url, documents, clock, unlock } = await openLockedFile();
    const failures = writesOf(documents).map((write) => failureOf(write, url));
    await clock.asleep(2 * failures.length);

    await clock.advance(DATABASE_TIMEOUT_MS - 1);

    const locked = outage(`${file} is locked by another process. End the process that holds`);
    expect(await Promise.all(failures)).toEqual(failures.map(() => locked));
    expect(clock.sleepers).toBe(0);
    unlock();
    expect(await idsOf(documents)).toEqual(['a']);
    expect(await Promise.all(writesOf(documents))).toEqual([null, null, true]);
  });

  test('on a full disk are read, and a write fails as a whole until there is space', async () => {
    const file = join(await newFolder(), 'tipoff.db');
    const db = openWriter(file, 'FULL');
    onTestFinished(() => db.close());
    neverWait(db);
    createTables(db);
    const guard = new CallGuard(new OpenedFile(file), systemClock);
    const documents = openSqliteDocuments({ db, quick: db, guard, clock: systemClock });
    await documents(NOTES).insert([note('a')]);
    const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number };
    db.exec(`PRAGMA max_page_count = ${pages + 1}`);
    const large = [note('b'), note('c', 'x'.repeat(100_000))];

    const failure = await failureOf(documents(NOTES).insert(large), `sqlite:${file}`);

    expect(failure).toEqual(outage(`${file} cannot be written: the disk is full. Free space on it.`));
    expect(await idsOf(documents)).toEqual(['a']);
    db.exec('PRAGMA max_page_count = 1000000');
    expect(await documents(NOTES).insert(large)).toBeNull();
    expect(await idsOf(documents)).toEqual(['a', 'b', 'c']);
  });

  const onPosix = test.skipIf(process.platform === 'win32');

  /** The file is compared once a second of this time, which stands still. */
  function holdTime(): void {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
  }

  onPosix('that is moved away are refused within a second, and all is there when it is back', async () => {
    holdTime();
    const logger = createRecordingLogger();
    const { folder, file, url, documents } = await openFile({ logger });
    await rename(dirname(file), join(folder, 'elsewhere'));
    vi.advanceTimersByTime(999);
    expect(await documents(NOTES).insert([note('b')])).toBeNull();
    vi.advanceTimersByTime(1);

    const lost = outage(`${file} was deleted or moved while it was open. Put back the same file`);
    expect(await failureOf(documents(NOTES).insert([note('c')]), url)).toEqual(lost);
    expect(await failureOf(documents(NOTES).get('a'), url)).toEqual(lost);

    await rename(join(folder, 'elsewhere'), dirname(file));
    expect(await documents(NOTES).insert([note('c')])).toBeNull();
    expect(await idsOf(documents)).toEqual(['a', 'b', 'c']);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'database file lost; nothing is written',
      'the database file is back',
    ]);
  });

  onPosix('that another file replaces stay refused, and closing leaves the other file as it is', async () => {
    holdTime();
    const { file, url, documents, close } = await openFile();
    const restored = await openFile();
    await restored.documents(NOTES).insert([note('z')]);
    // What a copy of a database in use consists of: the last note is in the log.
    for (const end of ['', '-wal', '-shm']) {
      await copyFile(`${restored.file}${end}`, `${file}-copy${end}`);
      await rename(`${file}-copy${end}`, `${file}${end}`);
    }
    vi.advanceTimersByTime(1_000);

    const replaced = outage(`${file} was replaced by another file while it was open.`);
    expect(await failureOf(documents(NOTES).insert([note('b')]), url)).toEqual(replaced);
    expect(await failureOf(documents(NOTES).find(), url)).toEqual(replaced);
    await close();

    const reopened = await openDatabase(url);
    onTestFinished(reopened.close);
    expect(await idsOf(reopened.documents)).toEqual(['a', 'z']);
  });
});

describe.skipIf(inject('mongoUri') === null)('documents on a MongoDB server', () => {
  let replicaSet: ReplicaSet;
  let primary: ReplicaSet['members'][0];
  beforeAll(async () => {
    const args = ['--setParameter', 'enableTestCommands=1'];
    replicaSet = await startReplicaSet({ electionTimeoutMs: 1_000, size: 1, args });
    primary = await replicaSet.elected();
  });
  afterAll(() => replicaSet.stop());

  /** The note `a` and no other, on the server at this address. */
  async function openNotes(url = replicaSet.uri) {
    const { documents, close } = await openMigratedMongo(url, systemClock);
    onTestFinished(close);
    const notes = documents(NOTES);
    await notes.delete({});
    await notes.insert([note('a')]);
    return {
      notes,
      ids: () => idsOf(documents),
      failureOf: (call: Promise<unknown>) => failureOf(call, url),
    };
  }

  const noAnswer = (reason: string, port = primary.port) =>
    outage(`MongoDB at 127.0.0.1:${port} does not answer (${reason}`, { isOutcomeUnknown: true });

  const stepDown = (seconds: number) =>
    command(primary, { replSetStepDown: seconds, secondaryCatchUpPeriodSecs: 0, force: true });

  test('that hangs end within their time limit, and a write may be executed later; then all work again', async () => {
    const { notes, ids, failureOf } = await openNotes();
    // With so many connections the write is sent at once.
    await Promise.all(Array.from({ length: 5 }, () => notes.get('a')));
    primary.hang();
    // It stops a moment later.
    while (await endsWithin({ clock: systemClock, timeoutMs: 250 }, notes.get('a')));
    const startedAt = performance.now();

    const failures = await Promise.all([failureOf(notes.get('a')), failureOf(notes.insert([note('b')]))]);
    const endedAt = performance.now();
    primary.resume();

    // A busy machine may take longer.
    expect(endedAt - startedAt).toBeLessThan(DATABASE_TIMEOUT_MS + 2_000);
    const late = ['get', 'insert'].map((call) =>
      noAnswer(`notes.${call}: no answer from the database within`),
    );
    expect(failures).toEqual(late);
    expect(await notes.get('a')).toEqual(note('a'));
    await vi.waitFor(async () => expect(await ids()).toEqual(['a', 'b']), PATIENT);
    expect(await notes.insert([note('b')])).toBe('b');
  });

  test('that steps down wait for the next primary, and without one fail before their time limit: nothing is written', async () => {
    const { notes, ids, failureOf } = await openNotes();
    await stepDown(1);
    expect(await notes.insert([note('b'), note('c')])).toBeNull();

    await stepDown(60);
    const calls = [notes.insert([note('d')]), notes.delete({ id: 'a' }), notes.get('a')];
    const failures = await Promise.all(calls.map(failureOf));
    await command(primary, { replSetFreeze: 0 });

    const absent = outage(`MongoDB at 127.0.0.1:${primary.port} does not answer (Server selection timed out`);
    expect(failures).toEqual(calls.map(() => absent));
    expect(await notes.insert([note('e')])).toBeNull();
    expect(await ids()).toEqual(['a', 'b', 'c', 'e']);
  });

  test('whose elections end both attempts of a write fail with an unknown outcome, and the next call works', async () => {
    const { notes, failureOf } = await openNotes();
    const data = { failCommands: ['insert'], errorCode: 189, errorLabels: ['RetryableWriteError'] };
    await command(primary, { configureFailPoint: 'failCommand', mode: { times: 2 }, data });

    const failure = await failureOf(notes.insert([note('b')]));

    expect(failure).toEqual(noAnswer(''));
    expect(await notes.insert([note('b')])).toBeNull();
  });

  test('that lose the connection in a write are written once; lost twice, the next insert says which id is taken', async () => {
    const proxy = await startLossyProxy(primary.port);
    const { notes, ids, failureOf } = await openNotes(proxy.url);
    proxy.losses = 1;
    expect(await notes.insert([note('b'), note('c')])).toBeNull();

    proxy.losses = 2;
    const failure = await failureOf(notes.insert([note('d'), note('e')]));

    expect(failure).toEqual(noAnswer('connection', proxy.port));
    expect([proxy.losses, await ids()]).toEqual([0, ['a', 'b', 'c', 'd', 'e']]);
    expect(await notes.insert([note('e'), note('f')])).toBe('e');
  });
});
