import './infra/process/v8-tuning.ts';
import { parseConfig } from './config.ts';
import { createContainer } from './container.ts';
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

// Until the container is built there is nothing to close.
let stop = async (_reason: string, code: number): Promise<void> => process.exit(code);
process.on('SIGTERM', () => void stop('SIGTERM', 0));
process.on('SIGINT', () => void stop('SIGINT', 0));
if (process.env['npm_command'] !== undefined) onParentEnd(() => void stop('end of npm', 0));

try {
  const container = await createContainer(config, { logger });
  let isStopping = false;
  stop = async (reason, code) => {
    if (isStopping) return;
    isStopping = true;
    container.logger.info({ reason }, 'stopping');
    setTimeout(() => fail('Not finished in time; stopped anyway.', FAULT), SHUTDOWN_LIMIT_MS).unref();
    await container.close();
    process.exit(code);
  };
  container.ended.catch((error: unknown) => {
    const { text, code, isExpected } = reportOf(error);
    container.logger.error(isExpected ? { reason: text } : { err: error }, 'service failed; stopping');
    void stop('fault', code);
  });
  if (screen === null || !logger.isLevelEnabled('info')) await container.start();
  else
    await screen.startOnScreen(container, {
      config,
      clock: systemClock,
      write: (text) => stdout.write(text),
    });
} catch (error) {
  const { text, code } = reportOf(error);
  fail(text, code);
}
