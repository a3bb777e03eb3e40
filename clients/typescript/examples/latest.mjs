// Prints the newest alerts, and the details of the first.
import { createTipoff, TipoffError } from 'tipoff-client';

const tipoff = createTipoff({ url: process.env.TIPOFF_URL, apiKey: process.env.TIPOFF_API_KEY });
try {
  const alerts = await tipoff.getLatestAlerts({ limit: 5 });
  for (const { id, signal_score, side, outcome, event_title } of alerts)
    console.log(id, signal_score, side, outcome, event_title);
  if (alerts.length > 0) console.log((await tipoff.getAlert({ id: alerts[0].id })).details.reasons);
} catch (error) {
  if (!(error instanceof TipoffError)) throw error;
  console.error(error.status, error.code, error.detail, error.requestId);
  process.exitCode = 1;
}
