import { TRIAL_DAYS } from '../../core/accounts/keys/key-service.ts';
import { type Html, html } from '../html.ts';
import { code } from '../parts/code.ts';

/** How to get a key, and what to do with it first. */
export function startPart(publicUrl: string): Html {
  const latest = `${publicUrl}/api/v1/alerts/latest?limit=1`;
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
    <h3>Shell <small class="muted">curl</small></h3>
    ${code('Shell', inShell(latest))}
    <h3>TypeScript <small class="muted">Node 20 or later, Deno or Bun</small></h3>
    ${code('TypeScript', inTypeScript(latest))}
    <h3>Python <small class="muted">Python 3, nothing else</small></h3>
    ${code('Python', inPython(latest))}
    <h3>Agents</h3>
    <p>
      Assistants read alerts with the tools of the <a href="https://modelcontextprotocol.io">Model Context Protocol</a> at
      <code>/mcp</code>: they list, explain and search, but change nothing. The key and its limits are those of the API; leave
      the header out to try it without one. In Claude Code:
    </p>
    ${code('Claude Code', claudeCode(publicUrl))}
  </div>`;
}

function inShell(address: string): string {
  return `curl -H "Authorization: Bearer $TIPOFF_API_KEY" \\
  "${address}"`;
}

function inTypeScript(address: string): string {
  return `const response = await fetch('${address}', {
  headers: { authorization: \`Bearer \${process.env.TIPOFF_API_KEY}\` },
});
for (const alert of await response.json()) console.log(alert.id, alert.signal_score, alert.event_title);`;
}

function inPython(address: string): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${address}",
    headers={"Authorization": f"Bearer {os.environ['TIPOFF_API_KEY']}"},
)
for alert in json.load(urllib.request.urlopen(request)):
    print(alert["id"], alert["signal_score"], alert["event_title"])`;
}

function claudeCode(publicUrl: string): string {
  return `claude mcp add --transport http tipoff ${publicUrl}/mcp \\
  --header "Authorization: Bearer $TIPOFF_API_KEY"`;
}
