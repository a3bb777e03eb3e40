import { type Evidence, receivedResultFinding } from '../../core/alerts/verification/chain-check.ts';
import type { LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import { escapeControls } from '../../core/base/text/escape.ts';
import { counted } from '../../core/base/text/formats.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import {
  type ComparedAlert,
  type ComparisonResult,
  compareAlerts,
  LONGEST_DELAY_MS,
  untilVisible,
} from '../../infra/log-service/compare-alerts.ts';
import { type LogSource, logOfApi, logOfFiles } from '../../infra/log-service/log-pages.ts';
import { LogReading } from '../../infra/log-service/read-log.ts';
import { ServiceClient, ServiceFault } from '../../infra/log-service/service-client.ts';
import {
  OpenMarkets,
  readVerified,
  type VerifiedLog,
  writeVerified,
} from '../../infra/log-service/verify-state.ts';
import type { Terminal } from '../terminal.ts';
import { judgeBeyondEnd, receivedAlerts, savedEvidence } from './evidence.ts';
import { verifyResolutions, verifyTape } from './files.ts';
import { showChain, showCompared, showEvidence, showFinding } from './lines.ts';
import { parseVerifyLogOptions, type VerifyLogOptions } from './options.ts';

export interface CommandSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly terminal: Terminal;
  readonly clock: Clock;
  complain(text: string): void;
}

/** Returns the exit code. Throws a `UserError` for wrong usage. */
export async function runVerifyLog(
  args: readonly string[],
  { env, stdin, terminal, clock, complain }: CommandSurroundings,
): Promise<number> {
  const options = parseVerifyLogOptions(args, env);
  const { service, key, stateFile, heads, alertFiles } = options;
  const saved = await readVerified(stateFile, service);
  const evidence = [...savedEvidence(saved), ...heads];
  for (const file of alertFiles)
    for (const received of await receivedAlerts(file, stdin)) evidence.push(received);
  const client = new ServiceClient({ baseUrl: service, key, clock });
  try {
    const input = { options, saved, evidence, client, clock, terminal };
    return (await new LogVerification(input).run()) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ServiceFault)) throw error;
    complain(escapeControls(error.message));
    return 3;
  } finally {
    await client.close();
  }
}

interface VerificationInput {
  readonly options: VerifyLogOptions;
  readonly saved: VerifiedLog | null;
  readonly evidence: readonly Evidence[];
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly terminal: Terminal;
}

/** Reads and compares the log, and saves its head when all checks pass. */
class LogVerification {
  readonly #input: VerificationInput;
  readonly #source: LogSource;
  readonly #reading: LogReading;
  readonly #markets: OpenMarkets;
  #later: LogReading | null = null;
  readonly #isWhole: boolean;
  #isDelayed = true;

  constructor(input: VerificationInput) {
    const { options, evidence, saved, client } = input;
    const first = evidence.reduce(
      (least, { sequence }) => Math.min(least, sequence),
      Number.POSITIVE_INFINITY,
    );
    const after = options.isFromStart || evidence.length === 0 ? 0 : first - 1;
    this.#input = input;
    this.#isWhole = after === 0;
    this.#source = options.key === null ? logOfFiles(client) : logOfApi(client);
    this.#reading = new LogReading(after, evidence);
    this.#markets = new OpenMarkets(saved?.open_markets ?? {}, this.#reading.contents, this.#isWhole);
  }

  /** Shows each check as it ends. Stops at the first that fails and returns false. */
  async run(): Promise<boolean> {
    const { options, terminal } = this.#input;
    if (options.key !== null) this.#isDelayed = !(await this.#isRealtime());
    const isHolding = await this.#check();
    terminal.line();
    const holding = this.#reading.count === 0 ? 'Nothing could be compared.' : 'What was compared holds.';
    terminal.prose(isHolding ? holding : 'A check failed.');
    return isHolding;
  }

  async #check(): Promise<boolean> {
    if (!(await this.#readLog())) return false;
    const compared = await this.#compareAlerts();
    if (compared.finding !== null || !(await this.#compareFiles())) return false;
    await this.#save(compared);
    return true;
  }

  async #isRealtime(): Promise<boolean> {
    const path = '/api/v1/me';
    const me = (await this.#input.client.json(path)) as { readonly realtime?: unknown } | null;
    if (typeof me?.realtime === 'boolean') return me.realtime;
    const { service } = this.#input.options;
    throw new ServiceFault(`${service}${path}: this is not the answer of a Tipoff service`);
  }

  async #readLog(): Promise<boolean> {
    const { evidence, clock, terminal } = this.#input;
    const broken = await this.#readUpToEvidence();
    const { chain, head } = this.#reading;
    const beyond = broken === null ? chain.beyondEnd() : [];
    const end = { isDelayed: this.#isDelayed, now: clock.now(), end: head };
    const { notYet, finding } = judgeBeyondEnd(beyond, end);
    const first = broken ?? finding ?? this.#receivedResultFinding();
    if (first === null) showChain(terminal, this.#reading);
    else showFinding(terminal, 'log', first);
    const visible = evidence.filter((one) => !notYet.includes(one));
    showEvidence(terminal, visible, { notYet, isHolding: first === null });
    return first === null;
  }

  /** An alert may be announced a moment before its entry can be read: with a real-time key the log is read again for it. */
  async #readUpToEvidence(): Promise<LogMismatch | null> {
    const { clock, terminal } = this.#input;
    const { chain } = this.#reading;
    const onProgress = (head: { readonly sequence: number }) =>
      terminal.progress(`… entry ${chain.last?.sequence ?? 0} of ${head.sequence}`);
    const isOver = (broken: LogMismatch | null) =>
      broken !== null || this.#isDelayed || chain.beyondEnd().length === 0;
    return untilVisible(clock, () => this.#reading.read(this.#source, onProgress), isOver);
  }

  /** The first received alert whose result is none that the log ever had. */
  #receivedResultFinding(): LogMismatch | null {
    const { evidence, clock } = this.#input;
    const visibleSince = this.#isDelayed ? clock.now() - LONGEST_DELAY_MS : Number.POSITIVE_INFINITY;
    const known = { isWhole: this.#isWhole, visibleSince };
    for (const one of evidence) {
      const finding = receivedResultFinding(one, this.#reading.contents, known);
      if (finding !== null) return finding;
    }
    return null;
  }

  async #compareAlerts(): Promise<ComparisonResult> {
    const { options, client, clock, terminal } = this.#input;
    const markets = this.#markets;
    const all = markets.toCompare();
    const alerts = options.key === null ? [] : sampleOf(all, options.sample);
    const result = await compareAlerts({
      ...{ client, clock, alerts, isDelayed: this.#isDelayed },
      settlementOf: (marketId) =>
        this.#later?.contents.settlementOf(marketId) ?? markets.settlementOf(marketId),
      differsSince: (marketId) => markets.differsSince(marketId),
      readMore: () => this.#readLater(),
      onProgress: (done) => terminal.progress(`… ${done} of ${counted(alerts.length, 'alert')} compared`),
    });
    const { counts } = this.#reading.contents;
    showCompared(terminal, result, { ...counts, read: all.length, hasKey: options.key !== null });
    return result;
  }

  /** Entries that came meanwhile may explain a differing result; the next run checks everything else in them. */
  #readLater(): Promise<LogMismatch | null> {
    this.#later ??= this.#reading.continued();
    return this.#later.read(this.#source);
  }

  async #compareFiles(): Promise<boolean> {
    const { options, terminal } = this.#input;
    const { chain, contents } = this.#reading;
    const { tape, rules, resolutions } = options;
    const isTapeEqual = tape === null || (await verifyTape(contents, { tape, rules }, terminal));
    const logEnd = chain.last?.at ?? 0;
    const areOutcomesEqual =
      resolutions === null || (await verifyResolutions(contents, resolutions, logEnd, terminal));
    return isTapeEqual && areOutcomesEqual;
  }

  /** An older head never replaces a newer one: at the free delay the newer one may not be visible yet. */
  async #save(compared: ComparisonResult): Promise<void> {
    const { options, saved, clock } = this.#input;
    const { last } = this.#reading.chain;
    if (last?.at === undefined || last.sequence < (saved?.sequence ?? 0)) return;
    const { sequence, hash, at } = last;
    const now = clock.now();
    const wasDelayed = saved?.sequence === sequence && saved.is_delayed;
    await writeVerified(options.stateFile, options.service, {
      ...{ sequence, hash, at: new Date(at).toISOString(), verified_at: new Date(now).toISOString() },
      is_delayed: this.#isDelayed || wasDelayed,
      open_markets: this.#markets.left(compared, now),
    });
  }
}

/** `size` of them, chosen at random, in their order. */
function sampleOf(alerts: readonly ComparedAlert[], size: number | null): readonly ComparedAlert[] {
  const ranks = alerts.map(() => Math.random());
  const limit = size === null ? undefined : ranks.toSorted((a, b) => a - b)[size];
  return limit === undefined ? alerts : alerts.filter((_, index) => (ranks[index] as number) < limit);
}
