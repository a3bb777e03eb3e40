import { skewVerdict } from '../../../../core/doctor/verdicts.ts';
import { found, type Probe, secondsText, skipped } from '../probe.ts';

/** This host's clock agrees with the market's. */
export const clockSkewProbe: Probe = {
  name: 'clock_skew',
  action: 'The clock of this host is wrong, and delays and times are measured by it. Synchronise it (NTP).',
  needs: [],
  async find({ clock }) {
    const skewMs = clock.skewMs();
    if (skewMs === null) return skipped('no answer had a Date');
    const side = skewMs > 0 ? 'behind' : 'ahead of';
    return found(skewVerdict(skewMs), `${secondsText(Math.abs(skewMs))} ${side} the market`);
  },
};
