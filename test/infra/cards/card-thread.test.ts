import { expect, onTestFinished, test } from 'vitest';
import { CardThread } from '../../../src/infra/cards/card-thread.ts';
import { alertOf } from '../../support/alerts.ts';

const STILL = new AbortController().signal;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

const ALERT = alertOf({ id: 1 });
const SUBJECT = { alert: ALERT, newest: ALERT, exit: null, isWithdrawn: false, chart: null };

function openThread(): CardThread {
  const thread = new CardThread();
  onTestFinished(() => thread.close());
  return thread;
}

test('a card is drawn in a thread; one that fails says why, and the next is drawn', async () => {
  const thread = openThread();
  const broken = { alert: null } as never;
  await expect(thread.draw(broken, STILL)).rejects.toThrow(/null/);
  const png = Buffer.from(await thread.draw(SUBJECT, STILL));
  expect(png.subarray(0, 8)).toEqual(PNG);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
  expect(Buffer.from(await thread.draw(SUBJECT, STILL))).toEqual(png);
});

test('a signal ends the drawing with its reason, and the next card is drawn', async () => {
  const thread = openThread();
  const stop = new AbortController();
  const drawing = thread.draw(SUBJECT, stop.signal);

  stop.abort(new Error('too slow'));

  await expect(drawing).rejects.toThrow('too slow');
  expect(Buffer.from(await thread.draw(SUBJECT, STILL)).subarray(0, 8)).toEqual(PNG);
});

test('a thread that is closed says so to the card that it draws', async () => {
  const thread = openThread();
  const drawing = thread.draw(SUBJECT, STILL);
  const ended = expect(drawing).rejects.toThrow('the thread that draws cards has stopped');

  await thread.close();

  await ended;
});
