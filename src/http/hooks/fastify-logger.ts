import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from '../../core/logger.ts';

/** Our logger as Fastify wants it. No child per request: lines that need the request's id carry it themselves. */
export function toFastifyLogger(logger: Logger): FastifyBaseLogger {
  const at = (level: keyof Logger) => (first: unknown, message?: string) => {
    if (typeof first === 'string') logger[level]({}, first);
    else logger[level](first as object, message ?? 'http server');
  };
  const adapted: FastifyBaseLogger = {
    level: 'debug',
    fatal: at('error'),
    error: at('error'),
    warn: at('warn'),
    // What the framework finds worth an info line is a detail here.
    info: at('debug'),
    debug: at('debug'),
    trace: () => {},
    silent: () => {},
    child: () => adapted,
  };
  return adapted;
}
