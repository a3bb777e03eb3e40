/** The alert stream with a callback instead of a loop, on the TypeScript client. */
import {
  type Alert,
  type ClientOptions,
  createTipoff,
  type FollowOptions,
} from '../clients/typescript/src/index.ts';

interface CallbackOptions
  extends Omit<FollowOptions, 'outcomes' | 'exits'>,
    Pick<ClientOptions, 'url' | 'apiKey' | 'wait'> {
  /** Called once for every alert, in the order of ids; the next call waits for its promise. An error ends the stream. */
  onAlert(alert: Alert): void | Promise<void>;
}

/** Follows the stream until `signal` is aborted; throws what `follow` throws. */
export async function followAlerts({
  onAlert,
  url,
  apiKey,
  wait,
  ...options
}: CallbackOptions): Promise<void> {
  const tipoff = createTipoff({
    url,
    ...(apiKey !== undefined && { apiKey }),
    ...(wait !== undefined && { wait }),
  });
  for await (const alert of tipoff.follow(options)) await onAlert(alert);
}
