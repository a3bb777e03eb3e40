import { parseArgs } from 'node:util';
import type { Alert, Candidate } from '../core/alerts/alert.ts';
import { resolutionOf, type Settlement } from '../core/alerts/resolution.ts';
import type { DetectionRules } from '../core/detection/rules.ts';
import { oneThread, positionInThread, threadKey, threadKeys } from '../core/ledger/thread.ts';
import { conclusionOf } from '../core/record/conclusion.ts';
import { summariseRecord } from '../core/record/record.ts';
import type { DropReason } from '../core/source/source.ts';
import type { EpochMs } from '../core/trade.ts';
import { UserError } from '../core/user-error.ts';
import { loadRules } from '../infra/detection-rules.ts';
import { IS_CHECKOUT, PROGRAM } from '../infra/program.ts';
import { judgeTape } from './judge-tape.ts';
import { recordTable } from './record-table.ts';
import { runCommand } from './run-cli.ts';
import { createTerminal, progressBar, type Terminal } from './terminal.ts';

const HELP = `What can be concluded from the alerts on a tape: per market and per alert, losses included.

Usage: ${PROGRAM} backtest TAPE [--rules FILE]

  TAPE          a tape (.jsonl or .jsonl.gz), for example ${IS_CHECKOUT ? 'data/tapes' : 'tapes'}/midterms-2022.jsonl.gz
  --rules FILE  a JSON file with the detection rules to change
  --help        this text`;

interface Outcome {
  readonly alerts: readonly Alert[];
  /** When each market that stated it ends. */
  readonly ends: ReadonlyMap<string, EpochMs>;
  readonly trades: number;
  readonly dropped: ReadonlyMap<DropReason, number>;
  readonly seconds: number;
}

async function backtest(args: string[]): Promise<void> {
  const terminal = createTerminal(process.stdout);
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { rules: { type: 'string' } },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UserError(`Name one tape.\n\n${HELP}`);
  const rules = await loadRules(values.rules ?? null);
  const outcome = await judge(file, rules, terminal);
  report(file, rules, outcome, terminal);
}

async function judge(file: string, rules: DetectionRules, terminal: Terminal): Promise<Outcome> {
  const settlements = new Map<string, Settlement>();
  const ends = new Map<string, EpochMs>();
  const startedAt = performance.now();
  const { found, trades, dropped } = await judgeTape(file, rules, {
    onMarket({ id, outcomes, payouts, endsAt }) {
      if (payouts !== null) settlements.set(id, { outcomes, payouts });
      if (endsAt !== null) ends.set(id, endsAt);
    },
    onProgress: (part) => terminal.progress(progressBar(part)),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  return { alerts: toAlerts(found, settlements), ends, trades, dropped, seconds };
}

/** As the ledger would write them. */
function toAlerts(found: readonly Candidate[], settlements: ReadonlyMap<string, Settlement>): Alert[] {
  const threads = new Map<string, { id: number }[]>();
  return found.map((candidate, index) => {
    const [id, at, key] = [index + 1, candidate.tradedAt, threadKey(candidate)];
    const earlier = oneThread(threadKeys(candidate).map((each) => threads.get(each) ?? []));
    threads.set(key, [...(threads.get(key) ?? []), { id }]);
    const settlement = settlements.get(candidate.marketId);
    const resolution = settlement === undefined ? null : resolutionOf(candidate, settlement);
    const clocks = { detectedAt: at, publishedAt: at, createdAt: at };
    return { ...candidate, ...clocks, ...positionInThread(id, earlier), id, isHistory: false, resolution };
  });
}

function report(file: string, rules: DetectionRules, outcome: Outcome, terminal: Terminal): void {
  const { alerts, ends, trades, dropped, seconds } = outcome;
  // Tapes have no events: markets that end on the same day count as one.
  const eventOf = (marketId: string) => {
    const endsAt = ends.get(marketId);
    return endsAt === undefined ? marketId : new Date(endsAt).toISOString().slice(0, 10);
  };
  const record = summariseRecord(alerts, { eventOf });
  terminal.prose(conclusionOf(record, 'day'));
  terminal.line();
  const speed = Math.round(trades / seconds).toLocaleString('en-US');
  terminal.line(`${file}, rules ${rules.version}`);
  terminal.line(
    `${trades.toLocaleString('en-US')} trades judged in ${seconds.toFixed(1)} s (${speed}/s), ${alerts.length} alerts`,
  );
  if (dropped.size > 0) {
    const counts = [...dropped].map(([reason, count]) => `${count.toLocaleString('en-US')} ${reason}`);
    terminal.line(`rows left out: ${counts.join(', ')}`);
  }
  terminal.line();
  terminal.line(recordTable(record));
}

await runCommand(HELP, backtest);
