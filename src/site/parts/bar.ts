import { type Html, html } from '../html.ts';

/** A share of 0 to 1 as a bar. It is a picture of a number beside it: screen readers leave it out. */
export function bar(share: number): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10;
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" width="100" height="8"></rect>
    <rect class="value" width="${width}" height="8"></rect>
  </svg>`;
}

/** A score of 0 to 100 as its number and a bar. */
export function scoreMeter(score: number): Html {
  const points = Math.round(score);
  return html`<p class="score">
    <span class="hidden">Score </span><strong class="number">${points}</strong><span class="hidden"> of 100</span>
    ${bar(points / 100)}
  </p>`;
}
