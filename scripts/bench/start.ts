import { type DatabaseKind, onEachDatabase, seed } from './databases.ts';
import { atMost, figure, median, ms, progress, whole } from './figure.ts';
import { startApi } from './service.ts';

/** A year of the market and three, with the longest start. */
const SIZES = [
  { alerts: 73_000, mostMs: { SQLite: 1_500, MongoDB: 2_500 } },
  { alerts: 200_000, mostMs: { SQLite: 4_000, MongoDB: 7_000 } },
] as const;
const STARTS = 5;

/** From the start of a process of the API until it has answered a search with a filter. */
export function benchStart(): Promise<readonly string[]> {
  return onEachDatabase(async (kind) => {
    const figures: string[] = [];
    for (const size of SIZES) figures.push(await measure(kind, size));
    return figures;
  });
}

async function measure(
  { name, open }: DatabaseKind,
  { alerts, mostMs }: (typeof SIZES)[number],
): Promise<string> {
  await using database = await open();
  await seed(database.url, { after: 0, upto: alerts });
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    await using service = await startApi(database.url);
    await service.untilIndexIsFilled();
    times.push(performance.now() - service.startedAt);
    progress(`${name}: answered after ${ms(times.at(-1) ?? Number.NaN)}`);
  }
  return figure(
    `${name}, ${whole(alerts)} alerts, median of ${STARTS}, slowest ${ms(Math.max(...times))}`,
    ms(median(times)),
    atMost(median(times), mostMs[name], ' ms'),
  );
}
