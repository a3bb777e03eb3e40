import { PLATFORM_LABELS } from '../../core/accounts/customers/customer.ts';
import type { Followed, FollowedInChat } from '../followed.ts';
import { type Html, html } from '../html.ts';
import type { RunningBot } from '../service-report.ts';
import { code } from './code.ts';

/** Ways to follow what a page shows, folded beside its title. `bots`: those that run. */
export function followPanel({ words, chat, feed }: Followed, bots: readonly RunningBot[]): Html {
  return html`<details class="sheet follow" name="sheet">
    <summary>Follow</summary>
    <div class="panel">
      <p>${words}</p>
      ${typeof chat === 'string' ? bots.length > 0 && html`<p class="note">${chat}</p>` : bots.map((bot) => botWay(bot, chat))}
      ${way('Feed', html`<p><a href="/feed.xml${feed}">Atom</a> · <a href="/feed.json${feed}">JSON</a>, without a key</p>`)}
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
function botWay(bot: RunningBot, chat: readonly FollowedInChat[]): Html {
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
  return html`<p class="small">${label}</p>
    ${code(label, text)}`;
}
