/** Secrets that the service generated because they are not configured, and what it must remember about configured ones. */
export interface SecretStore {
  /** The stored secret of this name; without one, stores and returns `candidate`. All processes get the same. */
  getOrCreate(name: string, candidate: string): Promise<string>;
  /** Null if there is none. */
  get(name: string): Promise<string | null>;
  /** Stores `next` where `current` is stored (null: nothing). False where it is not: another process was faster. */
  replace(name: string, current: string | null, next: string): Promise<boolean>;
}
