import { PLATFORM_LABELS } from '../../core/accounts/customers/customer.ts';
import type { Followed } from '../followed.ts';
import { type Html, html } from '../html.ts';
import type { ReportedBot } from '../service-report.ts';
import { code } from './code.ts';
import { copyButton } from './copy-button.ts';

/** What the service has to follow with. */
export interface FollowWays {
  /** Those that run. */
  readonly bots: readonly ReportedBot[];
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

/** Telegram's links carry what is followed; Discord's cannot. */
function botWay({ platform, url }: ReportedBot, { payload, text }: Exclude<Followed['chat'], string>): Html {
  const command = `/follow what:${text}`;
  const body =
    platform === 'telegram'
      ? html`<div>
          <a class="way" href="${url}?start=${payload}" rel="nofollow noopener">Follow in Telegram</a>
          <p class="small">You see a preview before it is saved.</p>
        </div>`
      : html`<div>
          ${code('The command', command)}
          <p class="small">
            ${copyButton(command, 'the command')} Send it to <a href="${url}" rel="nofollow noopener">the bot</a>.
          </p>
        </div>`;
  return way(PLATFORM_LABELS[platform], body);
}
