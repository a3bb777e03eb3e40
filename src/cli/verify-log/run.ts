import { type Evidence, receivedResult } from '../../core/alerts/verification/chain-check.ts';
import type { LogMismatch } from '../../core/alerts/verification/log-contents.ts';
import { escapeControls } from '../../core/base/text/escape.ts';
import { counted } from '../../core/base/text/formats.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import {
  type ComparisonResult,
  compareAlerts,
  LONGEST_DELAY_MS,
  untilVisible,
} from '../../infra/log-service/compare-alerts.ts';
import { type LogSource, logOfApi, logOfFiles } from '../../infra/log-service/log-pages.ts';
import { LogReading } from '../../infra/log-service/read-log.ts';
import { ServiceClient, ServiceFault } from '../../infra/log-service/service-client.ts';
import { readVerified, type VerifiedLog, writeVerified } from '../../infra/log-service/verify-state.ts';
import { systemClock } from '../../infra/process/system-clock.ts';
import type { Command } from '../command.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { judgeBeyondEnd, receivedAlerts, savedEvidence } from './evidence.ts';
import { verifyResolutions, verifyTape } from './files.ts';
import { showChain, showCompared, showEvidence, showFinding } from './lines.ts';
import { parseVerifyLogOptions, VERIFY_LOG_HELP, type VerifyLogOptions } from './options.ts';

export const verifyLogCommand: Command = {
  help: VERIFY_LOG_HELP,
  async run(args) {
    const { env, stdin, stderr } = process;
    const terminal = createTerminal(process.stdout);
    const complain = (text: string) => {
      terminal.progress('');
      stderr.write(`${text}\n`);
    };
    process.exitCode = await runVerifyLog(args, { env, stdin, terminal, clock: systemClock, complain });
  },
};

interface CommandSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly terminal: Terminal;
  readonly clock: Clock;
  complain(text: string): void;
}

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

class LogVerification {
  readonly #input: VerificationInput;
  readonly #source: LogSource;
  readonly #reading: LogReading;
  readonly #differsSince: ReadonlyMap<string, string>;
  #isDelayed = true;

  constructor(input: VerificationInput) {
    const { options, saved, evidence, client } = input;
    this.#input = input;
    this.#source = options.key === null ? logOfFiles(client) : logOfApi(client);
    this.#reading = new LogReading(evidence);
    this.#differsSince = new Map(Object.entries(saved?.differs_since ?? {}));
  }

  async run(): Promise<boolean> {
    const { options, terminal } = this.#input;
    if (options.key !== null) this.#isDelayed = !(await this.#isRealtime());
    const isHolding = await this.#check();
    terminal.line();
    const holding =
      this.#reading.chain.last.sequence === 0 ? 'Nothing could be compared.' : 'What was compared holds.';
    terminal.prose(isHolding ? holding : 'A check failed.');
    return isHolding;
  }

  async #check(): Promise<boolean> {
    if (!(await this.#readLog())) return false;
    const compared = this.#input.options.key === null ? null : await this.#compareAlerts();
    showCompared(this.#input.terminal, compared, this.#reading.contents);
    const isEqual = compared === null || compared.finding === null;
    if (!isEqual || !(await this.#compareFiles())) return false;
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
    const { chain } = this.#reading;
    const beyond = broken === null ? chain.beyondEnd() : [];
    const end = { isDelayed: this.#isDelayed, now: clock.now(), end: chain.last };
    const { notYet, finding } = judgeBeyondEnd(beyond, end);
    const results = this.#receivedResults();
    const first = broken ?? finding ?? results.finding;
    if (first === null) showChain(terminal, this.#reading);
    else showFinding(terminal, 'log', first);
    showEvidence(terminal, { evidence, notYet, unknown: results.unknown, isHolding: first === null });
    return first === null;
  }

  /** An alert may be announced a moment before its entry can be read: with a real-time key the log is read again for it. */
  async #readUpToEvidence(): Promise<LogMismatch | null> {
    const { chain } = this.#reading;
    const isOver = (broken: LogMismatch | null) =>
      broken !== null || this.#isDelayed || chain.beyondEnd().length === 0;
    return untilVisible(this.#input.clock, () => this.#readMore(), isOver);
  }

  #readMore(): Promise<LogMismatch | null> {
    const { terminal } = this.#input;
    const { chain } = this.#reading;
    return this.#reading.read(this.#source, ({ sequence }) =>
      terminal.progress(`… entry ${chain.last.sequence} of ${sequence}`),
    );
  }

  /** The first received alert whose result is none that the log ever had, and how many could not be compared. */
  #receivedResults(): { readonly finding: LogMismatch | null; readonly unknown: number } {
    const { evidence, clock } = this.#input;
    const visibleSince = this.#isDelayed ? clock.now() - LONGEST_DELAY_MS : Number.POSITIVE_INFINITY;
    const results = evidence.map((one) => receivedResult(one, this.#reading.contents, visibleSince));
    const finding = results.find((result) => result !== null && result !== 'unknown');
    const unknown = results.filter((result) => result === 'unknown').length;
    return { finding: finding ?? null, unknown };
  }

  #compareAlerts(): Promise<ComparisonResult> {
    const { client, clock, terminal } = this.#input;
    const { contents } = this.#reading;
    const now = new Date(clock.now()).toISOString();
    return compareAlerts({
      ...{ client, clock, contents, isDelayed: this.#isDelayed },
      differsSince: (marketId) => Date.parse(this.#differsSince.get(marketId) ?? now),
      readMore: () => this.#readMore(),
      onProgress: (done) =>
        terminal.progress(`… ${done} of ${counted(contents.alerts.size, 'alert')} compared`),
    });
  }

  async #compareFiles(): Promise<boolean> {
    const { options, terminal } = this.#input;
    const { chain, contents } = this.#reading;
    const { tape, rules, resolutions } = options;
    const isTapeEqual = tape === null || (await verifyTape(contents, { tape, rules }, terminal));
    const logEnd = chain.last.at ?? 0;
    const areOutcomesEqual =
      resolutions === null || (await verifyResolutions(contents, resolutions, logEnd, terminal));
    return isTapeEqual && areOutcomesEqual;
  }

  /** An older head never replaces a newer one: at the free delay the newer one may not be visible yet. */
  async #save(compared: ComparisonResult | null): Promise<void> {
    const { options, saved, clock } = this.#input;
    const { sequence, hash } = this.#reading.chain.last;
    if (sequence === 0) return;
    const now = new Date(clock.now()).toISOString();
    const isDelayed = this.#isDelayed || (saved?.sequence === sequence && saved.is_delayed);
    const head = { sequence, hash, verified_at: now, is_delayed: isDelayed };
    const known = this.#differsSince;
    const differing = compared?.notYet.map(({ marketId }) => [marketId, known.get(marketId) ?? now] as const);
    await writeVerified(options.stateFile, options.service, {
      ...(saved !== null && saved.sequence > sequence ? saved : head),
      differs_since: Object.fromEntries(differing ?? known),
    });
  }
}
