import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Webhook as Verifier } from 'standardwebhooks';
import { type TestContext, test } from 'vitest';
import { SETTLED, sampleAlert } from '../../scripts/bench/sample-alerts.ts';
import { mintKey, mintSecret } from '../../src/core/accounts/keys/key-service.ts';
import { alertDraft } from '../../src/core/alerts/alert-entry.ts';
import { exitDraft } from '../../src/core/alerts/exits/exit.ts';
import { gapDraft, rulesDraft, settlementDraft } from '../../src/core/alerts/ledger/log-drafts.ts';
import { LOG_KINDS, type LogDraft } from '../../src/core/alerts/log/log-entry.ts';
import { enterWithdrawal } from '../../src/core/alerts/withdrawal.ts';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import type { Database } from '../../src/core/database.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom, sha256 } from '../../src/infra/secrets/key-crypto.ts';
import { createWebhookSecrets } from '../../src/infra/secrets/secret-key.ts';
import { keyOf } from '../infra/database/api-key.ts';
import { exitOf } from '../support/alerts.ts';
import { DATABASES, type DatabaseKind } from '../support/databases.ts';
import { documentsIn, storeOtherKinds, UNUSUAL_TEXT } from '../support/every-kind.ts';
import { START } from '../support/rows.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { startService } from '../support/service-process.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { enter, settleMarket } from '../support/stored.ts';
import { webhookOf } from '../support/webhooks.ts';
import { wholeLog } from '../support/whole-log.ts';

const [SQLITE, MONGODB] = DATABASES as [DatabaseKind, DatabaseKind];

const ALERTS = 10_000;
const WITHDRAWN = 20;
const KEYS = 3_000;
/** A hash costs tens of milliseconds: the other keys have lookup parts of their own and share these hashes. */
const ISSUED = 8;
const WEBHOOKS = 200;
const GROUP = 500;
const PATHS = [
  'alerts?page_size=100',
  'alerts?page_size=100&page=90',
  'alerts?min_signal=80&page_size=100',
  'alerts?search=senate&page_size=100',
];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Alerts and everything that can become of them: entries of every kind. */
async function storeLog(database: Database): Promise<void> {
  const alerts = numbers(ALERTS).map((id) => sampleAlert(id));
  const at = alerts.at(-1)?.createdAt ?? 0;
  const exits = alerts
    .filter(({ id }) => id % 20 === 0)
    .map((alert, index) => {
      const { id, wallet, marketId, eventTitle, eventSlug, category, outcome, outcomeIndex } = alert;
      const of = { wallet, marketId, eventTitle, eventSlug, category, outcome, outcomeIndex };
      return exitOf({ ...of, number: index + 1, threadId: id, alertIds: [id], tradedAt: at, createdAt: at });
    });
  const window = {
    id: 'window 1',
    startedAt: at,
    endedAt: at,
    cause: 'stopped',
    backfilledAt: null,
  } as const;
  const drafts: readonly LogDraft[] = [
    rulesDraft({ version: '1', sha256: '0'.repeat(64) }, { reason: 'start', at: 0, before: null }),
    ...alerts.map(alertDraft),
    ...exits.map(exitDraft),
    ...SETTLED.map((settled) => settlementDraft(settled, at)),
    gapDraft('opened', window, { at, before: null }),
  ];
  for (let start = 0; start < drafts.length; start += GROUP)
    await enter(database, drafts.slice(start, start + GROUP));
  for (const { marketId, outcomes, payouts } of SETTLED.slice(0, 20))
    await settleMarket(database, { marketId, outcomes, payouts: payouts.toReversed(), at: at + 1 });
  for (const alertId of numbers(WITHDRAWN))
    await enterWithdrawal({ ...database, sha256 }, { alertId, at: at + 2, reason: UNUSUAL_TEXT });
}

interface Secrets {
  readonly valid: readonly string[];
  readonly revoked: string;
}

/** Keys of which one is revoked, and one has a new secret beside its former one. */
async function storeKeys({ keys }: Pick<Database, 'keys'>): Promise<Secrets> {
  const deps = { hasher: argon2Hasher, random: secureRandom, clock: systemClock };
  const fields = { name: UNUSUAL_TEXT, tier: 'enterprise' } as const;
  const issued = await Promise.all(numbers(ISSUED).map(() => mintKey(deps, fields)));
  for (const { key } of issued) await keys.insert(key);
  for (const number of numbers(KEYS - ISSUED)) {
    const lookup = String(number).padStart(10, '0');
    const { hash } = issued[number % ISSUED]?.key ?? {};
    await keys.insert(keyOf({ id: `key_${lookup}`, lookup, ...(hash && { hash }) }));
  }
  const [revoked, rotated] = issued;
  if (revoked === undefined || rotated === undefined) throw new Error('too few keys');
  await keys.revoke(revoked.key.id, START);
  const next = await mintSecret(deps);
  const { lookup, hash } = rotated.key;
  const previous = { lookup, hash, endsAt: Date.now() + DAY_MS };
  await keys.rotate(rotated.key, { lookup: next.lookup, hash: next.hash, previous, handover: null });
  return { valid: [next.secret, ...issued.slice(1).map(({ secret }) => secret)], revoked: revoked.secret };
}

async function storeWebhooksAndPresets({ presets, webhooks }: Database): Promise<void> {
  const filters = { $where: '1', 'a.b': 'x', '': UNUSUAL_TEXT, min_signal: 70, search: null };
  for (const number of numbers(WEBHOOKS)) {
    const isEven = number % 2 === 0;
    const chosen = {
      filters: { minScore: 70 },
      categories: ['crypto'],
      events: ['exit'],
      rotatedAt: START,
    } as const;
    const keyId = `key_${String(number).padStart(10, '0')}`;
    const id = `wh_${number}`;
    await webhooks.insert(webhookOf({ id, keyId, secretVersion: number, ...(isEven && chosen) }), 100);
    const feedHash = isEven ? sha256(id) : null;
    const preset = { id: `preset_${number}`, keyId, name: UNUSUAL_TEXT, filters, createdAt: START, feedHash };
    await presets.insert(preset, 100);
  }
}

/** What each webhook signs the same message with. */
async function signaturesIn({ secrets, webhooks }: Database): Promise<readonly string[]> {
  const options = { secretKey: null, secrets, random: secureRandom, logger: silentLogger };
  const secretOf = createWebhookSecrets(options);
  const found = (await webhooks.active()).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const signed = found.map(async (webhook) =>
    new Verifier(await secretOf(webhook)).sign('msg_1', new Date(START), '{}'),
  );
  return Promise.all(signed);
}

/** What a service on a database answers to all secrets, and to one of them. */
async function answersOf(url: string, { valid, revoked }: Secrets) {
  const service = startService({ DATABASE_URL: url, ROLES: 'api' });
  try {
    const address = String((await service.logged('listening'))['address']);
    const ask = (path: string, secret = '') =>
      fetch(`${address}/api/v1/${path}`, { headers: { authorization: `Bearer ${secret}` } });
    const statuses = [...valid, revoked].map(
      async (secret) => (await ask('alerts?page_size=1', secret)).status,
    );
    const answers = PATHS.map(async (path) => await (await ask(path, valid[0])).json());
    return { statuses: await Promise.all(statuses), answers: await Promise.all(answers) };
  } finally {
    await service.end('SIGTERM');
  }
}

type DocumentsByKind = ReadonlyMap<string, readonly object[]>;

/** The documents of an export, in its order. */
async function documentsOf(file: string): Promise<DocumentsByKind> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const entries = lines.slice(1, -1).map((line): { of: string; value: object } => JSON.parse(line));
  const byKind = Map.groupBy(entries, ({ of }) => of);
  return new Map([...byKind].map(([kind, found]) => [kind, found.map(({ value }) => value)]));
}

/** What an import has of documents: no process reports there, or holds the lease. */
function imported(documents: DocumentsByKind): DocumentsByKind {
  const [lease] = documents.get('lease') ?? [];
  const free = { ...lease, owner: null, expiresAt: 0 };
  return new Map([...documents, ['worker', []], ['lease', [free]]]);
}

/** The documents of each kind that are missing, changed or too many. */
function differences(expected: DocumentsByKind, found: DocumentsByKind): readonly object[] {
  return [...expected].flatMap(([kind, documents]) => {
    const others = found.get(kind) ?? [];
    const changed = documents.filter((document, index) => !isDeepStrictEqual(document, others[index]));
    const more = others.slice(documents.length);
    return changed.length + more.length === 0 ? [] : [{ kind, changed, more }];
  });
}

async function checkRoundTrip({ expect, onTestFinished }: TestContext): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tipoff-round-trip-'));
  const [source, mongo] = await Promise.all([SQLITE.open(), MONGODB.open()]);
  onTestFinished(async () => {
    await Promise.all([source.drop(), mongo.drop()]);
    await rm(folder, { recursive: true, force: true });
  });
  const [first, second] = [join(folder, 'first.jsonl'), join(folder, 'second.jsonl')];
  const backUrl = `sqlite:${join(folder, 'back.db')}`;
  const tipoff = async (url: string, command: 'export' | 'import', file: string) =>
    expect(await runTipoff([command, file], { ...process.env, DATABASE_URL: url })).toEqual({
      code: 0,
      out: '',
      err: expect.stringMatching(/^(?:Exported|Imported) \d\d,\d{3} documents/),
    });
  await storeLog(source.database);
  const secrets = await storeKeys(source.database);
  await storeWebhooksAndPresets(source.database);
  await storeOtherKinds(source.database);
  const signatures = await signaturesIn(source.database);
  const stored = await documentsIn(source.database);
  expect(['api_keys', 'webhooks'].map((kind) => stored.get(kind)?.length)).toEqual([KEYS, WEBHOOKS]);
  expect([...stored].flatMap(([kind, documents]) => (documents.length > 0 ? [] : kind))).toEqual([]);

  await tipoff(source.url, 'export', first);
  await tipoff(mongo.url, 'import', first);
  await tipoff(mongo.url, 'export', second);
  await tipoff(backUrl, 'import', second);

  await using back = await openDatabase(backUrl);
  const entries = await wholeLog(back);
  expect(entries.filter(({ kind }) => kind === 'alert')).toHaveLength(ALERTS);
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(LOG_KINDS));
  const expected = imported(stored);
  expect(differences(expected, imported(await documentsOf(first)))).toEqual([]);
  expect(differences(expected, await documentsIn(mongo.database))).toEqual([]);
  expect(differences(expected, await documentsOf(second))).toEqual([]);
  expect(differences(expected, await documentsIn(back))).toEqual([]);
  for (const database of [mongo.database, back]) expect(await signaturesIn(database)).toEqual(signatures);
  const urls = [source.url, mongo.url, backUrl];
  const [before, ...after] = await Promise.all(urls.map((url) => answersOf(url, secrets)));
  expect(before?.statuses).toEqual([...secrets.valid.map(() => 200), 401]);
  for (const answer of before?.answers ?? []) expect(answer).toHaveProperty('alerts.0');
  expect(after).toEqual([before, before]);
}

test.skipIf(!MONGODB.available)(
  'an export with 10,000 alerts, 3,000 keys, 200 webhooks and documents of every kind, imported from SQLite into MongoDB and back: each document is equal, the log verifies, keys and webhook secrets are valid, and the services answer the same',
  { timeout: 120_000 },
  checkRoundTrip,
);
