// Follows the stream with the TypeScript client, and prints a line of JSON for each alert and each change of its state.
import { createTipoff, StreamEndedError } from 'tipoff-client';

const [, , url, sinceId] = process.argv;
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const tipoff = createTipoff({ url, apiKey: process.env.TIPOFF_API_KEY });
try {
  for await (const alert of tipoff.follow({ sinceId: Number(sinceId), onStatus: print }))
    print({ id: alert.id, isWhole: 'details' in alert && 'market_id' in alert });
} catch (error) {
  if (!(error instanceof StreamEndedError)) throw error;
  print({ ended: error.closeCode, reason: error.reason });
}
