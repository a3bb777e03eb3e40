import './infra/v8-flags.ts';
import { parseConfig } from './config.ts';
import { createContainer } from './container.ts';
import { UserError } from './core/user-error.ts';

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

try {
  const container = await createContainer(parsed.config);
  let isStopping = false;
  const stop = async (reason: string, code: number) => {
    if (isStopping) return;
    isStopping = true;
    container.logger.info({ reason }, 'stopping');
    setTimeout(() => fail('Not finished in time; stopped anyway.', FAULT), SHUTDOWN_LIMIT_MS).unref();
    await container.close();
    process.exit(code);
  };
  process.on('SIGTERM', () => void stop('SIGTERM', 0));
  process.on('SIGINT', () => void stop('SIGINT', 0));
  container.ended.catch((error: unknown) => {
    const isUsage = error instanceof UserError;
    container.logger.error(isUsage ? { reason: error.message } : { err: error }, 'service failed; stopping');
    void stop('fault', isUsage ? USAGE_ERROR : FAULT);
  });
  await container.start();
} catch (error) {
  const isUsage = error instanceof UserError;
  fail(
    isUsage ? (error as Error).message : String((error as Error).stack ?? error),
    isUsage ? USAGE_ERROR : FAULT,
  );
}
