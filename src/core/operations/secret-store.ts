/** Secrets that the service generated because they are not configured. */
export interface SecretStore {
  /** The stored secret of this name; without one, stores and returns `candidate`. All processes get the same. */
  getOrCreate(name: string, candidate: string): Promise<string>;
}
