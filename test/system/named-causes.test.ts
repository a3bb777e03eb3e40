import { expect, test } from 'vitest';
import type { Fault } from '../support/market/faults.ts';
import { smallTape, TAPE_START_S } from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';

/** It asks the service during minutes of the market: a loaded machine takes a while. */
const TIMEOUT_MS = 60_000;
const START = (TAPE_START_S + 120) * 1_000;

interface Case {
  readonly reason: string;
  readonly words: string;
  /** Where requests are answered. */
  readonly fault?: Fault;
  readonly dataUrl?: (url: string) => string;
}

const CASES: readonly Case[] = [
  { reason: 'refused', words: 'geo-blocked', fault: { kind: '403' } },
  { reason: 'refused', words: 'geo-blocked', fault: { kind: '451' } },
  { reason: 'not_found', words: 'HTTP 404', fault: { kind: '404' } },
  { reason: 'rate_limited', words: 'HTTP 429', fault: { kind: '429' } },
  { reason: 'failing', words: 'with errors', fault: { kind: '503' } },
  { reason: 'failing', words: 'with errors', fault: { kind: 'html' } },
  { reason: 'unreachable', words: 'did not answer', fault: { kind: 'reset' } },
  {
    reason: 'tls',
    words: 'TLS connection',
    dataUrl: (url) => url.replace('http:', 'https:'),
  },
  // Too long for a label, so that no server of names is asked.
  { reason: 'dns', words: 'host name', dataUrl: () => `https://${'x'.repeat(64)}.invalid` },
];

test.each(CASES)(
  '$fault.kind: the reason $reason is shown by the coverage, the readiness, the page and the frame, with and without the stream',
  async ({ reason, words, fault, dataUrl }) => {
    const settings = (url: string): Record<string, string> =>
      dataUrl === undefined ? {} : { POLYMARKET_DATA_URL: dataUrl(url) };
    const service = await watchMarket(smallTape(300), START, {}, settings);
    const client = await service.connect();
    const said = async () => {
      const { coverage, readyz, page } = await service.named();
      const because = { reason, message: expect.stringContaining(words) };
      expect(coverage).toMatchObject(because);
      expect(readyz.checks.feed).toMatchObject({ ...because, state: coverage.state });
      expect(page).toContain(coverage.message);
      return coverage;
    };
    const faults = fault === undefined ? [] : [fault];
    service.strike(...faults);

    await service.pass(80_000);
    expect(await said()).toMatchObject({ state: 'unconfirmed' });
    const degraded = { type: 'degraded', reason, message: expect.stringContaining(words) };
    const notices = () => client.frames.filter(({ type }) => type === 'degraded');
    expect(notices()).toMatchObject([
      { ...degraded, cause: 'unconfirmed', facts_delayed: { waiting: expect.any(Number) } },
    ]);

    service.strike(...faults, { kind: 'freeze' });
    await service.pass(40_000);
    expect(await said()).toMatchObject({ state: 'blind', blind_now: { cause: reason } });
    expect(notices().at(-1)).toMatchObject({ ...degraded, cause: reason });
  },
  TIMEOUT_MS,
);
