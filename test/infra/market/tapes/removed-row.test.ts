import { describe, expect, test } from 'vitest';
import type { SourceRow } from '../../../../src/core/trades/source/source.ts';
import { openReplay, type ReplayOptions } from '../../../../src/infra/market/tapes/replay.ts';
import { openTail } from '../../../../src/infra/market/tapes/tail.ts';
import {
  createSourceFixture,
  readAll,
  startReading,
  TAPE_START,
  TODAY,
  tradesAt,
  wireTrade,
  writeTape,
} from './source-fixture.ts';

const kindsOf = (rows: readonly SourceRow[]) => rows.map(({ row }) => row.kind);
const removedAt = (second: number) =>
  wireTrade({ removed: true, timestamp: TAPE_START / 1_000 + second, transactionHash: '0xgone' });

const open = (file: string, options: Partial<ReplayOptions>, fixture = createSourceFixture()) =>
  openReplay({ file, speed: 0, shift: null, checkpoint: null, ...options }, fixture);

describe('a removed fill on a tape', () => {
  test('is due with the row before it, and closes nothing', async () => {
    const fixture = createSourceFixture();
    const file = await writeTape([...tradesAt(0), removedAt(300), ...tradesAt(600)]);
    const { taken, done } = startReading(await open(file, { speed: 1, shift: TAPE_START }, fixture));
    await fixture.clock.asleep();
    expect(kindsOf(taken)).toEqual(['trade', 'removed']);
    await fixture.clock.advance(1_000);
    expect(kindsOf(taken)).toEqual(['trade', 'removed', 'close']);
    await fixture.clock.advance(599_000);
    await done;
    expect(kindsOf(taken)).toEqual(['trade', 'removed', 'close', 'trade', 'close']);
  });

  test('does not move the tape: the last row that is moved to now is a trade', async () => {
    const file = await writeTape([...tradesAt(0), removedAt(300)]);
    const source = await open(file, { shift: 'now' });
    expect(source.mapping).toMatchObject({ pivot: TAPE_START, origin: TODAY });
    expect(kindsOf(await readAll(source))).toEqual(['trade', 'removed', 'close']);
  });

  test('needs no close row where no trade came', async () => {
    const fixture = createSourceFixture();
    const { taken } = startReading(
      await openTail({ file: await writeTape([removedAt(0)]), checkpoint: null }, fixture),
    );
    await fixture.clock.asleep();
    for (let n = 0; n < 50; n += 1) await fixture.clock.advance(100).then(() => fixture.clock.asleep());
    expect(kindsOf(taken)).toEqual(['removed']);
  });
});
