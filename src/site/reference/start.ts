import { TRIAL_DAYS } from '../../core/accounts/keys/key-service.ts';
import { type Html, html } from '../html.ts';
import { code } from '../parts/code.ts';

/** How to get a key, and what to do with it first. */
export function startPart(publicUrl: string): Html {
  return html`<div class="stack prose">
    <p>Without a key, try the <a href="/feed.json">feed</a> of the newest alerts:</p>
    ${code('Without a key', `curl "${publicUrl}/feed.json"`)}
    <p>
      For a key, write to the bot of the service in Telegram or Discord: it shows the key once, and can replace or revoke it.
      A service without a bot has an operator who gives out keys. On your own machine,
      <code>node bin/tipoff.js chat</code> in the folder of the source gives you one, the same way a bot does. The demo
      prints keys, and its bot is <code>node bin/tipoff.js chat --demo</code>.
    </p>
    <p>
      A Free key does not expire. Pro can be tried for ${TRIAL_DAYS} days, once per person. Keep the key in the environment:
    </p>
    ${code('The key in the environment', 'export TIPOFF_API_KEY=sk_live_…')}
    ${firstCalls(publicUrl).map(
      ({ language, needs, code: text }) =>
        html`<h3>${language} <small class="muted">${needs}</small></h3>
          ${code(language, text)}`,
    )}
    <h3>Agents</h3>
    <p>
      Assistants read alerts with the tools of the <a href="https://modelcontextprotocol.io">Model Context Protocol</a> at
      <code>/mcp</code>: they list, explain and search, but change nothing. The key and its limits are those of the API; leave
      the header out to try it without one. In Claude Code:
    </p>
    ${code('Claude Code', claudeCode(publicUrl))}
  </div>`;
}

export function claudeCode(publicUrl: string): string {
  return `claude mcp add --transport http tipoff ${publicUrl}/mcp \\
  --header "Authorization: Bearer $TIPOFF_API_KEY"`;
}

interface FirstCall {
  readonly language: 'Shell' | 'TypeScript' | 'Python';
  readonly needs: string;
  readonly code: string;
}

function firstCalls(publicUrl: string): readonly FirstCall[] {
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
