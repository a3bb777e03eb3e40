/** Buttons that a person presses who presses more than once, by what they give: the same on every platform. */
export const REPEATED_TAPS = {
  key: ['Pro key, 30 days free', 'Pro key, 30 days free', 'Free key', 'Pro key, 30 days free'],
  rotation: [
    'Old one works 24 h more',
    'Old one works 24 h more',
    'Old one ends now',
    'Old one works 24 h more',
  ],
} as const;
