// What a user of the client does. Prints what happened as JSON.
import { createTipoff } from 'tipoff-client';

const [url, apiKey] = process.argv.slice(2);
const tipoff = createTipoff({ url, apiKey });

const found = { alerts: [], followed: [] };
for await (const { id } of tipoff.iterAlerts({ page_size: 50 })) found.alerts.push(id);
for await (const { id } of tipoff.follow({ sinceId: 0 })) {
  found.followed.push(id);
  if (id === 130) break;
}
found.refused = await tipoff.getAlert({ id: 999_999 }).catch(({ code }) => code);
console.log(JSON.stringify(found));
