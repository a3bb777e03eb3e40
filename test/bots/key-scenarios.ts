import { DAY_MS } from '../../src/core/base/time/duration.ts';
import {
  aKeyNeverArrived,
  FIRST,
  GET_FREE,
  GET_PRO,
  JOIN,
  ON,
  type Scenario,
  TIERS,
  theKeyBecomes,
  theTapArrivedBefore,
  theTrialIsHad,
} from './scenario-steps.ts';

export const KEY_SCENARIOS: readonly Scenario[] = [
  {
    title: 'a Free key has no trial and no end',
    steps: [
      ...GET_FREE,
      { tap: 'Done, hide it' },
      { tap: 'My keys', sees: ['Free, 0 calls today'] },
      { command: 'upgrade', sees: ['You are on Free.', 'Pro is free for 30 days'] },
    ],
  },
  {
    title: 'who is not in the community is shown the way in, and gets the key when they have joined',
    steps: [
      { membership: 'not_member' },
      { command: 'key', sees: ['One step first: join the community.'], buttons: JOIN },
      { tap: 'I have joined', sees: ['I cannot see you in the community yet.'], buttons: JOIN },
      { membership: 'member' },
      { tap: 'I have joined', sees: ['Which key do you want?'], buttons: TIERS },
      { membership: 'not_member' },
      { tap: 'Free key', sees: ['One step first: join the community.'], buttons: JOIN },
      { membership: 'member' },
      { tap: 'I have joined', buttons: TIERS },
      { tap: 'Free key', sees: ['Your Free key'] },
    ],
  },
  {
    title: 'a user whose membership is unknown is not refused',
    steps: [{ membership: 'unknown' }, ...GET_PRO],
  },
  {
    title: 'a tap that has given a key already says so, and leads to a new key',
    steps: [
      { command: 'key' },
      { meanwhile: (fixture) => theTapArrivedBefore(fixture) },
      {
        tap: 'Pro key, 30 days free',
        sees: ['You have this key already: Key 1, Pro, 30 days left.', 'cannot be shown again'],
        buttons: ['Replace', 'My keys', 'Get another key'],
      },
      { tap: 'Replace', sees: ['Replace Key 1 with a new key?'] },
    ],
  },
  {
    title: 'three keys are the most, and a fourth is refused with the way on',
    steps: [
      ...GET_FREE,
      ...GET_FREE,
      ...GET_FREE,
      { command: 'key' },
      { tap: 'Free key', sees: ['You have 3 keys, which is the maximum.'], buttons: ON },
    ],
  },
  {
    title: 'the trial is had once: who had it is offered a Free key alone',
    steps: [
      ...GET_PRO,
      {
        command: 'key',
        sees: ['Pro runs until 2026-02-01 00:00 UTC on Key 1. Another key is a Free one.'],
        misses: ['already used'],
        buttons: ['Free key', 'Upgrade', 'Menu'],
      },
      { tap: 'Free key', sees: ['Your Free key'] },
      { command: 'start' },
      { tap: 'Get another key', sees: ['Pro runs until 2026-02-01 00:00 UTC on Key 1.'] },
      { meanwhile: ({ clock }) => clock.advance(30 * DAY_MS) },
      { command: 'key', sees: ['Pro: you have already used your 30 free days'], misses: ['runs until'] },
    ],
  },
  {
    title: 'who has a Pro key of the operator, or an Enterprise one, reads that instead of a used trial',
    steps: [
      ...GET_PRO,
      { meanwhile: (fixture) => theKeyBecomes(fixture, 'pro') },
      { command: 'key', sees: ['Pro runs without an end on Key 1.'], misses: ['already used'] },
      { meanwhile: (fixture) => theKeyBecomes(fixture, 'enterprise') },
      { command: 'key', sees: ['Enterprise runs without an end on Key 1.'], misses: ['already used'] },
    ],
  },
  {
    title: 'the trial is had once: who deleted their data and comes back is promised no other',
    steps: [
      ...GET_PRO,
      { command: 'delete' },
      { tap: 'Yes, delete everything' },
      {
        command: 'key',
        sees: ['Pro: you have already used your 30 free days'],
        buttons: ['Free key', 'Upgrade', 'Menu'],
      },
      { command: 'upgrade', sees: ['You have no key.'], misses: ['Pro is free for'] },
    ],
  },
  {
    title: 'the trial is had once: who had it meanwhile and taps Pro gets a Free key with the reason',
    steps: [
      { command: 'key', buttons: TIERS },
      { meanwhile: (fixture) => theTrialIsHad(fixture) },
      {
        tap: 'Pro key, 30 days free',
        sees: [
          'Your Free key',
          'Pro runs until 2026-02-01 00:00 UTC on Key 1. There is one trial per person',
        ],
      },
    ],
  },
  {
    title: 'a key whose message may not have arrived is replaced, and its trial continues',
    steps: [
      { command: 'start' },
      { meanwhile: (fixture) => aKeyNeverArrived(fixture) },
      ...GET_PRO,
      { command: 'keys', buttons: [FIRST, 'Get another key', 'Menu'] },
      { command: 'trial', sees: ['You are on Pro, 30 days left.'] },
    ],
  },
];
