import { expect, test } from 'vitest';
import { channelSiteUrl } from '../../src/wiring/platforms.ts';
import { siteUrlOf } from '../../src/wiring/public-url.ts';
import { configOf } from '../support/config.ts';

function urlsOf(env: Record<string, string>) {
  const config = configOf(env);
  return [siteUrlOf(config.server), channelSiteUrl(config)];
}

const PUBLIC_URL = 'https://tipoff.example.com/';
const URL = 'https://tipoff.example.com';

test.each([
  ['an https address', { PUBLIC_URL }, [URL, URL]],
  ['a channel that is later than the pages', { PUBLIC_URL, CHANNEL_DELAY_SECONDS: '600' }, [URL, URL]],
  ['a channel that is earlier than the pages', { PUBLIC_URL, CHANNEL_DELAY_SECONDS: '299' }, [URL, null]],
  ['no public address', {}, [null, null]],
  ['an address without TLS', { PUBLIC_URL: 'http://tipoff.example.com' }, [null, null]],
])(
  'with %s the bots’ private chats and the channels lead to the pages as they can be read',
  (_, env, urls) => {
    expect(urlsOf(env)).toEqual(urls);
  },
);
