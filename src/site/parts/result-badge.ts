import type { Alert } from '../../core/alerts/alert.ts';
import { type Html, html } from '../html.ts';

/** Whether an alert was right: a word in a frame. */
export function resultBadge({ resolution }: Pick<Alert, 'resolution'>): Html {
  if (resolution === null) return html`<span class="badge">Open</span>`;
  if (resolution.won) return html`<span class="badge right">✓ Right</span>`;
  return html`<span class="badge wrong">✗ Wrong</span>`;
}
