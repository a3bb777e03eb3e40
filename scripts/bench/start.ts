import { onEachDatabase, seed } from './databases.ts';
import { figure, median, ms, progress, whole } from './figure.ts';
import { startApi } from './service.ts';

const ALERTS = 73_000;
const STARTS = 5;

/** From the start of a process of the API until it has answered a search with a filter. */
export function benchStart(): Promise<readonly string[]> {
  return onEachDatabase(async ({ name, open }) => {
    await using database = await open();
    await seed(database.url, { after: 0, upto: ALERTS });
    const times: number[] = [];
    for (let start = 0; start < STARTS; start++) {
      await using service = await startApi(database.url);
      await service.untilArchiveIsRead();
      times.push(performance.now() - service.startedAt);
      progress(`${name}: answered after ${ms(times.at(-1) ?? Number.NaN)}`);
    }
    return [
      figure(
        `${name}, ${whole(ALERTS)} alerts, median and slowest of ${STARTS}`,
        `${ms(median(times))}, ${ms(Math.max(...times))}`,
      ),
    ];
  });
}
