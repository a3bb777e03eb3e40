import { setFlagsFromString } from 'node:v8';

/**
 * V8 may decide, from what survived while the service started, to allocate objects of later requests in the old generation.
 * All that they refer to then stays in memory until a full collection: some starts took twice the processor time a request.
 */
setFlagsFromString('--no-allocation-site-pretenuring');
