import { freePort } from '../../test/support/mongod/own-mongod.ts';
import { startService } from '../../test/support/service-process.ts';

export type Member = Awaited<ReturnType<typeof startMember>>;

/** A process that is killed and started again; its address stays. */
export async function startMember(settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  const start = () => startService({ ...settings, PORT: String(port) });
  let service = start();
  await service.logged('listening');
  return {
    address: `http://127.0.0.1:${port}`,
    output: () => service.output(),
    isRunning: () => service.child.exitCode === null && service.child.signalCode === null,
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => void service.child.kill(signal),
    kill: () => service.end('SIGKILL'),
    async killAndRestart(): Promise<void> {
      await service.end('SIGKILL');
      service = start();
    },
  };
}
