/** Secrets that the service made for itself because nobody set them. */
export interface SecretStore {
  /** The secret kept under this name; when there is none, `candidate`, kept from then on. All processes get the same. */
  getOrCreate(name: string, candidate: string): Promise<string>;
}
