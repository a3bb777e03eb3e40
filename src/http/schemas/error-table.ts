interface ErrorEntry {
  readonly status: number;
  readonly detail?: string;
  readonly meaning: string;
  readonly remedy: string;
}

const WAIT = 'Wait the number of seconds in `Retry-After`, then send the request again.';
const CHECK_ID = 'Check the id. A key cannot see what belongs to another key.';

/** Clients depend on the codes: none is removed, and each keeps its status and its meaning. */
export const ERRORS = {
  bad_request: {
    status: 400,
    detail: 'Bad request.',
    meaning:
      'The request is not valid HTTP, its address cannot be decoded, or it does not have exactly one host.',
    remedy: 'Correct the request; an HTTP client library does not send such requests.',
  },
  invalid_handshake: {
    status: 400,
    meaning: 'The stream handshake has no valid `Sec-WebSocket-Key`.',
    remedy: 'Connect with a WebSocket client. A proxy must pass the headers of the handshake.',
  },
  key_missing: {
    status: 401,
    meaning: 'The request has no API key, or the key is not where it belongs.',
    remedy: 'Send `Authorization: Bearer <API_KEY>`; on the stream the query parameter `api_key`.',
  },
  key_invalid: {
    status: 401,
    detail: 'Invalid API key.',
    meaning: 'The key is unknown, revoked, or was replaced by a rotation.',
    remedy:
      'Check for missing characters, or get another key. Do not repeat the request: failures are limited.',
  },
  operator_only: {
    status: 401,
    meaning: 'The route is for the operator of the service.',
    remedy: 'Call it from the machine that runs the service, or send `METRICS_TOKEN` as a bearer token.',
  },
  tier_required: {
    status: 403,
    meaning: 'The tier of the key does not include this feature.',
    remedy:
      '`GET /me` shows what the key may do. Use a key of the tier that `detail` names; `/upgrade` in the bot says how to get one.',
  },
  foreign_origin: {
    status: 403,
    detail: 'Requests from pages of other sites are not accepted.',
    meaning:
      '`Origin` or `Host` of a request to `/mcp` names neither the service nor the machine of the caller, as when a page of another site sent it.',
    remedy:
      'Connect from a program, not from a page. Behind a proxy, set `PUBLIC_URL` to the public address.',
  },
  alert_not_found: {
    status: 404,
    meaning: 'There is no alert with this id, or it is younger than {free_delay} and the key is free.',
    remedy: 'Check the id. With a free key, ask again when the alert is {free_delay} old.',
  },
  wallet_not_found: {
    status: 404,
    meaning: 'No alert names this wallet, or none old enough for the key.',
    remedy: 'Check the address. With a free key, ask again when the alert is {free_delay} old.',
  },
  market_not_found: {
    status: 404,
    meaning: 'The market has no alerts, or none old enough for the key.',
    remedy:
      'Send the `market_id` of an alert. With a free key, ask again when the alert is {free_delay} old.',
  },
  outcome_not_found: {
    status: 404,
    meaning:
      'There is no outcome with this number yet, or it is younger than {free_delay} and the key is free.',
    remedy: 'Read `GET /outcomes`: `last` is the newest number that the key may see.',
  },
  exit_not_found: {
    status: 404,
    meaning: 'There is no exit with this number yet, or it is younger than {free_delay} and the key is free.',
    remedy: 'Read `GET /exits`: `last` is the newest number that the key may see.',
  },
  preset_not_found: {
    status: 404,
    meaning: 'The key has no preset with this id.',
    remedy: CHECK_ID,
  },
  webhook_not_found: {
    status: 404,
    meaning: 'The key has no webhook with this id.',
    remedy: CHECK_ID,
  },
  delivery_not_found: {
    status: 404,
    meaning: 'The webhook has no delivery with this id, or the delivery is older than 7 days.',
    remedy: '`GET /webhooks/{webhook_id}/deliveries` lists the deliveries.',
  },
  path_not_found: {
    status: 404,
    meaning: 'The service has no such path.',
    remedy: 'Compare the path with `/docs`. Paths of the API begin with `/api/v1`.',
  },
  method_not_allowed: {
    status: 405,
    detail: 'Method not allowed.',
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the header `Allow`.',
  },
  request_timeout: {
    status: 408,
    detail: 'The request took too long to arrive.',
    meaning: 'The headers were not complete within 10 seconds, or the body within 30.',
    remedy: 'Send the request again, without pauses.',
  },
  preset_limit_reached: {
    status: 409,
    meaning: 'The key has the maximum number of presets.',
    remedy: 'Delete a preset that is not needed, or change one with `PUT`.',
  },
  webhook_limit_reached: {
    status: 409,
    meaning: 'The key has the maximum number of webhooks.',
    remedy: 'Delete a webhook that you no longer need.',
  },
  webhook_url_taken: {
    status: 409,
    meaning: 'The key already has a webhook with this URL.',
    remedy:
      'Change the webhook that `detail` names, or delete it. If its secret is lost, for example with the answer to an earlier request, `POST /webhooks/{webhook_id}/rotate-secret` gives it a new one.',
  },
  delivery_not_repeatable: {
    status: 409,
    meaning:
      'The delivery cannot be repeated: it is a test, has not ended, was repeated 5 times, or its webhook is paused.',
    remedy:
      '`detail` gives the reason. `GET /alerts/{id}`, `GET /outcomes` and `GET /exits` return what a delivery carried.',
  },
  body_too_large: {
    status: 413,
    detail: 'The request body is too large.',
    meaning: 'The body is larger than 64 KB.',
    remedy: 'Send a smaller body.',
  },
  address_too_long: {
    status: 414,
    detail: 'The address is too long.',
    meaning: 'A part of the path is longer than any id can be.',
    remedy: 'Check how the client builds the path.',
  },
  unsupported_media_type: {
    status: 415,
    detail: 'Unsupported media type. Send application/json in UTF-8, without compression.',
    meaning: 'The body is not JSON in UTF-8 according to its `Content-Type`, or it is compressed.',
    remedy: 'Send uncompressed JSON in UTF-8 with `Content-Type: application/json`.',
  },
  expectation_failed: {
    status: 417,
    detail: 'Expectations are not supported.',
    meaning: 'The request has an `Expect` header other than `100-continue`.',
    remedy: 'Omit the header.',
  },
  invalid_request: {
    status: 422,
    meaning: 'The query, the path or the body has invalid values. `detail` lists each with its location.',
    remedy: 'Correct the values that `detail` names; `/docs` has the allowed ones.',
  },
  upgrade_required: {
    status: 426,
    meaning: 'The stream was requested without an upgrade, or with another protocol version.',
    remedy: 'Connect with a WebSocket client. A proxy must pass `Upgrade` and `Connection`.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The key, or the address of a caller without a key, has sent too many requests in this minute.',
    remedy: `${WAIT} \`RateLimit-Remaining\` shows what is left, \`/upgrade\` in the bot what a higher tier allows.`,
  },
  too_many_failures: {
    status: 429,
    detail: 'Too many failed attempts from this address. Try again later.',
    meaning: 'Too many requests with missing or wrong keys came from this address.',
    remedy: 'Stop the client that sends them. Valid keys keep working.',
  },
  key_check_busy: {
    status: 429,
    detail: 'Too many keys like this one are being checked. Try again shortly.',
    meaning:
      'Many keys with the same beginning, or from the same address, are being checked, so this one was not.',
    remedy: WAIT,
  },
  archive_busy: {
    status: 429,
    meaning: 'The key or address has the maximum number of archive requests in progress.',
    remedy: 'Wait for an answer before sending the next request.',
  },
  too_many_sockets: {
    status: 429,
    meaning: 'The key has the maximum number of open sockets.',
    remedy: 'Close a socket, or let several consumers share one.',
  },
  too_many_tests: {
    status: 429,
    meaning: 'The key has reached its limit of tests per minute, or of tests in progress.',
    remedy: WAIT,
  },
  too_many_redeliveries: {
    status: 429,
    meaning: 'The key has reached its limit of repeated deliveries per minute.',
    remedy: WAIT,
  },
  headers_too_large: {
    status: 431,
    detail: 'The request headers are too large.',
    meaning: 'The headers are larger than 16 KB.',
    remedy: 'Send fewer or shorter headers, for example without cookies.',
  },
  internal_error: {
    status: 500,
    detail: 'Internal server error.',
    meaning: 'The service failed. The fault is in its log, with the id of the request.',
    remedy: 'Try again later; if it persists, report it with the value of `X-Request-Id`.',
  },
  unavailable: {
    status: 503,
    detail: 'The service is temporarily unavailable. Try again shortly.',
    meaning: 'The database does not answer, or the service has too many connections or requests.',
    remedy: WAIT,
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
