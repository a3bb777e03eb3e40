import type { EpochMs } from '../trade.ts';
import { type BotName, CHANNELS, type Channel, type Recipient } from './chat-message.ts';

/** Ids of messages. The same occasion and recipient give the same id, so that no message is sent twice. */

/** The post of an alert in a channel, or the edit of its thread's post. */
export function alertPostId(alertId: number, channel: Channel): string {
  return `alert:${alertId}@${channel}`;
}

/** The posts of an alert in all channels. */
export function alertPostIds(alertId: number): readonly string[] {
  return CHANNELS.map((channel) => alertPostId(alertId, channel));
}

/** The outcome of a posted alert; `seq` is that of the market's outcome and grows with a correction. */
export function alertResultId(result: { alertId: number; seq: number; channel: Channel }): string {
  return `result:${result.alertId}:${result.seq}@${result.channel}`;
}

/** Edit of an alert's post because of an operator's statement; `occasion` is its number. */
export function redrawId(redraw: { alertId: number; occasion: number; channel: Channel }): string {
  return `redraw:${redraw.alertId}:${redraw.occasion}@${redraw.channel}`;
}

/** The list of an hour, which begins at `hourStart`. */
export function moreAlertsId(hourStart: EpochMs, channel: Channel): string {
  return `more:${hourStart}@${channel}`;
}

/** The digest of a day, `YYYY-MM-DD`. */
export function digestId(day: string, channel: Channel): string {
  return `digest:${day}@${channel}`;
}

/** Begin or end of a bot's token outage, for one operator: the first one in the UTC hour that begins at `hourStart`. */
export function tokenMessageId(
  kind: 'token_refused' | 'token_accepted',
  { bot, hourStart }: { readonly bot: BotName; readonly hourStart: EpochMs },
  operator: Recipient,
): string {
  return `${kind}:${bot}:${hourStart}@${operator}`;
}

/** A broadcast to one customer. */
export function broadcastId(broadcast: string, customerId: string): string {
  return `broadcast:${broadcast}:${customerId}`;
}
