import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Creation,
  type CreationResult,
  IDEMPOTENCY_KEPT_MS,
  Idempotency,
  type StoredRequest,
} from '../../../src/core/accounts/idempotency.ts';
import { PRESET_LIMITS, PresetService } from '../../../src/core/accounts/presets/preset.ts';
import type { Database } from '../../../src/core/database.ts';
import { WebhookService } from '../../../src/core/delivery/webhooks/webhook-service.ts';
import { secureRandom } from '../../../src/infra/secrets/key-crypto.ts';
import { createFakeClock, type FakeClock } from '../../support/clock.ts';
import { START } from '../../support/rows.ts';
import { createUnrulyProcess, type Rule, unlessKilled } from '../../support/unruly-store.ts';
import { onEachDatabase } from './each-database.ts';

const LONG_AGO = START - 1_000;

function requestOf(given: Partial<StoredRequest> = {}): StoredRequest {
  return {
    keyId: 'key_a',
    name: 'retry-1',
    fingerprint: 'f1',
    resourceId: 'wh_a',
    createdAt: START,
    isCreated: false,
    ...given,
  };
}

onEachDatabase('idempotency store', (fixture) => {
  test('old requests are removed', async () => {
    const { idempotency } = fixture.database;
    const later = requestOf({ name: 'retry-2', createdAt: START + 2 });
    for (const request of [requestOf(), later]) await idempotency.take(request, LONG_AGO);

    expect(await idempotency.prune(START + 1)).toBe(1);
    const third = requestOf({ resourceId: 'wh_c' });
    expect(await idempotency.take(third, LONG_AGO)).toStrictEqual(third);
  });
});

const PRESET = { name: 'desk', filters: { side: 'BUY' }, createdAt: null };
const LIVES: Rule = { waits: [0], dies: null, isLastDone: true };

function processOf(database: Database, rule: Rule = LIVES, clock: FakeClock = createFakeClock(START)) {
  const { wrap } = createUnrulyProcess(rule);
  const random = secureRandom;
  const idempotency = new Idempotency(wrap(database.idempotency), clock);
  const presets = new PresetService({ ...database, presets: wrap(database.presets), random, clock });
  const { deliveries } = database;
  const secretOf = async () => 'whsec_x';
  const webhooks = wrap(database.webhooks);
  const service = new WebhookService({ webhooks, deliveries, secretOf, random, clock });
  const creations = {
    preset: (keyId: string) => presets.creation(keyId, PRESET),
    webhook: (keyId: string) =>
      service.registration(keyId, { url: 'https://example.com/', categories: null, minScore: null }),
  } satisfies Record<string, (keyId: string) => Creation>;
  return (kind: Kind, request: { keyId?: string; name?: string; fingerprint?: string } = {}) => {
    const named = { keyId: 'key_a', name: 'retry-1', fingerprint: 'f1', ...request };
    return unlessKilled(idempotency.create(named, creations[kind](named.keyId)));
  };
}

type Kind = 'preset' | 'webhook';

async function idsOf({ presets, webhooks }: Database, kind: Kind, keyId = 'key_a'): Promise<string[]> {
  const all = kind === 'preset' ? await presets.listByKey(keyId) : await webhooks.listByKey(keyId);
  return all.map(({ id }) => id);
}

function idOf(result: CreationResult | null): string | null {
  return result?.ok === true ? result.id : null;
}

onEachDatabase('a named request', (fixture) => {
  test.each(['preset', 'webhook'] as const)(
    'killed at any call of a store, its repetition completes the one %s',
    async (kind) => {
      const { database } = fixture;
      let kills = 0;
      for (const isLastDone of [true, false]) {
        for (let dies = 0, isKilled = true; isKilled; dies += 1) {
          const request = { keyId: `key_${dies}_${isLastDone}` };
          const first = await processOf(database, { waits: [0], dies, isLastDone })(kind, request);
          isKilled = first === null;
          if (isKilled) kills += 1;

          const again = await processOf(database)(kind, request);
          const third = await processOf(database)(kind, request);

          expect([again, third]).toMatchObject([{ ok: true }, { ok: true, isReplay: true }]);
          const ids = await idsOf(database, kind, request.keyId);
          expect(ids).toEqual([idOf(again)]);
          expect([idOf(third), idOf(first) ?? ids[0]]).toEqual([ids[0], ids[0]]);
        }
      }
      // take, find, insert, markCreated, with and without their effect.
      expect(kills).toBeGreaterThanOrEqual(8);
    },
  );

  test('sent several times at the same time by processes of which some die, it creates one resource', async () => {
    const { database } = fixture;
    const other = await fixture.another();
    const rules = fc.record({
      waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
      dies: fc.option(fc.nat(4)),
      isLastDone: fc.boolean(),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(rules, { minLength: 2, maxLength: 4 }), async (processes) => {
        runs += 1;
        const request = { keyId: `key_${runs}` };
        const results = await Promise.all(
          processes.map((rule, index) =>
            processOf(index % 2 === 0 ? database : other, rule)('preset', request),
          ),
        );
        const last = await processOf(database)('preset', request);

        const ids = await idsOf(database, 'preset', request.keyId);
        expect(ids).toEqual([idOf(last)]);
        const answers = [...results, last].filter((result) => result !== null);
        expect(new Set(answers.map(idOf))).toEqual(new Set(ids));
        expect(answers.filter((result) => result.ok && !result.isReplay).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 25 },
    );
  });

  test.each(['preset', 'webhook'] as const)(
    'whose %s was deleted is refused, and creates nothing',
    async (kind) => {
      const { database } = fixture;
      const create = processOf(database);
      const id = idOf(await create(kind)) ?? '';
      await database[kind === 'preset' ? 'presets' : 'webhooks'].remove('key_a', id);

      expect(await create(kind)).toEqual({ ok: false, reason: 'missing', id });
      expect(await idsOf(database, kind)).toEqual([]);
    },
  );

  test('whose preset was replaced is refused until it is as it was', async () => {
    const { database } = fixture;
    const create = processOf(database);
    const id = idOf(await create('preset')) ?? '';
    const { presets } = database;
    const preset = { id, keyId: 'key_a', ...PRESET, createdAt: START, feedHash: null };

    await presets.replace({ ...preset, filters: { side: 'SELL' } });
    expect(await create('preset')).toEqual({ ok: false, reason: 'changed', id });
    await presets.replace(preset);
    expect(await create('preset')).toEqual({ ok: true, id, isReplay: true });
  });

  test('a name with another request is refused, for 24 hours and for its key', async () => {
    const { database } = fixture;
    const clock = createFakeClock(START);
    const create = processOf(database, LIVES, clock);
    const first = await create('preset');
    const other = { fingerprint: 'f2' };

    expect(await create('preset', other)).toEqual({ ok: false, reason: 'reused' });
    await clock.advance(IDEMPOTENCY_KEPT_MS - 1);
    expect(await create('preset', other)).toEqual({ ok: false, reason: 'reused' });
    expect(await create('preset', { ...other, keyId: 'key_b' })).toMatchObject({ ok: true, isReplay: false });
    await clock.advance(1);
    const second = await create('preset', other);

    expect(second).toMatchObject({ ok: true, isReplay: false });
    expect((await idsOf(database, 'preset')).toSorted()).toEqual([idOf(first), idOf(second)].toSorted());
  });

  test('refused at the maximum of the key, it can be repeated; of concurrent ones none is refused for the other', async () => {
    const { database } = fixture;
    const create = processOf(database);
    const { presets } = database;
    const filler = { keyId: 'key_a', name: 'x', filters: {}, createdAt: START, feedHash: null };
    for (let index = 0; index < PRESET_LIMITS.perKey; index += 1)
      await presets.insert({ ...filler, id: `preset_${index}` }, PRESET_LIMITS.perKey);

    expect(await create('preset')).toEqual({ ok: false, reason: 'full' });
    await presets.remove('key_a', 'preset_0');
    const results = await Promise.all([1, 2, 3].map(() => create('preset')));

    expect(new Set(results.map(idOf)).size).toBe(1);
    expect(results.map((result) => result?.ok)).toEqual([true, true, true]);
    expect(await idsOf(database, 'preset')).toHaveLength(PRESET_LIMITS.perKey);
  });
});
