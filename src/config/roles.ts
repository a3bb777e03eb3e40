/** What a process may do. */
export const ROLES = ['ingest', 'api', 'deliver', 'bots', 'jobs'] as const;
export type Role = (typeof ROLES)[number];
