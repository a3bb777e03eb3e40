import { Figures } from '../core/alerts/figures/figures.ts';
import type { AppContext } from './app-context.ts';

export function wireFigures({
  config,
  database: { alerts },
  clock,
}: Pick<AppContext, 'config' | 'database' | 'clock'>): Figures {
  const { kind } = config.source;
  return new Figures({ alerts, clock, isTape: kind === 'replay' || kind === 'tail' });
}
