import type { FastifyInstance } from 'fastify';
import { type Audience, DELAYED } from '../../core/alerts/free-delay.ts';

/**
 * Who the routes of a scope answer. `delayed`: everyone at the free delay. `caller`: in real time as far as the key of the
 * caller has it. `realtime`: only callers that have it. `operator`: no alerts.
 */
export type AudienceName = 'delayed' | 'caller' | 'realtime' | 'operator';

declare module 'fastify' {
  interface FastifyInstance {
    readonly audience: AudienceName;
  }
  interface FastifyRequest {
    /** Who reads the answer. Alerts are looked up for it, with `visibleUntil`. */
    readonly audience: Audience;
  }
}

/** Every scope with routes declares its audience: a route without one fails to register. */
export function declareAudience(scope: FastifyInstance, audience: AudienceName): void {
  const isCaller = audience === 'caller' || audience === 'realtime';
  scope.decorate('audience', audience);
  scope.decorateRequest('audience', {
    getter() {
      return isCaller ? (this.caller?.policy ?? DELAYED) : DELAYED;
    },
  });
}
