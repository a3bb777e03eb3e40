import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type {
  Change,
  Declaration,
  Documents,
  Query,
  Where,
} from '../../../src/core/base/documents/documents.ts';
import { insertInSlot } from '../../../src/core/base/documents/insert-in-slot.ts';
import { NamedNumbers } from '../../../src/core/base/documents/named-numbers.ts';
import { SchemaMismatch } from '../../../src/infra/database/schema-version.ts';
import { onEachDatabase } from './each-database.ts';

const schema = z.strictObject({
  id: z.string(),
  owner: z.string(),
  at: z.int(),
  mark: z.string().nullable(),
  isOpen: z.boolean(),
  trial: z.strictObject({ ends: z.int(), note: z.string() }).nullable(),
  words: z.array(z.string()).optional(),
  count: z.int().optional(),
  slot: z.int().optional(),
});
type Note = z.infer<typeof schema>;

const NOTES: Declaration<Note> = {
  kind: 'notes',
  schema,
  indexes: {
    notes_by_owner: { fields: ['owner', 'at'] },
    notes_open: { fields: ['at'], where: { isOpen: true } },
    notes_by_mark: { fields: ['mark'], isUnique: true, where: { mark: { gt: '' } } },
    notes_by_slot: { fields: ['owner', 'slot'], isUnique: true, where: { slot: { gte: 0 } } },
    notes_by_trial: { fields: ['trial.ends'], where: { 'trial.ends': { gte: 0 } } },
  },
};

function note(id: string, given: Partial<Note> = {}): Note {
  return { id, owner: 'ann', at: 1, mark: null, isOpen: true, trial: null, ...given };
}
const ids = (notes: readonly Note[]) => notes.map(({ id }) => id);
const byId = (a: Note, b: Note) => (a.id < b.id ? -1 : 1);

const moment = fc.integer({ min: 1, max: 4 });
const facts = fc.record(
  {
    owner: fc.constantFrom('ann', "bob's $", ''),
    at: moment,
    isOpen: fc.boolean(),
    trial: fc.option(fc.record({ ends: moment, note: fc.constant('“x”') }, { noNullPrototype: true })),
  },
  { noNullPrototype: true },
);

/** A query with what it must mean. */
type Meant = readonly [Where<Note>, (note: Note) => boolean];
const owned = fc.constantFrom<Meant>(
  [{ owner: 'ann' }, (each) => each.owner === 'ann'],
  [{ owner: "bob's $" }, (each) => each.owner === "bob's $"],
  [{ owner: { in: ['ann', ''] } }, (each) => each.owner !== "bob's $"],
  [{ owner: { in: [] } }, () => false],
  [{ isOpen: true }, (each) => each.isOpen],
  [{ 'trial.ends': { gte: 0 } }, (each) => each.trial !== null],
  [{ id: { in: ['note_0', 'note_3'] } }, ({ id }) => id === 'note_0' || id === 'note_3'],
);
const narrowed = fc.oneof(
  moment.map((at): Meant => [{ at }, (each) => each.at === at]),
  moment.map((at): Meant => [{ at: { gt: at } }, (each) => each.at > at]),
  moment.map((at): Meant => [{ at: { gte: at, lt: 4 } }, (each) => each.at >= at && each.at < 4]),
  moment.map((at): Meant => [{ at: { lte: at } }, (each) => each.at <= at]),
  fc.constantFrom<Meant>(
    [{ mark: null }, ({ mark }) => mark === null],
    [{ words: null }, ({ words }) => words === undefined],
    [{ isOpen: false, at: undefined }, (each) => !each.isOpen],
  ),
);
const query = fc
  .tuple(owned, narrowed)
  .map(
    ([one, other]): Meant => [
      { ...other[0], ...one[0] },
      (each) => one[1](each) && (isReplaced(one, other) || other[1](each)),
    ],
  );
/** The condition on the same field is the first one's. */
const isReplaced = (one: Meant, other: Meant) => Object.keys(one[0]).some((name) => name in other[0]);

onEachDatabase('documents', (fixture) => {
  const open = () => fixture.database.documents(NOTES);
  /** As two processes have them. */
  const both = async () => [open(), (await fixture.another()).documents(NOTES)] as const;

  test('finds, counts, changes and deletes the documents that a query means', async () => {
    const notes = open();
    await fc.assert(
      fc.asyncProperty(fc.array(facts, { maxLength: 8 }), query, async (given, [where, matches]) => {
        await notes.delete({});
        const all = given.map((each, index) => note(`note_${index}`, each));
        expect(await notes.insert(all)).toBeNull();
        const meant = all.filter(matches);

        expect((await notes.find({ where })).toSorted(byId)).toStrictEqual(meant);
        expect(await notes.count(where)).toBe(meant.length);
        const change: Change<Note> = { set: { words: ['a', '"'] }, inc: { count: 2 } };
        expect(await notes.update(where, change)).toBe(meant.length);
        const changed = meant.map((each) => ({ ...each, words: ['a', '"'], count: 2 }));
        const found = await notes.find({ where: { id: { in: ids(meant) } } });
        expect(found.toSorted(byId)).toStrictEqual(changed);
        expect(await notes.delete({ id: { in: ids(meant) } })).toBe(meant.length);
        expect(await notes.count()).toBe(all.length - meant.length);
      }),
      { numRuns: 60, interruptAfterTimeLimit: 20_000 },
    );
  });

  test.each<[Query<Note>['order']]>([['at'], ['-at'], ['id'], ['-id']])(
    'walks by %s a page at a time, and gives each document once',
    async (order) => {
      const notes = open();
      const all = Array.from({ length: 10 }, (_, number) => note(`note_${number}`, { at: number % 3 }));
      await notes.insert(all);
      const where = order?.endsWith('at') ? { owner: 'ann' } : {};
      const walked: Note[] = [];
      for (let last: Note | undefined; ; last = walked.at(-1)) {
        const after = last && { value: last.at, id: last.id };
        const page = await notes.find({ where, order, limit: 3, after });
        if (page.length === 0) break;
        walked.push(...page);
      }

      const rank = ({ id, at }: Note) => (order?.endsWith('at') ? `${at} ${id}` : id);
      const ascending = all.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
      expect(ids(walked)).toEqual(ids(order?.startsWith('-') ? ascending.toReversed() : ascending));
      expect(await notes.get('note_3')).toStrictEqual(note('note_3', { at: 0 }));
      expect(await notes.get('nobody')).toBeNull();
    },
  );

  test('refuses a query that no index serves, and a document of another shape', async () => {
    const notes = open();
    const refused: readonly (() => Promise<unknown>)[] = [
      () => notes.find({ where: { at: 1 } }),
      () => notes.find({ where: { owner: 'ann' }, order: 'isOpen' }),
      () => notes.count({ isOpen: false }),
      () => notes.update({ words: null }, { set: { at: 1 } }),
      () => notes.delete({ 'trial.note': 'x' }),
    ];
    for (const call of refused)
      await expect((async () => call())()).rejects.toThrow('notes: no index serves');
    const odd = { ...note('a'), other: 1 } as Note;
    await expect((async () => notes.insert([odd]))()).rejects.toThrow('other');
    expect(await notes.count()).toBe(0);
  });

  test('inserts each document once, also for two processes, and says which id is taken', async () => {
    const [one, other] = await both();
    const all = Array.from({ length: 20 }, (_, index) => note(`note_${index}`, { mark: `mark_${index}` }));

    const inserted = await Promise.all([one.insertMissing(all), other.insertMissing(all.toReversed())]);

    expect(ids(inserted.flat()).toSorted()).toEqual(ids(all).toSorted());
    const thieves = [note('note_1', { mark: 'free' }), note('x', { mark: 'mark_2' }), note('y'), note('z')];
    expect(await one.insertMissing(thieves)).toStrictEqual([note('y'), note('z')]);
    expect(await one.get('note_1')).toStrictEqual(all[1]);
    expect(await one.insertMissing([])).toEqual([]);
    expect(await one.insert([])).toBeNull();
    expect(await one.insert([note('p'), note('y'), note('q')])).toBe('y');
    expect(await one.get('q')).toBeNull();
    expect(await one.insert([note('r', { mark: 'mark_3' })])).toBe('r');
  });

  test('puts documents in the places of those with their ids, only over those that match', async () => {
    const [one, other] = await both();
    expect(await one.put([note('a'), note('b', { at: 5 })])).toBe(true);
    expect(await one.put([note('a', { at: 2, trial: { ends: 1, note: '' } })])).toBe(true);
    expect(await one.get('a')).toStrictEqual(note('a', { at: 2, trial: { ends: 1, note: '' } }));

    expect(await one.put([note('a', { at: 9 })], { at: { lt: 2 } })).toBe(false);
    expect(await one.put([note('a', { at: 3 }), note('c')], { at: { lt: 3 } })).toBe(true);
    expect([(await one.get('a'))?.at, (await one.get('c'))?.at]).toEqual([3, 1]);
    const puts = Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).put([note('d')]));
    expect(await Promise.all(puts)).toEqual(puts.map(() => true));
  });

  test('changes documents from the state that a caller names: of two processes one succeeds', async () => {
    const notes = await both();
    const [one] = notes;
    await one.insert([note('a', { trial: { ends: 2, note: '' } }), note('b'), note('c', { mark: 'm' })]);

    const taken = notes.map((each) =>
      each.update({ id: 'a', at: 1 }, { set: { 'trial.ends': 9 }, inc: { at: 1 } }),
    );

    expect((await Promise.all(taken)).toSorted()).toEqual([0, 1]);
    expect(await one.get('a')).toStrictEqual(note('a', { at: 2, trial: { ends: 9, note: '' } }));
    const updates = ['b', 'c', 'nobody'].map((id, at) => ({
      where: { id },
      change: { max: { at, count: at }, unset: ['mark'] } as Change<Note>,
    }));
    expect([await one.updateEach(updates), await one.updateEach([])]).toEqual([2, 0]);
    const { mark, ...unmarked } = note('c', { count: 1 });
    expect([await one.get('b'), await one.get('c')]).toStrictEqual([
      { ...unmarked, id: 'b', count: 0 },
      unmarked,
    ]);
  });

  test('keeps to a cap, also for two processes, and gives what became free again', async () => {
    const notes = await both();
    const [one] = notes;
    const insert = (each: Documents<Note>, id: string, given: Partial<Note> = {}) => {
      const document = note(id, given);
      return insertInSlot(each, document, { where: { owner: document.owner, isOpen: true }, most: 5 });
    };
    // Without a slot, it counts as well.
    await one.insert([note('by-hand')]);

    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => insert(notes[index % 2] ?? one, `note_${index}`)),
    );

    expect(results.filter((result) => result === 'inserted')).toHaveLength(4);
    expect(results.filter((result) => result === 'too_many')).toHaveLength(8);
    expect(await insert(one, 'other', { owner: 'bob', mark: 'm' })).toBe('inserted');
    const [held, next] = await one.find({ where: { owner: 'ann', slot: { gte: 0 } } });
    await one.update({ id: held?.id ?? '' }, { set: { isOpen: false }, unset: ['slot'] });
    await one.delete({ id: next?.id ?? '' });
    expect(await insert(one, 'other')).toBe('taken');
    expect(await insert(one, 'thief', { mark: 'm' })).toBe('taken');
    const more = [await insert(one, 'a'), await insert(one, 'b'), await insert(one, 'c')];
    expect(more).toEqual(['inserted', 'inserted', 'too_many']);
  });

  test('named numbers only grow, also for two processes', async () => {
    const other = await fixture.another();
    const numbers = [fixture.database, other].map(({ documents }) => new NamedNumbers(documents));
    expect(await numbers[0]?.read('posts')).toBeNull();

    const changes = Array.from({ length: 20 }, (_, index) =>
      numbers[index % 2]?.raise('posts', (index * 7) % 20),
    );
    await Promise.all(changes);

    expect([await numbers[1]?.read('posts'), await numbers[0]?.read('posts')]).toEqual([19, 19]);
  });

  test('throws for documents that another build wrote', async () => {
    await open().insert([note('a')]);
    const changed = { ...NOTES, indexes: {} } as unknown as Declaration<Note>;
    const other = await fixture.another();

    const read = async () => (other.documents(changed) as Documents<Note>).get('a');

    await expect(read()).rejects.toThrow(SchemaMismatch);
    expect(await other.documents(NOTES).get('a')).toStrictEqual(note('a'));
  });
});
