import { describe } from 'vitest';
import { PLATFORM_LABELS } from '../../../src/core/accounts/customers/customer.ts';
import type { Channel } from '../../../src/core/chat/chat-message.ts';
import { openDiscordRig } from './discord-driver.ts';
import type { OpenRig } from './driver.ts';
import { openTelegramRig } from './telegram-driver.ts';

const RIGS: Readonly<Record<Channel, OpenRig>> = { telegram: openTelegramRig, discord: openDiscordRig };

/** Runs a suite on each bot: one contract, and what it says holds on every platform. */
export function onEachBot(title: string, suite: (open: OpenRig, platform: Channel) => void): void {
  for (const [platform, open] of Object.entries(RIGS) as [Channel, OpenRig][])
    describe(`${title} on ${PLATFORM_LABELS[platform]}`, () => suite(open, platform));
}
