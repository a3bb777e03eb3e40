import { dollars } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { type BlindWindow, CAUSE_WORDS, type WindowCause } from '../../core/trades/coverage/blind-window.ts';
import type { CoverageSummary } from '../../core/trades/coverage/coverage-report.ts';
import type { UnwatchedVolume } from '../../core/trades/coverage/unwatched-volume.ts';
import { type Html, html, section } from '../html.ts';
import { utcTag } from '../parts/labels.ts';
import { numberColumn, tableOf } from '../parts/table.ts';
import { ageWords, atMostWords } from './status-words.ts';

/** By cause: how often, how long, and how much of that was not read afterwards. The most time first. */
export function causesTable({ windows, from }: CoverageSummary, now: EpochMs): Html {
  const rows = Array.from(
    Map.groupBy(windows, ({ cause }) => cause),
    ([cause, those]) => {
      const open = those.filter(({ backfilledAt }) => backfilledAt === null);
      return {
        cause,
        count: those.length,
        ms: msOf(those, { from, now }),
        unreadMs: msOf(open, { from, now }),
      };
    },
  );
  const shown = rows.toSorted((a, b) => b.ms - a.ms).map(rowOf);
  const columns = ['Cause', numberColumn('Windows'), 'Together', 'Not read again'];
  return tableOf('Blind windows by cause', columns, shown, 'stacked');
}

interface CauseSums {
  readonly cause: WindowCause;
  readonly count: number;
  readonly ms: number;
  readonly unreadMs: number;
}

function rowOf({ cause, count, ms, unreadMs }: CauseSums): readonly (string | number)[] {
  return [CAUSE_WORDS[cause], count, ageWords(ms), unreadMs === 0 ? 'Nothing' : ageWords(unreadMs)];
}

function msOf(windows: readonly BlindWindow[], { from, now }: { from: EpochMs; now: EpochMs }): number {
  return windows.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? now) - Math.max(startedAt, from)),
    0,
  );
}

/** `volume`: null while it is not measured. */
export function unwatchedPart(volume: UnwatchedVolume | null): Html {
  const body = html`<ul>
      <li>Combos: positions in several markets at once, which have no market of their own.${combosOf(volume)}</li>
      <li>
        Contracts that are not the market's exchanges and report trades in the same form. Anyone can deploy
        one.${othersOf(volume)}
      </li>
      <li>Anything that the market does not list, anything traded before the service ran, and markets other than Polymarket.</li>
    </ul>
    <p class="muted small">${sampleOf(volume)}</p>`;
  return section('unwatched', 'What is not watched', html`<div class="stack prose">${body}</div>`, 'live');
}

function combosOf(volume: UnwatchedVolume | null): Html | null {
  return volume && html` They were <strong>${atMostWords(volume.combos)}</strong> of the volume.`;
}

function othersOf(volume: UnwatchedVolume | null): Html | null {
  if (volume === null) return null;
  const { otherContracts: share } = volume;
  if (share === null) return html` How much they trade is not known: the node does not search all contracts.`;
  return html` They account for <strong>${atMostWords(share)}</strong> of the volume, including their own.`;
}

function sampleOf(volume: UnwatchedVolume | null): Html | string {
  if (volume === null)
    return 'How much that is has not been measured: it takes a Polygon node that has shown some blocks.';
  const { since, until, blocks, usdc } = volume;
  return html`Measured in ${blocks.toLocaleString('en-US')} blocks from ${utcTag(since)} to ${utcTag(until)}, with ${dollars(usdc)} on the
    exchanges that are watched: a sample.`;
}
