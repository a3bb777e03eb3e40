import type { EpochMs } from '../trade.ts';
import { type BotName, CHANNELS, type Channel, type Recipient } from './chat-message.ts';

/** Ids of messages: the same occasion and recipient give the same id, so that nothing is said twice. */

/** The post of an alert in a channel, or the edit of its thread's post. */
export function alertPostId(alertId: number, channel: Channel): string {
  return `alert:${alertId}@${channel}`;
}

/** Those of an alert in all channels. */
export function alertPostIds(alertId: number): readonly string[] {
  return CHANNELS.map((channel) => alertPostId(alertId, channel));
}

/** The outcome of an alert that was posted; `seq` is that of the market's outcome, which a correction raises. */
export function alertResultId(result: { alertId: number; seq: number; channel: Channel }): string {
  return `result:${result.alertId}:${result.seq}@${result.channel}`;
}

/** The post of an alert is drawn anew because of an operator's statement, by its number. */
export function redrawId(redraw: { alertId: number; occasion: number; channel: Channel }): string {
  return `redraw:${redraw.alertId}:${redraw.occasion}@${redraw.channel}`;
}

/** What was above the posts of the hour that began then. */
export function moreAlertsId(hourStart: EpochMs, channel: Channel): string {
  return `more:${hourStart}@${channel}`;
}

/** The digest of a day, `YYYY-MM-DD`. */
export function digestId(day: string, channel: Channel): string {
  return `digest:${day}@${channel}`;
}

/** The first outage of a bot's token that an operator is told of in the UTC hour that began then: that it began, or ended. */
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
