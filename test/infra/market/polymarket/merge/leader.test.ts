import { expect, test } from 'vitest';
import {
  Leader,
  leaderOf,
  type SourceStates,
} from '../../../../../src/infra/market/polymarket/merge/leader.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';

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

test('a change of the leader is logged and counted once', () => {
  const logger = createRecordingLogger();
  const leaders: string[] = [];
  const leader = new Leader(logger, { feedLeader: (source) => leaders.push(source) });
  for (const isNodeAtHead of [true, true, false]) leader.update({ ...ALL, isNodeAtHead });
  expect(leaders).toEqual(['polling', 'node', 'stream']);
  expect(leader.current).toBe('stream');
  expect(logger.lines.map(({ fields }) => fields)).toEqual([
    { leader: 'node', before: 'polling' },
    { leader: 'stream', before: 'node' },
  ]);
});
