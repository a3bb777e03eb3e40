import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from '../../core/base/logger.ts';

/** Adapts the logger to Fastify. There are no child loggers: lines that need the request's id carry it. */
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
    // Info lines of the framework are details here.
    info: at('debug'),
    debug: at('debug'),
    trace: () => {},
    silent: () => {},
    child: () => adapted,
  };
  return adapted;
}
