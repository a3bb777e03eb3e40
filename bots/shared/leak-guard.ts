/** Looks for keys in what others can read. */
export interface LeakGuard {
  /**
   * True when the text holds a key: the message is to be deleted. The key's owner, if it is a real one, gets a warning
   * with a way to rotate it. `place` names where it was seen, for example `the Telegram channel`. Never throws.
   */
  inspect(text: string, place: string): Promise<boolean>;
}
