import { Agent, request } from 'undici';
import { alertJson } from '../../../src/http/views/alert-view.ts';
import { cpuSeconds } from '../process-use.ts';
import { serve } from '../remote.ts';
import { sampleAlert } from '../sample-alerts.ts';

/** The limits of the service, so that both sides have as many connections, and keep them for as long. */
const dispatcher = new Agent({ connections: 16, keepAliveTimeout: 1_000, pipelining: 1, allowH2: false });

const functions = {
  async post(urls: readonly string[], alert: number): Promise<number> {
    const body = alertJson(sampleAlert(alert));
    const before = process.cpuUsage();
    const headers = { 'content-type': 'application/json' };
    const post = async (url: string): Promise<void> => {
      const answer = await request(url, { dispatcher, method: 'POST', headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`a receiver answered ${answer.statusCode}`);
    };
    await Promise.all(urls.map(post));
    return cpuSeconds(before);
  },
};

export type BareUndici = typeof functions;

serve(functions);
