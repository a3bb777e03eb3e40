import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiKey } from '../../../src/core/accounts/keys/api-key.ts';
import type { Collection, Filter, Sort } from '../../../src/infra/database/stores/collection.ts';
import { KEYS, USAGE } from '../../../src/infra/database/stores/key-store.ts';
import { SETTLEMENTS } from '../../../src/infra/database/stores/settlement-store.ts';
import { settlementOf } from '../../support/alerts.ts';
import { START } from '../../support/rows.ts';
import { keyOf } from './api-key.ts';
import { onEachDatabase } from './each-database.ts';

const named = (id: string, given: Partial<ApiKey> = {}) => keyOf({ id, lookup: id, ...given });
const ids = (keys: readonly Pick<ApiKey, 'id'>[]) => keys.map(({ id }) => id);
const settled = (marketId: string, seq: number) => settlementOf({ marketId, seq });

const facts = fc.record(
  {
    name: fc.constantFrom('desk', 'Desk (100%)', 'bot', 'it’s $where', ''),
    tier: fc.constantFrom('free', 'pro'),
    createdAt: fc.integer({ min: START, max: START + 4 }),
    trialEndsAt: fc.option(fc.integer({ min: START, max: START + 4 })),
    customerId: fc.option(fc.constantFrom('cus_a', 'cus_b')),
    isShown: fc.option(fc.boolean()),
  },
  { noNullPrototype: true },
);
const keysOf = (given: readonly (typeof facts extends fc.Arbitrary<infer Facts> ? Facts : never)[]) =>
  given.map(({ isShown, ...each }, index) => {
    const id = `key_${index}`;
    return named(id, { ...each, handover: isShown === null ? null : { request: id, isShown } });
  });

/** A filter with what it must mean. */
type Meant = readonly [Filter<ApiKey>, (key: ApiKey) => boolean];
const moment = fc.integer({ min: START, max: START + 4 });
const condition: fc.Arbitrary<Meant> = fc.oneof(
  moment.map((at): Meant => [{ createdAt: at }, (key) => key.createdAt === at]),
  moment.map((at): Meant => [{ createdAt: { notIn: [at] } }, (key) => key.createdAt !== at]),
  moment.map((at): Meant => [{ trialEndsAt: { ne: at } }, (key) => key.trialEndsAt !== at]),
  fc
    .tuple(moment, moment)
    .map(
      ([from, below]): Meant => [
        { trialEndsAt: { gte: from, lt: below } },
        ({ trialEndsAt: at }) => at !== null && at >= from && at < below,
      ],
    ),
  fc
    .tuple(moment, moment)
    .map(
      ([after, until]): Meant => [
        { createdAt: { gt: after, lte: until } },
        ({ createdAt: at }) => at > after && at <= until,
      ],
    ),
  fc.constantFrom<Meant>(
    [{ trialEndsAt: null }, (key) => key.trialEndsAt === null],
    [{ trialEndsAt: { ne: null } }, (key) => key.trialEndsAt !== null],
    [{ customerId: { present: true } }, (key) => key.customerId !== null],
    [{ customerId: { in: ['cus_a', 'cus_c'] } }, (key) => key.customerId === 'cus_a'],
    [{ customerId: { in: [] } }, () => false],
    [{ 'handover.request': { present: true } }, (key) => key.handover !== null],
    [{ 'handover.isShown': true }, (key) => key.handover?.isShown === true],
    [{ 'handover.isShown': null }, (key) => key.handover === null],
  ),
);
const filter: fc.Arbitrary<Meant> = fc
  .tuple(
    fc.oneof(condition, fc.constant<Meant>([{ tier: undefined }, () => true])),
    fc.array(condition, { minLength: 1, maxLength: 3 }),
    condition,
  )
  .map(([own, either, also]) => [
    { ...own[0], or: either.map(([where]) => where), and: [also[0]] },
    (key) => own[1](key) && also[1](key) && either.some(([, matches]) => matches(key)),
  ]);

onEachDatabase('a collection', (fixture) => {
  const keys = async () => (await fixture.collections())(KEYS);
  /** As two processes have it. */
  const both = async () => [await keys(), await keys()] as const;

  test('finds, picks, counts, changes and deletes the rows that a filter means', async () => {
    const rows = await keys();
    await fc.assert(
      fc.asyncProperty(fc.array(facts, { maxLength: 12 }), filter, async (given, [where, matches]) => {
        await rows.delete({});
        const all = keysOf(given);
        await rows.insertNew(all);
        const meant = all.filter(matches);

        expect((await rows.find({ where })).toSorted((a, b) => Number(a.id > b.id) - 0.5)).toStrictEqual(
          meant.toSorted((a, b) => Number(a.id > b.id) - 0.5),
        );
        expect(await rows.count(where)).toBe(meant.length);
        const byTier = Map.groupBy(meant, ({ tier }) => tier);
        expect(await rows.countBy('tier', where)).toEqual(
          new Map(Array.from(byTier, ([tier, found]) => [tier, found.length])),
        );
        const createdAt = meant.reduce((sum, key) => sum + key.createdAt, 0);
        expect(await rows.sum(where, ['createdAt'])).toEqual({ createdAt });
        const picked = await rows.pick(['id', 'handover'], { where, sort: ['-id'], limit: 3 });
        const newest = meant.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 3);
        expect(picked).toStrictEqual(newest.map(({ id, handover }) => ({ id, handover })));
        const set = { name: 'x', limits: { requestsPerMinute: 5, maxSockets: null } };
        expect(await rows.update(where, { set })).toBe(meant.length);
        expect(await rows.count({ name: 'x' })).toBe(meant.length);
        expect(await rows.delete({ name: 'x' })).toBe(meant.length);
        expect(await rows.count()).toBe(all.length - meant.length);
      }),
      { numRuns: 60, interruptAfterTimeLimit: 20_000 },
    );
  });

  test.each<[Sort<ApiKey>]>([[['createdAt', 'id']], [['-createdAt', '-id']], [['id']], [['-id']]])(
    'is walked by %j, a page at a time, each row once',
    async (sort) => {
      const rows = await keys();
      const all = Array.from({ length: 10 }, (_, n) => named(`key_${n}`, { createdAt: START + (n % 3) }));
      await rows.insertNew(all);
      const walked: ApiKey[] = [];
      for (let after: ApiKey | undefined; ; after = walked.at(-1)) {
        const page = await rows.find({ where: { tier: 'pro' }, sort, limit: 3, after });
        if (page.length === 0) break;
        walked.push(...page);
      }

      const rank = (key: ApiKey) => (sort.length === 2 ? `${key.createdAt} ${key.id}` : key.id);
      const ascending = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
      expect(ids(walked)).toEqual(ids(sort[0]?.startsWith('-') ? ascending.toReversed() : ascending));
      const last = [walked.at(-1)?.id ?? ''];
      expect((await rows.page(null, 4)).concat(await rows.page(['key_3'], 99))).toStrictEqual(all);
      expect(await rows.get(...last)).toStrictEqual(walked.at(-1));
      expect(await rows.get('nobody')).toBeNull();
    },
  );

  test('inserts each row once, also for two processes, and leaves those whose key or unique value is taken', async () => {
    const [one, other] = await both();
    const all = Array.from({ length: 50 }, (_, index) => named(`key_${index}`));

    const inserted = await Promise.all([one.insertNew(all), other.insertNew(all.toReversed())]);

    expect(ids(inserted.flat()).toSorted()).toEqual(ids(all).toSorted());
    const thieves = [named('key_1', { lookup: 'free' }), named('key_x', { lookup: 'key_2' }), named('key_y')];
    expect(await one.insertNew(thieves)).toStrictEqual([named('key_y')]);
    expect(await one.get('key_1')).toStrictEqual(named('key_1'));
    expect(await one.insertNew([])).toEqual([]);
    const inOrder = [named('key_51'), named('key_52')];
    expect([await one.insertInOrder(inOrder), await other.insertInOrder(inOrder)]).toEqual([true, false]);
  });

  test('keeps to a cap, also for two processes, and gives what became free again', async () => {
    const stores = await both();
    const [one] = stores;
    const insert = (rows: Collection<ApiKey>, id: string, given: Partial<ApiKey> = {}) =>
      rows.insertWithin(named(id, { customerId: 'cus_a', ...given }), 5);
    // Without a slot, it counts as well.
    await one.insertNew([named('by-hand', { customerId: 'cus_a' })]);

    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => insert(stores[index % 2] ?? one, `key_${index}`)),
    );

    expect(results.filter((result) => result === 'inserted')).toHaveLength(4);
    expect(results.filter((result) => result === 'too_many')).toHaveLength(8);
    expect(await insert(one, 'other', { customerId: 'cus_b' })).toBe('inserted');
    const [held, next] = await one.find({ where: { customerId: 'cus_a', id: { ne: 'by-hand' } } });
    await one.update({ id: held?.id ?? '' }, { set: { revokedAt: START }, freesSlot: true });
    await one.delete({ id: next?.id ?? '' });
    expect(await insert(one, 'other', { lookup: 'free' })).toBe('taken');
    expect(await insert(one, 'thief', { lookup: 'other' })).toBe('taken');
    const more = [await insert(one, 'a'), await insert(one, 'b'), await insert(one, 'c')];
    expect(more).toEqual(['inserted', 'inserted', 'too_many']);
  });

  test('puts a row in the place of the one with its key, only over one that matches', async () => {
    const rows = (await fixture.collections())(SETTLEMENTS);
    expect(await rows.put({ ...settled('a', 1), won: 0 })).toBe(true);
    expect(await rows.put(settled('a', 2))).toBe(true);
    expect(await rows.get('a')).toStrictEqual(settled('a', 2));

    expect(await rows.put(settled('a', 1), { seq: { lte: 1 } })).toBe(false);
    expect(await rows.put(settled('a', 3), { seq: { lte: 3 } })).toBe(true);
    expect(await rows.put(settled('b', 4), { seq: { lte: 4 } })).toBe(true);
    // Another row has the number.
    await expect(rows.put(settled('c', 4))).rejects.toThrow();
    expect(await rows.putEach([settled('a', 5), settled('b', 6)], { seq: { lte: 3 } })).toBe(false);
    expect(await rows.putEach([settled('b', 7), settled('d', 8)], { seq: { lte: 7 } })).toBe(true);
    expect([await rows.get('b'), await rows.get('d')]).toStrictEqual([settled('b', 7), settled('d', 8)]);
  });

  test('adds amounts up, of each key apart, also for two processes', async () => {
    const opened = [await fixture.collections(), await fixture.collections()].map((open) => open(USAGE));
    const amounts = new Map(Array.from({ length: 600 }, (_, index) => [`key_${index}`, index]));

    await Promise.all(opened.map((rows) => rows.increment('calls', ['2026-01-02'], amounts)));
    await opened[0]?.increment('calls', ['2026-01-03'], new Map());

    const found = (await opened[0]?.find()) ?? [];
    expect(new Map(found.map(({ keyId, calls }) => [keyId, calls / 2]))).toEqual(amounts);
    expect(await opened[0]?.get('2026-01-02', 'key_7')).toMatchObject({ calls: 14 });
  });

  test('changes rows from the state that a caller names: of two processes one succeeds', async () => {
    const opened = [await fixture.collections(), await fixture.collections()].map((open) => open(KEYS));
    const key = (id: string) => named(id, { createdAt: 1, handover: { request: id, isShown: false } });
    await opened[0]?.insertNew(['a', 'b', 'c'].map(key));
    const change = { set: { 'handover.isShown': true }, add: { createdAt: 1 } };

    const taken = opened.map((rows) => rows.update({ id: 'a', createdAt: 1 }, change));

    expect((await Promise.all(taken)).toSorted()).toEqual([0, 1]);
    const changed = { ...key('a'), handover: { request: 'a', isShown: true }, createdAt: 2 };
    expect(await opened[0]?.get('a')).toStrictEqual(changed);
    const updates = ['a', 'b', 'nobody'].map((id) => ({ where: { id }, change: { set: { revokedAt: 5 } } }));
    expect([await opened[0]?.updateEach(updates), await opened[0]?.updateEach([])]).toEqual([2, 0]);
    expect(await opened[0]?.count({ revokedAt: 5 })).toBe(2);
  });
});
