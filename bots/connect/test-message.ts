import type { DestinationAddress, DestinationClient } from '../../src/core/follow/destination.ts';
import type { TestResult } from '../../src/core/follow/destination-service.ts';
import { plainScreen } from '../shared/screen.ts';
import { sendRequest } from './destination-requests.ts';

const TEST = plainScreen(
  'test',
  [[{ bold: 'Tipoff is connected.' }], 'Your alerts come here from now on. This is a test message.'],
  [],
);

/** Sends a test message; any 2xx is taken for its arrival. */
export async function sendTest(client: DestinationClient, address: DestinationAddress): Promise<TestResult> {
  const answer = await client.send(sendRequest(address, [TEST]).request);
  if ('error' in answer) return { ok: false, reason: 'failed', status: null, error: answer.error };
  const { status } = answer;
  return status >= 200 && status < 300 ? { ok: true } : { ok: false, reason: 'failed', status, error: null };
}
