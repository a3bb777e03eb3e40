import { Figures } from '../core/alerts/archive/figures.ts';
import type { AppContext } from './app-context.ts';

export function wireFigures({
  config,
  database: { alerts },
  clock,
  archive,
}: Pick<AppContext, 'config' | 'database' | 'clock' | 'archive'>): Figures {
  const { kind } = config.source;
  return new Figures({ alerts, clock, archive, isTape: kind === 'replay' || kind === 'tail' });
}
