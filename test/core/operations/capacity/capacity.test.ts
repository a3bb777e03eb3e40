import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Capacity, capacityOf, type Demand } from '../../../../src/core/operations/capacity/capacity.ts';
import { COSTS, type Costs } from '../../../../src/core/operations/capacity/costs.ts';

const NONE: Demand = {
  database: 'mongodb',
  clients: 0,
  requestsPerSecond: 0,
  searchShare: 0.2,
  alertsPerDay: 0,
  webhooks: 0,
  channels: 0,
  keys: 0,
};

/** Easy to add up: the same for everything, with exceptions. */
function costsOf(work: Partial<Costs['work']> = {}, sizes: Partial<Costs['sizes']> = {}): Costs {
  const noWork = { what: '', mongodb: 0, sqlite: 0, mongod: 0, commands: 0 };
  const noSize = { what: '', memory: 0, mongodb: 0, sqlite: 0 };
  const zero = <T>(of: object, value: T) => Object.fromEntries(Object.keys(of).map((name) => [name, value]));
  return {
    work: { ...(zero(COSTS.work, noWork) as Costs['work']), ...work },
    sizes: { ...(zero(COSTS.sizes, noSize) as Costs['sizes']), ...sizes },
  };
}

const of = (mongodb: number, sqlite = mongodb, mongod = 0) => ({
  what: '',
  mongodb,
  sqlite,
  mongod,
  commands: 0,
});
const role = ({ roles }: Capacity, name: string) => roles.find((each) => each.role === name);

describe('the capacity of a service', () => {
  test('API processes: half a core each, less what a process takes at rest', () => {
    const costs = costsOf({ latest: of(1_000), search: of(10_000), processSecond: of(100_000) });
    // 400 × 1 ms and 100 × 10 ms are 1.4 cores; 0.4 of a core is free in each process.
    const api = role(capacityOf({ ...NONE, requestsPerSecond: 500 }, costs), 'api');
    expect(api).toMatchObject({ processes: 4, cores: expect.closeTo(1.4 + 4 * 0.1) });
  });

  test('API processes: at most 8,000 sockets each, and their frames at ten times the average of a day', () => {
    const costs = costsOf({ frame: of(10), socketSecond: of(5) }, { socket: { ...SIZE, memory: 1_000 } });
    const plan = { ...NONE, clients: 8_001, alertsPerDay: 8_640 };
    // An alert a second: 8,001 × 10 µs, and 5 µs for each socket.
    const api = role(capacityOf(plan, costs), 'api');
    expect(api).toMatchObject({ processes: 2, cores: expect.closeTo(0.120015), memoryBytes: 8_001_000 });
    expect(role(capacityOf({ ...plan, clients: 8_000 }, costs), 'api')?.processes).toBe(1);
  });

  test('processes that deliver: by processor time, and by what may be in flight; none without webhooks', () => {
    const plan = { ...NONE, alertsPerDay: 8_640, webhooks: 3_000 };
    expect(role(capacityOf(plan, costsOf({ delivery: of(400) })), 'deliver')?.processes).toBe(3);
    expect(role(capacityOf(plan, costsOf({ delivery: of(1) })), 'deliver')?.processes).toBe(2);
    expect(role(capacityOf({ ...plan, webhooks: 0 }), 'deliver')?.processes).toBe(0);
  });

  test('SQLite has one process, which does everything and ends at a core or at its sockets', () => {
    const costs = costsOf({ latest: of(9, 1_000), delivery: of(9, 100), processSecond: of(9, 50_000) });
    const plan: Demand = { ...NONE, database: 'sqlite', requestsPerSecond: 100, searchShare: 0 };
    const busy = capacityOf({ ...plan, alertsPerDay: 8_640, webhooks: 1_000 }, costs);
    expect(busy.roles).toMatchObject([
      { role: 'all', processes: 1, cores: expect.closeTo(0.1 + 0.1 + 0.05) },
    ]);
    expect(busy.mongodCores).toBe(0);
    expect(capacityOf({ ...plan, clients: 6_000 }, costs).parts[0]).toEqual({
      name: 'the sockets of the one process',
      used: 6_000,
      limit: 8_000,
      unit: 'sockets',
    });
  });

  test('the database has alerts for all days, deliveries of 7, every key, and a day of the journal', () => {
    const costs = costsOf(
      {},
      {
        alert: { ...SIZE, mongodb: 1_000 },
        delivery: { ...SIZE, mongodb: 100 },
        key: { ...SIZE, mongodb: 10 },
        journal: { ...SIZE, mongodb: 5 },
      },
    );
    const plan = { ...NONE, alertsPerDay: 100, webhooks: 20, keys: 7 };
    expect(capacityOf(plan, costs).databaseBytes).toEqual({
      after30Days: 100 * 30 * 1_000 + 100 * 20 * 7 * 100 + 70 + 5,
      after365Days: 100 * 365 * 1_000 + 100 * 20 * 7 * 100 + 70 + 5,
    });
  });

  test('mongod has the work of all processes and their rest; the fullest part is the first', () => {
    const costs = costsOf({ search: of(0, 0, 1_000), processSecond: of(0, 0, 100_000), alert: of(500_000) });
    const capacity = capacityOf(
      { ...NONE, requestsPerSecond: 1_000, searchShare: 1, alertsPerDay: 864 },
      costs,
    );
    // Three processes: API, ingest, jobs.
    expect(capacity.mongodCores).toBeCloseTo(1 + 0.3);
    expect(capacity.parts.map(({ name, used }) => [name, Number(used.toFixed(3))])).toEqual([
      ['the processor of mongod', 1.3],
      ['the one process that ingests', 0.05],
      ['the archive after 365 days', 315_360],
      ['posts in a channel of Telegram', 0],
    ]);
  });

  test('nothing is less for a greater demand, on either database', () => {
    const counts = ['clients', 'requestsPerSecond', 'alertsPerDay', 'webhooks', 'channels', 'keys'] as const;
    const demand = fc.record({
      database: fc.constantFrom('mongodb' as const, 'sqlite' as const),
      searchShare: fc.double({ min: 0, max: 1, noNaN: true }),
      ...Object.fromEntries(counts.map((name) => [name, fc.integer({ min: 0, max: 1_000_000 })])),
    }) as fc.Arbitrary<Demand>;
    const more = fc.record({ name: fc.constantFrom(...counts), by: fc.integer({ min: 1, max: 1_000_000 }) });
    fc.assert(
      fc.property(demand, more, (less, { name, by }) => {
        const [before, after] = [less, { ...less, [name]: less[name] + by }].map((each) =>
          totals(capacityOf(each)),
        );
        for (const [what, value] of Object.entries(before ?? {}))
          expect(after?.[what], what).toBeGreaterThanOrEqual(value * (1 - 1e-12));
      }),
    );
  });
});

const SIZE = { what: '', memory: 0, mongodb: 0, sqlite: 0 };

function totals({ roles, mongodCores, databaseBytes, parts }: Capacity): Record<string, number> {
  return {
    mongodCores,
    ...databaseBytes,
    ...Object.fromEntries(parts.map(({ name, used }) => [name, used])),
    ...Object.fromEntries(
      roles.flatMap((each) => [
        [`${each.role} processes`, each.processes],
        [`${each.role} cores`, each.cores],
        [`${each.role} memory`, each.memoryBytes],
      ]),
    ),
  };
}
