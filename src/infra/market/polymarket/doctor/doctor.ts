import { withDeadline } from '../../../../core/base/async/with-timeout.ts';
import type { Clock } from '../../../../core/base/time/clock.ts';
import { MINUTE_MS } from '../../../../core/base/time/duration.ts';
import type { Metrics } from '../../../../core/metrics.ts';
import { exchangesOf } from '../chain/order-filled.ts';
import { HttpMarketClient } from '../client/http-market-client.ts';
import type { MarketUrls } from '../client/market-client.ts';
import type { RequestBudget } from '../client/request-budget.ts';
import type { DoctorReport, ProbeFinding, ProbeName, ProbeResult } from './doctor-report.ts';
import { type Examination, found, type Probe, ProbedNode, probeClient, skipped } from './probe.ts';
import { clockSkewProbe, LIST_PROBES } from './probes/lists.ts';
import { nodeExchangesProbe, nodeHeadProbe, nodeLogsProbe } from './probes/node.ts';
import { orderBookStreamProbe, tradeStreamProbe } from './probes/streams.ts';
import { examineRoutes, faultText } from './routes.ts';

const LIMIT_MS = MINUTE_MS;
const ROUTES_ACTION =
  'The market has changed, refuses requests or cannot be reached. No answer: check this machine’s network and DNS. 403: check the network and its country. 404 or 410: update Tipoff. 429: another program at this address uses the API too. 5xx: wait.';

interface DoctorOptions {
  readonly market: MarketUrls;
  readonly budget: RequestBudget;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'upstreamAnswered' | 'upstreamReceived' | 'upstreamAged'>;
  readonly random: () => number;
}

/** Examines what the service assumes about the market, with a probe for each assumption, within a minute and 2 % of the limits. */
export class Doctor {
  readonly #options: DoctorOptions;

  constructor(options: DoctorOptions) {
    this.#options = options;
  }

  /** `onResult` gets each result when it is known. Rejects only when the signal aborts. */
  async examine(
    signal: AbortSignal,
    onResult: (result: ProbeResult) => void = () => {},
  ): Promise<DoctorReport> {
    const { budget, clock, market, metrics, random } = this.#options;
    const startedAt = clock.now();
    const http = new HttpMarketClient({ market, budget, clock, metrics });
    const { rpcUrl: url, proxies } = market;
    const exchanges = exchangesOf(market);
    const node = url === null ? null : new ProbedNode({ url, proxies, exchanges, clock, random });
    const tools = {
      ...market,
      client: probeClient(http, clock),
      clock,
      skewMs: () => http.skewMs,
      node,
      random,
    };
    let nodeRun: Promise<void> | undefined;
    const report = (probe: ProbeName, action: string, finding: ProbeFinding): ProbeResult => {
      const isWell = finding.verdict === 'pass' || finding.verdict === 'skipped';
      const result = { probe, ...finding, action: isWell ? null : action };
      if (!signal.aborted) onResult(result);
      return result;
    };
    try {
      const results = await withDeadline({ clock, deadlineMs: LIMIT_MS, signal }, async (within) => {
        nodeRun = node?.run(within);
        // They have the wallets and markets for the other probes, and show which routes fail.
        const { finding, failed, head } = await examineRoutes(tools, within);
        const routes = report('routes', ROUTES_ACTION, finding);
        const examination = { ...tools, failed, head };
        const others = OTHER_PROBES.map(async (probe) =>
          report(probe.name, probe.action, await findingOf(probe, examination, within)),
        );
        return [routes, ...(await Promise.all(others))];
      });
      signal.throwIfAborted();
      return { startedAt, endedAt: clock.now(), results };
    } finally {
      await Promise.all([http.close(), nodeRun]);
    }
  }
}

async function findingOf(probe: Probe, examination: Examination, signal: AbortSignal): Promise<ProbeFinding> {
  const broken = probe.needs.find((route) => examination.failed.has(route));
  if (broken !== undefined) return skipped(`${broken} failed`);
  try {
    return await probe.find(examination, signal);
  } catch (error) {
    return found('fail', signal.aborted ? 'not finished in time' : faultText(error));
  }
}

const OTHER_PROBES: readonly Probe[] = [
  ...LIST_PROBES,
  tradeStreamProbe,
  orderBookStreamProbe,
  nodeHeadProbe,
  nodeLogsProbe,
  nodeExchangesProbe,
  clockSkewProbe,
];
