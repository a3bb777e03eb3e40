import type { Terminal } from '../terminal.ts';
import { deliveryWords } from './delivery-words.ts';
import { jsonOf } from './local-service.ts';
import type { ReceiverOptions } from './receiver.ts';

interface ReportOptions {
  readonly terminal: Pick<Terminal, 'line' | 'prose' | 'style'>;
  readonly isJson: boolean;
  readonly now?: () => number;
}

/** Prints what a receiver gets, and counts it. */
export function deliveryReport({ terminal, isJson, now = Date.now }: ReportOptions): ReportedDeliveries {
  const counts = { verified: 0, refused: 0 };
  const time = () => new Date(now()).toISOString();
  return {
    counts: () => counts,
    onDelivery({ id, body }) {
      counts.verified += 1;
      const payload = jsonOf(body);
      if (isJson)
        return terminal.line(
          JSON.stringify({ received_at: time(), verified: true, webhook_id: id, payload }),
        );
      const words = deliveryWords(payload) ?? 'a kind of delivery that this version does not know';
      terminal.prose(`${time().slice(11, 19)} ${terminal.style('green', '✓ verified')} ${words}`, HANG);
    },
    onRefused(reason) {
      counts.refused += 1;
      if (isJson) return terminal.line(JSON.stringify({ received_at: time(), verified: false, reason }));
      terminal.prose(`${time().slice(11, 19)} ${terminal.style('red', '✗ refused')}  ${reason}`, HANG);
    },
  };
}

interface ReportedDeliveries extends Pick<ReceiverOptions, 'onDelivery' | 'onRefused'> {
  counts(): { readonly verified: number; readonly refused: number };
}

/** Below the words, after the time and the mark. */
const HANG = 20;
