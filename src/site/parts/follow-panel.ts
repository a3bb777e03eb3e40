import { PLATFORM_LABELS } from '../../core/accounts/customers/customer.ts';
import type { Followed, FollowedInChat } from '../followed.ts';
import { type Html, html } from '../html.ts';
import type { ReportedBot, TerminalBot } from '../service-report.ts';
import { code } from './code.ts';
import { copyButton } from './copy-button.ts';

/** What the service has to follow with. */
export interface FollowWays {
  /** Those that run. */
  readonly bots: readonly (ReportedBot | TerminalBot)[];
  readonly publicUrl: string;
}

/** Ways to follow what a page shows, folded beside its title. */
export function followPanel(followed: Followed, { bots, publicUrl }: FollowWays): Html {
  const { words, chat, feed, list } = followed;
  const call = `curl -H "Authorization: Bearer $TIPOFF_API_KEY" "${publicUrl}/api/v1/alerts${list}"`;
  return html`<details class="sheet follow" name="sheet">
    <summary>Follow</summary>
    <div class="panel">
      <p>${words}</p>
      ${typeof chat === 'string' ? bots.length > 0 && html`<p class="note">${chat}</p>` : bots.map((bot) => botWay(bot, chat))}
      ${way('Feed', html`<p><a href="/feed.xml${feed}">Atom</a> · <a href="/feed.json${feed}">JSON</a>, without a key</p>`)}
      ${way(
        'API',
        html`<div>
          ${code('The call', call)}
          <p class="small"><a href="/docs#start">How to get a key</a></p>
        </div>`,
      )}
    </div>
  </details>`;
}

function way(name: string, body: Html): Html {
  return html`<div class="group">
    <p class="muted small">${name}</p>
    ${body}
  </div>`;
}

/** Telegram's links carry what is followed; Discord's and a terminal cannot. */
function botWay(bot: ReportedBot | TerminalBot, chat: readonly FollowedInChat[]): Html {
  const { platform } = bot;
  if (platform === 'terminal') return way('Terminal', terminalWay(bot.command, chat));
  const body =
    platform === 'telegram'
      ? html`<div>
          ${chat.map(
            ({ label, payload }) =>
              html`<a class="way" href="${bot.url}?start=${payload}" rel="nofollow noopener">${label}</a> `,
          )}
          <p class="small">You see a preview before it is saved.</p>
        </div>`
      : html`<div>
          ${chat.map(({ label, text }) => command(label, `/follow what:${text}`))}
          <p class="small">Send it to <a href="${bot.url}" rel="nofollow noopener">the bot</a>.</p>
        </div>`;
  return way(PLATFORM_LABELS[platform], body);
}

function terminalWay(opening: string, chat: readonly FollowedInChat[]): Html {
  return html`<div>
    ${command('Open the bot of this demo', opening)}
    ${chat.map(({ label, text }) => command(label, `/follow ${text}`))}
    <p class="small">
      Paste the first line into another terminal, and then what you follow. You see a preview before it is saved.
    </p>
  </div>`;
}

/** A line to paste. */
function command(label: string, text: string): Html {
  return html`<p class="small">${label} ${copyButton(text, 'the command')}</p>
    ${code(label, text)}`;
}
