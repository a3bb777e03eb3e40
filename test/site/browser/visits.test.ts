import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import { describeReading, NEWEST, PILL, ROW } from './reading.ts';

await describeReading('a reader who comes back', (reading) => {
  const { site, ask } = reading;
  const since = `document.querySelector('.since')?.textContent`;
  const marked = `document.querySelectorAll('[data-unseen]').length`;
  const isStored = (number: number) => `JSON.parse(localStorage.visit ?? '{}').seen === ${number}`;

  async function leaveFor(hours: number): Promise<void> {
    await reading.tab.page.goto('about:blank');
    await site.pass(hours * HOUR_MS);
  }

  test('is told how many alerts are new since the last visit and when that was, sees which, and nothing moves', async () => {
    await reading.open(NEWEST);
    await reading.tab.until(isStored(reading.published));
    expect(await ask(`[${since}, ${marked}]`)).toEqual([null, 0]);
    await leaveFor(19);
    await reading.publish(3);

    await reading.open(NEWEST);
    expect(await ask(`[${since}, ${marked}]`)).toEqual(['3 new since your last visit, 19 h ago', 3]);
    expect(await ask(`${ROW(reading.published)}.hasAttribute('data-unseen')`)).toBe(true);
    expect(await ask('probe.shift()')).toBe(0);
    expect(await reading.tab.examine(true)).toEqual([]);

    // Within the visit it is still said, also of what comes while the page is open.
    await reading.open(NEWEST);
    await reading.publish(1);
    await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
    await reading.clickPill();
    expect(await ask(`[${since}, ${marked}]`)).toEqual(['4 new since your last visit, 19 h ago', 4]);
    await reading.tab.until(isStored(reading.published));
    await leaveFor(1);
    await reading.open(NEWEST);
    expect(await ask(`[${since}, ${marked}]`)).toEqual([null, 0]);
  });

  test('reads the same page where the browser keeps nothing', async () => {
    const own = reading.tab;
    reading.tab = await reading.openTab();
    await reading.tab.page.evaluateOnNewDocument(`
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });`);
    for (const _visit of [1, 2]) {
      await reading.open(NEWEST);
      await leaveFor(2);
      await reading.publish(1);
    }
    await reading.open(NEWEST);
    await reading.publish(1);
    await reading.tab.until(`${PILL}?.textContent === 'Show 1 new'`);
    expect(await ask(`[${since}, ${marked}]`)).toEqual([null, 0]);
    await reading.tab.close();
    reading.tab = own;
  });
});
