import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const FORWARDED = /^(x-forwarded-.+|forwarded|x-real-ip|via|cf-connecting-ip)$/;

/** Whether the request is from this machine. A reverse proxy connects from loopback too, but adds headers. */
export function isLocal({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}
