import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { HttpMarketClient } from '../client/http-market-client.ts';
import { RequestBudget } from '../client/request-budget.ts';
import type { Check, Examination } from './check.ts';
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

type DoctorOptions = Omit<Examination, 'client' | 'signal'>;

/** Reads each address of the market once in each form in which the service reads it, with the service's own readers. */
export async function examineMarket(options: DoctorOptions): Promise<readonly CheckResult[]> {
  const { market, clock } = options;
  const budget = new RequestBudget(clock, noLogger);
  const metrics = { upstreamAnswered() {}, upstreamReceived() {}, upstreamAged() {} };
  const client = new HttpMarketClient({ market, budget, clock, metrics });
  const signal = AbortSignal.timeout(LIMIT_MS);
  const examination = { ...options, client, signal };
  const head = readHead(examination);
  const sample = sampleOf(examination, head);
  const checks = [...listChecks(examination, head, sample), ...streamChecks(examination, sample)];
  try {
    const results = await Promise.all(checks.map((check) => resultOf(check, signal)));
    return client.skewMs === null ? results : [...results, clockResult(client.skewMs)];
  } finally {
    await client.close();
  }
}

async function resultOf({ address, read }: Check, signal: AbortSignal): Promise<CheckResult> {
  try {
    return { address, isWell: true, text: await read() };
  } catch (error) {
    const late = `not finished within ${LIMIT_MS / SECOND_MS} s. Wait, and try again.`;
    return { address, isWell: false, text: signal.aborted ? late : faultText(error) };
  }
}

function clockResult(skewMs: number): CheckResult {
  const isWell = Math.abs(skewMs) < SKEW_MAX_MS;
  const seconds = `${(Math.abs(skewMs) / SECOND_MS).toFixed(1)} s`;
  const text = `${seconds} ${skewMs > 0 ? 'behind' : 'ahead of'} the market’s`;
  return { address: 'clock of this machine', isWell, text: isWell ? text : `${text}. Synchronise it (NTP).` };
}
