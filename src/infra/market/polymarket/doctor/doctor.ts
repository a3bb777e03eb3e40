import type { SteadyClock } from '../../../../core/base/time/clock.ts';
import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { HttpMarketClient } from '../client/http-market-client.ts';
import type { MarketUrls } from '../client/market-client.ts';
import { RequestBudget } from '../client/request-budget.ts';
import { type Check, Misfit } from './check.ts';
import { faultText } from './fault-text.ts';
import { listChecks, readHead, sampleOf } from './list-checks.ts';
import { streamChecks } from './stream-checks.ts';

/** What was found at one address, in one of the forms in which it is asked. */
export interface CheckResult {
  /** Host and path, without the key that the address of a node may contain. */
  readonly address: string;
  readonly isWell: boolean;
  /** What was read, or what is wrong and what to do. */
  readonly text: string;
}

const LIMIT_MS = 45 * SECOND_MS;
/** `Date` counts whole seconds. */
const SKEW_MAX_MS = 2 * SECOND_MS;
const LATE = `not finished within ${LIMIT_MS / SECOND_MS} s. Wait, and try again.`;

interface DoctorOptions {
  readonly market: MarketUrls;
  readonly clock: SteadyClock;
  readonly random: () => number;
}

/** Reads each address of the market once in each form in which the service reads it, with the service's own readers. */
export async function examineMarket({
  market,
  clock,
  random,
}: DoctorOptions): Promise<readonly CheckResult[]> {
  const budget = new RequestBudget(clock, noLogger);
  const metrics = { upstreamAnswered() {}, upstreamReceived() {}, upstreamAged() {} };
  const client = new HttpMarketClient({ market, budget, clock, metrics });
  const marketClock = {
    now: () => clock.now() + (client.skewMs ?? 0),
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
  };
  const over = new AbortController();
  const { signal } = over;
  void clock.sleep(LIMIT_MS, signal).then(() => over.abort());
  try {
    const examination = { market, client, clock: marketClock, random, signal };
    const head = readHead(examination);
    const sample = await sampleOf(head);
    const checks = [...listChecks(examination, head, sample), ...streamChecks(examination, sample)];
    const results = await Promise.all(checks.map((check) => resultOf(check, sample.isReal, signal)));
    return [...results, ...clockResults(client.skewMs)];
  } finally {
    over.abort();
    await client.close();
  }
}

async function resultOf(
  { address, needsTrade, read }: Check,
  hasTrade: boolean,
  signal: AbortSignal,
): Promise<CheckResult> {
  try {
    return { address, isWell: true, text: await read() };
  } catch (error) {
    if (signal.aborted) return { address, isWell: false, text: LATE };
    if (needsTrade && !hasTrade && error instanceof Misfit)
      return { address, isWell: true, text: 'answers; without a trade there is nothing to ask for' };
    return { address, isWell: false, text: faultText(error) };
  }
}

function clockResults(skewMs: number | null): readonly CheckResult[] {
  if (skewMs === null) return [];
  const seconds = `${(Math.abs(skewMs) / SECOND_MS).toFixed(1)} s`;
  const text = `${seconds} ${skewMs > 0 ? 'behind' : 'ahead of'} the market’s`;
  const isWell = Math.abs(skewMs) < SKEW_MAX_MS;
  const advice = '. Synchronise it (NTP): delays and times are measured by it.';
  return [{ address: 'clock of this machine', isWell, text: isWell ? text : `${text}${advice}` }];
}
