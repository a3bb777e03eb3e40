import { freePort } from '../../test/support/mongod/own-mongod.ts';
import { type ServiceProcess, startService } from '../../test/support/service-process.ts';

export type Member = Awaited<ReturnType<typeof createMember>>;

/** A process of the service that is killed and started again; its address stays. */
export async function createMember(name: string, settings: Readonly<Record<string, string>>) {
  const port = await freePort();
  let service: ServiceProcess | null = null;
  let earlierOutput = '';
  const running = () => {
    if (service === null) throw new Error(`${name} was never started`);
    return service;
  };
  return {
    name,
    address: `http://127.0.0.1:${port}`,
    get output(): string {
      return earlierOutput + (service?.output() ?? '');
    },
    get isRunning(): boolean {
      return service !== null && service.child.exitCode === null && service.child.signalCode === null;
    },
    start(): void {
      earlierOutput = this.output;
      service = startService({ ...settings, PORT: String(port) });
    },
    logged: (message: string) => running().logged(message),
    end: (signal: NodeJS.Signals) => running().end(signal),
    async killAndRestart(): Promise<void> {
      await this.end('SIGKILL');
      this.start();
    },
    /** It stands still, with its connections open (SIGSTOP), until `SIGCONT`. */
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => void running().child.kill(signal),
  };
}
