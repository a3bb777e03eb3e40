import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { CardThread } from '../../../src/infra/cards/card-thread.ts';
import { alertOf } from '../../support/alerts.ts';

const STILL = new AbortController().signal;
const ICON = { kind: 'icon', svg: readFileSync('src/site/assets/icon.svg', 'utf8') } as const;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

test('a card is drawn in a thread; one that fails says why, and the next is drawn', async () => {
  const thread = new CardThread();
  onTestFinished(() => thread.close());
  const alert = alertOf({ id: 1 });
  const subject = {
    kind: 'alert' as const,
    alert,
    newest: alert,
    exit: null,
    isWithdrawn: false,
    chart: null,
  };
  const broken = { kind: 'alert', alert: null } as never;
  await expect(thread.draw(broken, STILL)).rejects.toThrow(/null/);
  const png = Buffer.from(await thread.draw(subject, STILL));
  expect(png.subarray(0, 8)).toEqual(PNG);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
  expect(Buffer.from(await thread.draw(subject, STILL))).toEqual(png);
});

test('the icon is drawn without transparent corners for phones, and in three sizes for tabs', async () => {
  const thread = new CardThread();
  onTestFinished(() => thread.close());
  const touch = Buffer.from(await thread.draw({ ...ICON, use: 'touch' }, STILL));
  expect([touch.readUInt32BE(16), touch.readUInt32BE(20)]).toEqual([180, 180]);
  const ico = Buffer.from(await thread.draw({ ...ICON, use: 'favicon' }, STILL));
  expect([...new Uint16Array(ico.buffer.slice(ico.byteOffset, ico.byteOffset + 6))]).toEqual([0, 1, 3]);
  const pictures = [0, 1, 2].map((index) => {
    const entry = ico.subarray(6 + 16 * index, 22 + 16 * index);
    const [bytes, offset] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
    const png = ico.subarray(offset, offset + bytes);
    return {
      stated: entry[0],
      isPng: png.subarray(0, 8).equals(PNG),
      width: png.readUInt32BE(16),
      end: offset + bytes,
    };
  });
  expect(pictures.map(({ stated, isPng, width }) => [stated, isPng, width])).toEqual(
    [16, 32, 48].map((size) => [size, true, size]),
  );
  expect(pictures[2]?.end).toBe(ico.length);
});
