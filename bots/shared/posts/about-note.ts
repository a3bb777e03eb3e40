/** Leads readers of a channel to what an alert means: the bot's `/about`, in short what docs/reading-alerts.md says. */
export const ABOUT_NOTE = 'No proof and no advice: /about in the bot says what an alert means.';
