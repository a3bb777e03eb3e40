import { alignColumns } from '../../src/cli/terminal.ts';
import type { Share, Tally } from './tally.ts';

export function printedTallies(tallies: readonly Tally[]): string {
  const rows = tallies.map(({ scenario, found, above, any, mean, deviation, blocks, isReached }) => [
    scenario.name,
    `${found.of}`,
    percent(found),
    percent(above),
    percent(any),
    `${cents(mean)}`,
    `${cents(deviation)}`,
    blocks.toFixed(0),
    isReached === null ? '-' : isReached ? 'reached' : 'missed',
  ]);
  const head = ['', 'seeds', 'primary above', 'any above', 'any verdict', 'mean ¢', 'SD ¢', 'blocks', 'aim'];
  return alignColumns([head, ...rows]).join('\n');
}

function percent({ count, of, low, high }: Share): string {
  const [share, from, until] = [count / of, low, high].map((value) => (value * 100).toFixed(1));
  return `${share} % [${from}, ${until}]`;
}

function cents(value: number | null): string {
  return value === null ? '-' : (value * 100).toFixed(2);
}
