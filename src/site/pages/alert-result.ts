import type { Alert } from '../../core/alerts/alert.ts';
import { resultAmounts } from '../../core/alerts/describe-alert.ts';
import { cents, signedCents, timeSpan } from '../../core/base/text/formats.ts';
import type { FreeFollower } from '../../core/record/free-follower.ts';
import { type Html, html } from '../html.ts';
import { resultBadge } from '../parts/result-badge.ts';

/** What became of the trade, of the position, and of a reader who followed. */
export function resultPart(alert: Alert, follower: FreeFollower | null): Html {
  const amounts = resultAmounts(alert);
  return html`<section class="stack" id="result" aria-labelledby="result-title" data-live>
    <h2 id="result-title">The result</h2>
    ${
      amounts === null
        ? html`<p>The market is not settled yet.</p>`
        : html`<p>${resultBadge(alert)} ${amounts}.</p>
            <p class="muted">
              Profit if held to the end: payout minus price, before fees. The wallet itself may have sold earlier.
            </p>`
    }
    ${follower === null ? null : html`<p>${followerWords(follower, amounts !== null)}</p>`}
  </section>`;
}

/** A follower as the record measures one: docs/method.md. */
function followerWords(
  { state, filledAt, price, fee, result, publicAt }: FreeFollower,
  isSettled: boolean,
): string {
  const bought =
    price === null || filledAt === null
      ? ''
      : `A reader who followed this page could have bought at ${cents(price)}, ${timeSpan(filledAt - publicAt)} after ` +
        'the alert appeared here: the first such buy from the second minute on.';
  switch (state) {
    case 'settled':
      return `${bought} Result: ${signedCents(result ?? 0)} a share, after a fee of ${cents(fee ?? 0)}.`;
    case 'settlement':
      return isSettled
        ? `${bought} The result follows in some minutes.`
        : `${bought} The result is known when the market is settled.`;
    case 'fee_unknown':
      return `${bought} The fee of this market is not known, so no result is stated.`;
    case 'not_fillable':
      return 'In the hour after the alert appeared here this outcome was not bought again: there is no price that a reader could have paid.';
    case 'waiting':
      return 'What a reader of this page could have paid is known an hour after the alert appeared here.';
    case 'unobserved':
      return 'The prices of the hour after the alert appeared here were not recorded: nothing can be said of readers who followed it.';
  }
}
