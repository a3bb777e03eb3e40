import { expect, onTestFinished, test } from 'vitest';
import { CardThread } from '../../../src/infra/cards/card-thread.ts';
import { alertOf } from '../../support/alerts.ts';

const STILL = new AbortController().signal;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

test('a card is drawn in a thread; one that fails says why, and the next is drawn', async () => {
  const thread = new CardThread();
  onTestFinished(() => thread.close());
  const alert = alertOf({ id: 1 });
  const subject = {
    alert,
    newest: alert,
    exit: null,
    isWithdrawn: false,
    chart: null,
  };
  const broken = { alert: null } as never;
  await expect(thread.draw(broken, STILL)).rejects.toThrow(/null/);
  const png = Buffer.from(await thread.draw(subject, STILL));
  expect(png.subarray(0, 8)).toEqual(PNG);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
  expect(Buffer.from(await thread.draw(subject, STILL))).toEqual(png);
});
