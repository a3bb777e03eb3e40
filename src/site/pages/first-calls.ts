/** A program that asks for the newest alert. */
interface FirstCall {
  readonly language: 'Shell' | 'TypeScript' | 'Python';
  readonly needs: string;
  readonly code: string;
}

/** The first call in three languages, without a package to install. The key is read from the environment. */
export function firstCalls(publicUrl: string): readonly FirstCall[] {
  return [
    {
      language: 'Shell',
      needs: 'curl',
      code: `curl -H "Authorization: Bearer $TIPOFF_API_KEY" \\
  "${publicUrl}/api/v1/alerts/latest?limit=1"`,
    },
    {
      language: 'TypeScript',
      needs: 'Node 20 or later, Deno or Bun',
      code: `const response = await fetch('${publicUrl}/api/v1/alerts/latest?limit=1', {
  headers: { authorization: \`Bearer \${process.env.TIPOFF_API_KEY}\` },
});
for (const alert of await response.json()) console.log(alert.id, alert.signal_score, alert.event_title);`,
    },
    {
      language: 'Python',
      needs: 'Python 3, nothing else',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    "${publicUrl}/api/v1/alerts/latest?limit=1",
    headers={"Authorization": f"Bearer {os.environ['TIPOFF_API_KEY']}"},
)
for alert in json.load(urllib.request.urlopen(request)):
    print(alert["id"], alert["signal_score"], alert["event_title"])`,
    },
  ];
}

/** Following the stream with the client for TypeScript, in the lines of its README. */
export function streamCode(publicUrl: string): string {
  return `import { createTipoff } from 'tipoff-client';

const tipoff = createTipoff({ url: '${publicUrl}', apiKey: process.env.TIPOFF_API_KEY });
for await (const alert of tipoff.follow({ sinceId: 1204, filters: { categories: ['politics'] } })) {
  console.log(alert.id, alert.event_title);
}`;
}

/** Checking a webhook with it, in the line of its README. */
export const WEBHOOK_CODE = `const { id, payload } = await verifyWebhook(rawBody, request.headers, ['whsec_…']);`;
