import { expect, test } from 'vitest';
import { leaderOf, type SourceStates } from '../../../../../src/infra/market/polymarket/merge/leader.ts';

const ALL: SourceStates = {
  isNodeAtHead: true,
  isNodeComplete: true,
  isStreamAlive: true,
  streamCompleteness: 0.997,
  isPollingFresh: true,
  isPollingBehind: false,
};

test.each([
  ['the node at the head of the chain', {}, 'node'],
  ['the stream, while the node at the head leaves trades out', { isNodeComplete: false }, 'stream'],
  ['the stream without a node, while polling confirms it', { isNodeAtHead: false }, 'stream'],
  [
    'polling, while the stream shows too little of what is listed',
    { isNodeAtHead: false, streamCompleteness: 0.5 },
    'polling',
  ],
  [
    'the stream, however complete it was, while polling fails',
    { isNodeAtHead: false, streamCompleteness: 0, isPollingFresh: false },
    'stream',
  ],
  ['polling alone', { isNodeAtHead: false, isStreamAlive: false }, 'polling'],
  ['polling, while it reads back what comes before all', { isPollingBehind: true }, 'polling'],
] as const)('%s leads', (_title, given, leader) => {
  expect(leaderOf({ ...ALL, ...given })).toBe(leader);
});
