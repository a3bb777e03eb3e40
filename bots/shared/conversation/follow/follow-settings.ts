import { DAILY_LIMIT_WORDS } from '../../../../src/core/follow/day-of-person.ts';
import type { FollowerChange } from '../../../../src/core/follow/follow-service.ts';
import type { Follower } from '../../../../src/core/follow/follower.ts';
import {
  parseQuietHours,
  quietWords,
  timeIn,
  zonesNamed,
  zoneWords,
} from '../../../../src/core/follow/time-text.ts';
import { plainScreen, type Screen } from '../../screen.ts';
import { FOLLOWS_BUTTON, MENU_BUTTONS, MUTES_BUTTON, SETTINGS_BUTTON } from '../buttons.ts';
import { type ConversationDeps, chatCommand, type Feature, type StepContext } from '../feature.ts';
import { refusedScreen } from './add-screens.ts';
import { personOf } from './follow-reads.ts';

const OFFERED_ZONES = [
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Berlin',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Sydney',
];
const ZONE_ASK = { action: 'follow_zone_to', label: 'City or zone' };

/** When a person gets messages: quiet hours and time zone. */
export function followSettings({ follows, clock }: ConversationDeps): Feature {
  async function quiet(context: StepContext): Promise<Screen> {
    const text = context.argument.trim();
    if (text === '') return askQuiet(await follows.of(personOf(context)), null);
    if (/^(?:off|none|no)$/i.test(text)) return saved(await follows.setQuiet(personOf(context), null));
    const hours = parseQuietHours(text);
    if (hours === null)
      return askQuiet(await follows.of(personOf(context)), 'Send two different hours, such as 23-7.');
    const result = await follows.setQuiet(personOf(context), hours);
    if (!result.ok || result.follower.zone !== null) return saved(result);
    return zoneScreen(`Quiet from ${quietWords(hours)}. In which time zone?`);
  }

  function saved(result: FollowerChange): Screen {
    return result.ok ? settingsScreen(result.follower, clock.now()) : refusedScreen(result);
  }

  return {
    commands: [
      {
        name: 'quiet',
        description: 'Hours when I stay silent: 23-7, or off',
        argument: { name: 'hours', description: '23-7, or off' },
      },
      chatCommand('settings', 'Your quiet hours and time zone'),
    ],
    steps: {
      quiet,
      async settings(context) {
        return settingsScreen(await follows.of(personOf(context)), clock.now());
      },
      follow_zone: () => zoneScreen('Where are you?'),
      async follow_zone_to(context) {
        const zones = zonesNamed(context.argument);
        const [zone, ...others] = zones;
        if (zone === undefined) return zoneScreen('I do not know that place.');
        if (others.length > 0) return zoneScreen('Which one?', zones);
        return saved(await follows.setZone(personOf(context), zone));
      },
    },
  };
}

function settingsScreen({ zone, quiet, mutes }: Follower, now: number): Screen {
  const muted = mutes.filter(({ until }) => until > now).length;
  const lines = [
    zone === null
      ? 'Time zone: UTC, until you set yours.'
      : `Time zone: ${zoneWords(zone)}, where it is ${timeIn(zone, now).slice(11, 16)}.`,
    `${DAILY_LIMIT_WORDS}. The rest come as one list at 19:00.`,
    quiet === null
      ? 'Quiet hours: none.'
      : `Quiet from ${quietWords(quiet)}; alerts from that time come in one list afterwards.`,
    `Muted: ${muted === 0 ? 'nothing' : muted}.`,
  ];
  return plainScreen(
    'follow_settings',
    [[{ bold: 'Settings' }], lines.join('\n')],
    [
      [
        { label: 'Quiet hours', action: 'quiet' },
        { label: 'Time zone', action: 'follow_zone' },
        MUTES_BUTTON,
      ],
      [FOLLOWS_BUTTON, MENU_BUTTONS],
    ],
  );
}

function askQuiet({ quiet }: Follower, why: string | null): Screen {
  const now = quiet === null ? 'You have no quiet hours.' : `Quiet from ${quietWords(quiet)}.`;
  const off = quiet === null ? [] : [{ label: 'Off', action: 'quiet:off' }];
  return plainScreen(
    'ask_quiet',
    [
      why ?? now,
      [
        'Send me two whole hours, for example ',
        { code: '23-7' },
        '. Alerts from that time come in one list afterwards.',
      ],
    ],
    [
      [{ label: '22-8', action: 'quiet:22-8' }, { label: '23-7', action: 'quiet:23-7' }, ...off],
      [SETTINGS_BUTTON, MENU_BUTTONS],
    ],
    { action: 'quiet', label: 'Quiet hours' },
  );
}

/** The evening's list and quiet hours follow the person's clock. */
function zoneScreen(why: string, zones: readonly string[] = OFFERED_ZONES): Screen {
  const buttons = [...zones, 'UTC'].map((zone) => ({
    label: zoneWords(zone),
    action: `follow_zone_to:${zone}`,
  }));
  return plainScreen(
    'ask_zone',
    [
      [{ bold: why }],
      'Tap your time zone, or send me a large city in it or its offset, such as UTC+2. Only the zone is stored.',
    ],
    [buttons.slice(0, 4), buttons.slice(4, 8), buttons.slice(8), [SETTINGS_BUTTON]],
    ZONE_ASK,
  );
}
