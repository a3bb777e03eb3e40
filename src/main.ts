import './infra/process/v8-tuning.ts';
import { parseConfig } from './config.ts';
import { type Container, createContainer } from './container.ts';
import { databaseFailure } from './infra/database/database.ts';
import { isOutage } from './infra/database/outage.ts';
import { exitReport, onParentEnd } from './infra/process/exit-report.ts';
import { systemClock } from './infra/process/system-clock.ts';
import { createLogger } from './infra/telemetry/logger.ts';
import { proxyWords } from './wiring/proxy-words.ts';

const USAGE_ERROR = 2;
const FAULT = 1;
/** Shutdown that has not finished by then is cut off; the next start repairs what was open. */
const SHUTDOWN_LIMIT_MS = 9_500;

function fail(text: string, code: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

const parsed = parseConfig(process.env);
if (!parsed.isOk)
  fail(`The settings are not right:\n${parsed.problems.map((line) => `  ${line}`).join('\n')}`, USAGE_ERROR);

const { config, warnings } = parsed;
const { stdout } = process;
const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && stdout.isTTY === true);
const screen = isPretty ? await import('./wiring/service-screen.ts') : null;
const logger = createLogger(config.logLevel, await screen?.openScreenLog(stdout, config.logLevel));
for (const warning of warnings) logger.warn({}, warning);
const proxies = proxyWords(config);
if (proxies !== null) logger.info({}, proxies);
const reportOf = (error: unknown) => exitReport(databaseFailure(error, config.databaseUrl), isOutage);

let container: Container | undefined;
let isStopping = false;
// Until the container is built there is nothing to close.
let stop = async (_reason: string, code: number): Promise<void> => process.exit(code);
process.on('SIGTERM', () => void stop('SIGTERM', 0));
process.on('SIGINT', () => void stop('SIGINT', 0));
if (process.env['npm_command'] !== undefined) onParentEnd(() => void stop('end of npm', 0));

try {
  const made = await createContainer(config, { logger });
  container = made;
  stop = async (reason, code) => {
    if (isStopping) return;
    isStopping = true;
    made.logger.info({ reason }, 'stopping');
    setTimeout(() => fail('Not finished in time; stopped anyway.', FAULT), SHUTDOWN_LIMIT_MS).unref();
    await made.close();
    process.exit(code);
  };
  made.ended.catch((error: unknown) => {
    const { text, code, isExpected } = reportOf(error);
    made.logger.error(isExpected ? { reason: text } : { err: error }, 'service failed; stopping');
    void stop('fault', code);
  });
  if (screen === null || !logger.isLevelEnabled('info')) await made.start();
  else
    await screen.startOnScreen(made, {
      config,
      clock: systemClock,
      write: (text) => stdout.write(text),
    });
} catch (error) {
  const { text, code } = reportOf(error);
  process.stderr.write(`${text}\n`);
  // What was opened is closed: a database that is left open keeps its rows in its log.
  if (!isStopping) {
    setTimeout(() => process.exit(code), SHUTDOWN_LIMIT_MS).unref();
    await container?.close();
    process.exit(code);
  }
}
