import { escapeControls } from '../../core/base/text/escape-controls.ts';
import type { Clock } from '../../core/base/time/clock.ts';
import { ServiceClient, ServiceFault } from '../../infra/log-service/service-client.ts';
import { readVerified } from '../../infra/log-service/verify-state.ts';
import type { Terminal } from '../terminal.ts';
import { savedEvidence } from './evidence.ts';
import { LogVerification } from './log-verification.ts';
import { parseVerifyLogOptions } from './options.ts';
import { receivedAlerts } from './received-alerts.ts';

/** The command's environment. */
export interface CommandSurroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadableStream;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Prints what is wrong with the service. */
  complain(text: string): void;
}

/** Runs the command and returns its exit code. Throws a `UserError` for wrong usage. */
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
