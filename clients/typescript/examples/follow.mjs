// Prints every alert as it is published. After a restart it continues after the last one.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createTipoff, StreamEndedError } from 'tipoff-client';

const tipoff = createTipoff({ url: process.env.TIPOFF_URL, apiKey: process.env.TIPOFF_API_KEY });
const sinceId = Number(await readFile('last-id', 'utf8').catch(() => '0'));
try {
  for await (const alert of tipoff.follow({ sinceId, filters: { min_signal: 40 } })) {
    console.log(alert.id, alert.signal_score, alert.side, alert.outcome, alert.event_title);
    await writeFile('last-id.new', String(alert.id));
    await rename('last-id.new', 'last-id');
  }
} catch (error) {
  if (!(error instanceof StreamEndedError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
