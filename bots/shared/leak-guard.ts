/** Finds keys in public messages. */
export interface LeakGuard {
  /**
   * True when the text contains a key: the caller deletes the message. The owner of a valid key gets a warning with a button
   * to rotate it. `place` says where it was found, for example `the Telegram channel`. Never throws.
   */
  inspect(text: string, place: string): Promise<boolean>;
}
