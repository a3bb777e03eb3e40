import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BareAnswer, BareMessage } from './bare-server.ts';

/** A bare Fastify with one route, in a process of its own. */
export interface BareProcess {
  readonly address: string;
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export async function startBare(answer: BareAnswer): Promise<BareProcess> {
  const child = fork(new URL('./bare-server.ts', import.meta.url));
  const ask = async (message: BareAnswer | 'cpu'): Promise<BareMessage> => {
    const answered = once(child, 'message');
    child.send(message);
    return (await answered)[0];
  };
  const started = await ask(answer);
  if (!('port' in started)) throw new Error('the bare server did not say its port');
  return {
    address: `http://127.0.0.1:${started.port}`,
    async cpuSeconds() {
      const told = await ask('cpu');
      return 'cpuSeconds' in told ? told.cpuSeconds : Number.NaN;
    },
    async stop() {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}
