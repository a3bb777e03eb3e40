// Written by `npm run clients`. Do not edit.
export interface paths {
    "/feed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest alerts as JSON Feed
         * @description Public: no key is needed. The newest 50 alerts in words, 5 minutes late, with those filters of `GET /alerts` whose result does not change after publication. Outcomes and exits are separate items, searched for among the newest 500 of each. An item keeps its id; an alert changes only when its position is sold on the market.
         */
        get: operations["getJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest alerts as an Atom feed
         * @description Public: no key is needed. The newest 50 alerts in words, 5 minutes late, with those filters of `GET /alerts` whose result does not change after publication. Outcomes and exits are separate items, searched for among the newest 500 of each. An item keeps its id; an alert changes only when its position is sold on the market.
         */
        get: operations["getAtomFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/record.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the alerts were worth, without a key
         * @description Public: no key is needed. Made every hour, and every 10 seconds while a tape is replayed, of the alerts and results that free keys see. Before the first alert it says so.
         */
        get: operations["getPublicRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hot-markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Markets by alerts, signal and size
         * @description Public: no key is needed. Each list is sorted descending by its own metric. With a tape, the period ends at the newest alert if none followed for a day. Without a key, and for a free key, they are 5 minutes old; a pro or enterprise key gets current ones. A wrong key is not an error: it is treated like no key.
         */
        get: operations["getHotMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gaps of the live feed
         * @description Public: no key is needed. Every period of more than 25 seconds in which the market could not be observed, and whether its trades were read afterwards.
         */
        get: operations["getCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log
         * @description Public: no key is needed. Every alert, exit, settlement, correction, withdrawal, gap and change of the rules, in the order of publication. Keep the last `seq` and ask for what is after it: none is missed and none is repeated. Each event contains the hash of the one before it; keep a `head`: a later log without it was changed. Without a key, and for a free key, events and head are 5 minutes late. A wrong key is ignored.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description
         * @description The OpenAPI document of this API. Public.
         */
        get: operations["getApiDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Description of the stream
         * @description The AsyncAPI document of the WebSocket stream. Public.
         */
        get: operations["getStreamDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest alerts
         * @description Newest first. Free keys see alerts 5 minutes late. For older ones, follow `Link`, which leads to `GET /alerts`.
         */
        get: operations["getLatestAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the archive
         * @description Search and paginate the archive, newest first. Page numbers shift while alerts are published: `before_id` reads backwards and `since_id` forwards without a repeat or a gap. Both take all filters. `expand=details` returns the full alerts.
         */
        get: operations["searchAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Try a filter on the last 30 days
         * @description What a filter, a preset, or the categories and minimum signal of a webhook would have matched: how many alerts per day, and their outcomes. `since` and `until` narrow the window.
         */
        get: operations["previewFilter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One alert
         * @description The full alert; `details.exits` says what became of its position. For a free key, an alert younger than 5 minutes is a 404.
         */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One wallet
         * @description What the published alerts say about a wallet: its alerts, what became of them, and the clusters it was part of. A free key sees alerts and results 5 minutes late.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/markets/{market_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One market
         * @description What the published alerts say about a market: alerts by outcome and by thread, the price at each, the wallets, its end and its outcome. A free key sees alerts and outcomes 5 minutes late.
         */
        get: operations["getMarket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of all alerts
         * @description Needs a key of any tier and does not count against the rate limit. For a free key they exclude alerts younger than 5 minutes: its counters of today are 0 for the first 5 minutes after UTC midnight, and never include alerts of the last 5 minutes of a day.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The outcomes of markets
         * @description What markets paid, with the result of each of their alerts: outcomes and corrections, numbered 1, 2, 3 … without a gap, oldest first. Keep the last `number` and ask for those after it: none is missed and none is repeated. The numbers never change. Free keys get them 5 minutes late.
         */
        get: operations["listOutcomes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/outcomes/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One outcome
         * @description One outcome by its number. While `more_alerts` is true, ask again with `after`, the last `id` of its `alerts`, or follow `Link`.
         */
        get: operations["getOutcome"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was sold before the end
         * @description Positions of alerts that were sold before the market was settled, numbered 1, 2, 3 … without a gap, oldest first. Keep the last `number` and ask for those after it: none is missed and none is repeated. An exit never changes. Free keys get them 5 minutes late.
         */
        get: operations["listExits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exits/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One exit
         * @description One exit by its number.
         */
        get: operations["getExit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the alerts were worth
         * @description The same as `/record.json` at the root of the host, for callers with a key. Made every hour, and every 10 seconds while a tape is replayed, of the alerts and results that free keys see. Before the first alert it says so.
         */
        get: operations["getRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The calling key
         * @description Tier, limits, end of the trial and calls of today of the calling key.
         */
        get: operations["getKeyInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The presets of the calling key
         * @description All presets of the key, oldest first.
         */
        get: operations["listPresets"];
        put?: never;
        /**
         * Save filters as a preset
         * @description `GET /alerts?preset=<id>` applies it. A key has at most 100.
         */
        post: operations["createPreset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/presets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One preset
         * @description A preset of another key is a 404.
         */
        get: operations["getPreset"];
        /**
         * Replace a preset
         * @description Replaces its name and all its filters. `created_at` is kept unless given.
         */
        put: operations["replacePreset"];
        post?: never;
        /**
         * Delete a preset
         * @description From then on, a query with its id is a 404.
         */
        delete: operations["deletePreset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/presets/{id}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or renew the feed of a preset
         * @description Gives the preset a `feed_token`: anyone who has it can read the feed of what the preset matches, 5 minutes late, without a key. The token is shown this once; a second call replaces it, and the old one stops working at once.
         */
        post: operations["renewPresetFeed"];
        /**
         * End the feed of a preset
         * @description From then on, its token is answered with 404. The preset is kept.
         */
        delete: operations["endPresetFeed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The webhooks of the calling key
         * @description Enterprise. All webhooks of the key, oldest first, without secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description Enterprise. Try the categories, the minimum signal and the filters with `GET /alerts/preview` first, and test the receiver with `POST /webhooks/{webhook_id}/test` afterwards. A key has at most 20, each with a URL of its own.
         */
        post: operations["registerWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook
         * @description Enterprise. A webhook of another key is a 404.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Enterprise. Deliveries to it stop. To pause them instead, use `PATCH` with `{"paused": true}`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change or pause a webhook
         * @description Enterprise. Omitted fields are kept; null clears `categories`, `min_signal`, `filters` or `events`. The `url` and the `format` cannot be changed: delete the webhook and register another. Changes apply to alerts and outcomes published from now on; deliveries that would be sent during a pause are cancelled.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The deliveries of a webhook
         * @description Enterprise. The deliveries of at least the last 7 days, newest first, including tests. For the next page, set `before_id` to the last `id` of this one, or follow `Link`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description Enterprise. The new secret is shown only once. For 24 hours deliveries are signed with the new and the previous secret, so the receiver can switch at any time. Another rotation within that time ends the older of the two immediately.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test to a webhook
         * @description Enterprise. Sends an invented alert now, marked with `"test": true` and the `id` 0, signed like any other (with another `format`, a message that says it is a test). The answer is 200 with the result, whatever the receiver answered; this takes up to 5 seconds. A paused webhook can be tested. Tests are listed with the deliveries but not counted. A key may send 10 tests per minute, 2 at the same time; more are a 429.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Repeat a delivery
         * @description Enterprise. Sends a delivery that has ended again, whatever its result: the same body under the same `webhook-id`, signed again. The answer is the new entry of the delivery log, `requested` until it is sent, within seconds. At most 5 times for each listed delivery, one after the other; a key may request 60 per minute. Nothing is repeated without a request.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    alert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An alert for a webhook
         * @description Sent once to the `url` of every webhook whose `categories`, `min_signal` and `filters` the alert passes, and again only when its owner asks for it, whatever the answer is. When a kept connection ends before any byte of an answer, the request is sent once more on a new one, with the same `webhook-id`. Redirects are not followed.
         */
        post: operations["receiveAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    outcome: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An outcome for a webhook
         * @description Sent to webhooks whose `events` contain `outcome`, if at least one earlier alert of the market passes their conditions. Its `type` distinguishes it from an alert. Sent once, like an alert.
         */
        post: operations["receiveOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    exit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An exit for a webhook
         * @description Sent to webhooks whose `events` contain `exit`, if the newest alert of its thread passes their conditions. Its `type` distinguishes it from an alert. Sent once, like an alert.
         */
        post: operations["receiveExit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description One suspicious trade.
         * @example {
         *       "id": 4821,
         *       "alert_type": "fresh",
         *       "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *       "event_title": "Will the measure pass before July?",
         *       "event_slug": "will-the-measure-pass-before-july",
         *       "side": "BUY",
         *       "outcome": "Yes",
         *       "entry_price": 0.34,
         *       "usdc_value": 18400,
         *       "signal_score": 78,
         *       "category": "politics",
         *       "trade_count": 1,
         *       "created_at": "2026-03-14 09:26:53",
         *       "resolved": false,
         *       "won": null,
         *       "profit_usdc": null,
         *       "details": {
         *         "wallet_age_days": 1,
         *         "is_accumulating": false,
         *         "market_buy_count": 1,
         *         "market_total_bought": 18400,
         *         "market_avg_price": 0.34,
         *         "position_shares": 54117.647059,
         *         "position_known": true,
         *         "to_win_usdc": 35717.65,
         *         "role": "taker",
         *         "position_profit_usdc": null,
         *         "bet": {
         *           "put_in_usdc": 18400,
         *           "mean_price": 0.34,
         *           "to_win_usdc": 35717.65,
         *           "held_share": 1,
         *           "result_usdc": null
         *         },
         *         "reasons": [
         *           {
         *             "factor": "wallet_age",
         *             "points": 15,
         *             "max": 15,
         *             "note": "wallet 1 day old"
         *           },
         *           {
         *             "factor": "markets",
         *             "points": 10,
         *             "max": 10,
         *             "note": "first market"
         *           },
         *           {
         *             "factor": "to_win",
         *             "points": 38,
         *             "max": 55,
         *             "note": "$35,718 to win with one order"
         *           },
         *           {
         *             "factor": "timing",
         *             "points": 15,
         *             "max": 15,
         *             "note": "14 h before close"
         *           }
         *         ],
         *         "market_url": "https://polymarket.com/event/when-will-the-measure-pass/will-the-measure-pass-before-july",
         *         "rule_version": "4",
         *         "thread_id": 4821,
         *         "supersedes": null,
         *         "traded_at": "2026-03-14T09:26:51.000Z",
         *         "detected_at": "2026-03-14T09:26:52.480Z",
         *         "published_at": "2026-03-14T09:26:53.120Z"
         *       },
         *       "log": {
         *         "seq": 5117,
         *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *       }
         *     }
         */
        Alert: {
            /**
             * Format: int64
             * @description Unique alert identifier.
             */
            id: number;
            /** @description Why the trade was suspicious. */
            alert_type: components["schemas"]["AlertType"];
            /** @description Address of the trading wallet. */
            wallet_address: string;
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description Direction of the trade. */
            side: components["schemas"]["Side"];
            /** @description Outcome traded. */
            outcome: string;
            /**
             * Format: double
             * @description Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second.
             */
            entry_price: number;
            /**
             * Format: double
             * @description Size of the whole order in USDC.
             */
            usdc_value: number;
            /** @description Signal score, 0 to 100. */
            signal_score: number;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`. */
            trade_count: number;
            /** @description When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /** @description Whether the market has resolved. */
            resolved: boolean;
            /** @description Whether the outcome bought came true; null while unresolved. */
            won: boolean | null;
            /**
             * Format: double
             * @description Profit of the order if held to the end, in USDC before fees; null while unresolved.
             */
            profit_usdc: number | null;
            details: components["schemas"]["AlertDetails"];
            /** @description The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert. */
            log: components["schemas"]["LogHead"] | null;
        };
        /** @description Context of the trade. */
        AlertDetails: {
            /** @description Age of the wallet at the order, in whole days. For a cluster, this and the position figures below are those of its last wallet. */
            wallet_age_days: number;
            /** @description Whether the wallet keeps buying this outcome: at least 3 buys and 2,500 USDC, neither sold nor hedged. */
            is_accumulating: boolean;
            /** @description Buys (orders) of the wallet in this outcome so far, this one included; those at or below 1¢ and at or above 95¢ do not count. */
            market_buy_count: number;
            /**
             * Format: double
             * @description Cost of these buys, in USDC.
             */
            market_total_bought: number;
            /**
             * Format: double
             * @description Average price of these buys, weighted by shares, in USDC per share.
             */
            market_avg_price: number;
            /**
             * Format: double
             * @description Shares of these buys.
             */
            position_shares: number;
            /** @description Whether all trades of the position are known, so that its exits will be. False where the wallet, or a member of the cluster, may have traded before the source began. */
            position_known: boolean;
            /**
             * Format: double
             * @description What is won if the alert is right, in USDC before fees: the order of `fresh`, the position of `fresh_accumulator`, the sum of a cluster. USDC × (1 / price − 1), the larger part of the score.
             */
            to_win_usdc: number;
            /** @description The role of the wallet in the order: `taker` crossed the spread, `maker` had a resting order; null if unknown, or if the fills differ. Gives no points. */
            role: ("taker" | "maker") | null;
            /** @description Members of the cluster; only on a cluster. */
            wallets?: string[];
            /**
             * Format: double
             * @description Sum of their buys, in USDC; only on a cluster.
             */
            cluster_total?: number;
            /**
             * Format: double
             * @description Shares of their buys, to 6 decimals; only on a cluster.
             */
            cluster_shares?: number;
            /**
             * Format: double
             * @description Average price of their buys, weighted by shares, in USDC per share; only on a cluster.
             */
            cluster_avg_price?: number;
            /**
             * Format: double
             * @description Profit of the whole position (for a cluster, of all its buys) if held to the end, in USDC before fees; null while unresolved, and for a SELL.
             */
            position_profit_usdc: number | null;
            /** @description The parts of the score. Their points add up to the score, which is at most 100. */
            reasons: components["schemas"]["ScoreReason"][];
            bet: components["schemas"]["Bet"];
            exits?: components["schemas"]["AlertExits"];
            /** @description The market on Polymarket. While the event of the market is unknown, a search for its question. */
            market_url: string;
            /** @description Version of the detection rules. */
            rule_version: string;
            /**
             * Format: int64
             * @description First alert of the thread: of one wallet on one outcome of a market, or of the clusters on it. The `id` of this alert when it is the first.
             */
            thread_id: number;
            /**
             * Format: int64
             * @description The alert before it in its thread; null when it is the first.
             */
            supersedes: number | null;
            /**
             * Format: date-time
             * @description Time of the order, to the second, UTC.
             */
            traded_at: string;
            /**
             * Format: date-time
             * @description When it was detected, UTC.
             */
            detected_at: string;
            /**
             * Format: date-time
             * @description When the alert was published, UTC.
             */
            published_at: string;
        };
        /** @description What became of the position of an alert's thread before the end; only in `GET /alerts/{id}`. */
        AlertExits: {
            /** @description `none`: it was not sold on the market. `half`, `out`: the lowest level of its exits. `unknown`: no exit is known, and there may be one, because trades were missed or happened before the source began. */
            state: components["schemas"]["ExitState"];
            /** @description All exits of the thread, ascending: at most one per level. */
            exits: components["schemas"]["Exit"][];
        };
        /** @description An alert in lists: the short form. The optional fields are present with `expand=details` only. */
        AlertItem: {
            /**
             * Format: int64
             * @description Unique alert identifier.
             */
            id: number;
            /** @description Why the trade was suspicious. */
            alert_type: components["schemas"]["AlertType"];
            /** @description Address of the trading wallet. */
            wallet_address: string;
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug?: string;
            /** @description Direction of the trade. */
            side: components["schemas"]["Side"];
            /** @description Outcome traded. */
            outcome: string;
            /**
             * Format: double
             * @description Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second.
             */
            entry_price: number;
            /**
             * Format: double
             * @description Size of the whole order in USDC.
             */
            usdc_value: number;
            /** @description Signal score, 0 to 100. */
            signal_score: number;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`. */
            trade_count?: number;
            /** @description When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /** @description Whether the market has resolved. */
            resolved?: boolean;
            /** @description Whether the outcome bought came true; null while unresolved. */
            won?: boolean | null;
            /**
             * Format: double
             * @description Profit of the order if held to the end, in USDC before fees; null while unresolved.
             */
            profit_usdc?: number | null;
            details?: components["schemas"]["AlertDetails"];
            /** @description The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert. */
            log?: components["schemas"]["LogHead"] | null;
        };
        /**
         * @description One page of the archive.
         * @example {
         *       "alerts": [
         *         {
         *           "id": 4821,
         *           "alert_type": "fresh",
         *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "side": "BUY",
         *           "outcome": "Yes",
         *           "entry_price": 0.34,
         *           "usdc_value": 18400,
         *           "signal_score": 78,
         *           "category": "politics",
         *           "created_at": "2026-03-14 09:26:53"
         *         }
         *       ],
         *       "total": 1,
         *       "page": 1,
         *       "page_size": 20,
         *       "has_more": false
         *     }
         */
        AlertPage: {
            /** @description The alerts of the page, newest first; with `since_id`, oldest first. */
            alerts: components["schemas"]["AlertItem"][];
            /** @description Number of matches; with a cursor, only of those beyond it. */
            total: number;
            /** @description Page number; with a cursor, among the matches beyond it. */
            page: number;
            /** @description Page size used. */
            page_size: number;
            /** @description Whether there is a next page: older alerts, or newer ones with `since_id`. `Link` leads to it. */
            has_more: boolean;
        };
        /** @description The price at an alert. */
        AlertPrice: {
            /**
             * Format: int64
             * @description Identifier of the alert.
             */
            id: number;
            /** @description When it was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /**
             * Format: double
             * @description Mean price of its order, in USDC per share of the outcome.
             */
            entry_price: number;
            /**
             * Format: double
             * @description Size of its order, in USDC.
             */
            usdc_value: number;
        };
        /**
         * @description Why a trade was suspicious.
         * @enum {string}
         */
        AlertType: "fresh" | "fresh_accumulator" | "cluster";
        /**
         * @description The newest alerts as an Atom feed (RFC 4287).
         * @example <?xml version="1.0" encoding="utf-8"?>
         *     <feed xmlns="http://www.w3.org/2005/Atom">
         *         <id>https://api.example.com/feed.xml</id>
         *         <title>Tipoff alerts</title>
         *         <updated>2026-03-14T09:26:53.120Z</updated>
         *         <entry>
         *             <title type="html"><![CDATA[Will the measure pass before July? (score 78)]]></title>
         *             <id>urn:tipoff:alert:4821</id>
         *             <link href="https://api.example.com/alerts/4821"/>
         *             <updated>2026-03-14T09:26:53.120Z</updated>
         *         </entry>
         *     </feed>
         */
        AtomFeed: string;
        /** @description The bet: all alerts of one thread are one bet. As of its newest alert and exit that the caller may see; in frames and webhooks, as of their alert. */
        Bet: {
            /**
             * Format: double
             * @description What the wallet has put in, in USDC: the cost of all its buys of the outcome; of a cluster, of those of its members.
             */
            put_in_usdc: number;
            /**
             * Format: double
             * @description Mean price of these buys, weighted by shares, in USDC per share.
             */
            mean_price: number;
            /**
             * Format: double
             * @description Profit if the outcome happens and all is held to the end, in USDC before fees.
             */
            to_win_usdc: number;
            /**
             * Format: double
             * @description The part of the shares that is still held, 0 to 1, as far as sales and hedges on the market show; null where trades of the position may have been missed.
             */
            held_share: number | null;
            /**
             * Format: double
             * @description What the part held at settlement won or lost, in USDC before fees; where `held_share` is null, all of it. Null while unresolved.
             */
            result_usdc: number | null;
        };
        /**
         * @description A period whose trades the service may not have seen when they were made.
         * @example {
         *       "started_at": "2026-03-14T09:26:53.000Z",
         *       "ended_at": "2026-03-14T09:31:20.000Z",
         *       "seconds": 267,
         *       "cause": "unreachable",
         *       "backfilled": true,
         *       "backfilled_at": "2026-03-14T09:31:24.120Z"
         *     }
         */
        BlindWindow: {
            /**
             * Format: date-time
             * @description The time up to which all trades were known.
             */
            started_at: string;
            /** @description When the market was available again; null while it is not. */
            ended_at: string | null;
            /**
             * Format: double
             * @description Its length; for an open window, until now.
             */
            seconds: number;
            /** @description The cause when the window began: `stopped` (the service did not run), `unreachable` (the market did not answer), `dns` (its host name could not be resolved), `tls` (the TLS connection failed), `refused` (HTTP 403 or 451: is the address of the service geo-blocked?), `not_found` (404), `rate_limited` (429), `failing` (other errors, or answers that cannot be read), `stalled` (answers out of date) or `unconfirmed` (not blind: a node delivered trades, and the list did not confirm that they were complete). */
            cause: components["schemas"]["BlindWindowCause"];
            /** @description Whether all trades that the market still listed for this time were read afterwards. */
            backfilled: boolean;
            /** @description When they were read; null if they were not. */
            backfilled_at: string | null;
        };
        /**
         * @description Why the market could not be observed.
         * @enum {string}
         */
        BlindWindowCause: "stopped" | "unreachable" | "dns" | "tls" | "refused" | "not_found" | "rate_limited" | "failing" | "stalled" | "unconfirmed";
        /**
         * @description Category of a market.
         * @enum {string}
         */
        Category: "crypto" | "politics" | "world" | "tech" | "finance" | "pop_culture" | "other";
        /**
         * @description Which periods the live feed covered.
         * @example {
         *       "state": "live",
         *       "watching_since": "2026-02-01T08:00:00.000Z",
         *       "confirmed_until": "2026-03-14T10:15:02.310Z",
         *       "blind_now": null,
         *       "reason": null,
         *       "message": null,
         *       "facts_delayed": null,
         *       "unwatched": {
         *         "since": "2026-03-13T10:20:00.000Z",
         *         "until": "2026-03-14T10:15:00.000Z",
         *         "blocks": 1435,
         *         "volume_usdc": 812345.67,
         *         "combos_share": 0.012,
         *         "other_contracts_share": 0
         *       },
         *       "windows": [
         *         {
         *           "started_at": "2026-03-14T09:26:53.000Z",
         *           "ended_at": "2026-03-14T09:31:20.000Z",
         *           "seconds": 267,
         *           "cause": "unreachable",
         *           "backfilled": true,
         *           "backfilled_at": "2026-03-14T09:31:24.120Z"
         *         }
         *       ],
         *       "has_more": false,
         *       "summary": {
         *         "since": "2026-02-12T10:15:03.000Z",
         *         "until": "2026-03-14T10:15:03.000Z",
         *         "windows": 1,
         *         "blind_seconds": 267,
         *         "unconfirmed_seconds": 0,
         *         "not_backfilled_seconds": 0,
         *         "covered": 1
         *       }
         *     }
         */
        Coverage: {
            /**
             * @description State of the live feed: `live`, `catching_up` (it works again and is reading what it just missed), `unconfirmed` (a node shows trades, and nothing confirms that they are all), `blind`, or `unknown` (it has seen nothing yet, or no feed runs).
             * @enum {string}
             */
            state: "live" | "catching_up" | "unconfirmed" | "blind" | "unknown";
            /** @description When the service first watched the market; null when it never did. */
            watching_since: string | null;
            /** @description Every trade that the market listed up to this moment was read, except those in windows; null before anything was seen. */
            confirmed_until: string | null;
            /** @description The current window, blind or unconfirmed; null while the market is seen. */
            blind_now: components["schemas"]["BlindWindow"] | null;
            /** @description Why the market cannot be read, by the latest attempt: `stopped` (the service did not run), `unreachable` (the market did not answer), `dns` (its host name could not be resolved), `tls` (the TLS connection failed), `refused` (HTTP 403 or 451: is the address of the service geo-blocked?), `not_found` (404), `rate_limited` (429), `failing` (other errors, or answers that cannot be read), `stalled` (answers out of date); null while it is read, and when nothing is known. */
            reason: components["schemas"]["FeedReason"] | null;
            /** @description The reason in words. */
            message: string | null;
            /** @description Trades of new wallets that are waiting for facts, in any state; null while none is late. */
            facts_delayed: components["schemas"]["FactsDelayed"] | null;
            /** @description The volume that is not judged. Null: not known, because no Polygon node is set, or it has shown nothing yet. */
            unwatched: components["schemas"]["UnwatchedVolume"] | null;
            /** @description The windows of the period, newest first. */
            windows: components["schemas"]["BlindWindow"][];
            /** @description Whether the period has older ones. `Link` leads to them. */
            has_more: boolean;
            summary: components["schemas"]["CoverageSummary"];
        };
        /** @description Totals of the windows. */
        CoverageSummary: {
            /**
             * Format: date-time
             * @description Start of the period, not before the service first watched the market.
             */
            since: string;
            /**
             * Format: date-time
             * @description End of the period.
             */
            until: string;
            /** @description Number of windows, at most 10,000. */
            windows: number;
            /**
             * Format: double
             * @description Seconds of it that were blind.
             */
            blind_seconds: number;
            /**
             * Format: double
             * @description Seconds of it that were not blind, but not confirmed when they happened.
             */
            unconfirmed_seconds: number;
            /**
             * Format: double
             * @description Seconds of it that were blind or unconfirmed, and are not backfilled.
             */
            not_backfilled_seconds: number;
            /** @description Share of it that was confirmed or backfilled, 0 to 1, up to the last confirmed moment; null before anything was confirmed. */
            covered: number | null;
        };
        /**
         * @description Body of `createPreset`.
         * @example {
         *       "name": "Large crypto buys",
         *       "filters": {
         *         "category": "crypto",
         *         "side": "BUY",
         *         "min_signal": 60
         *       }
         *     }
         */
        CreatePreset: {
            /**
             * @description Any label: one line with at least one visible character. Surrounding space is removed.
             * @example Large crypto buys
             */
            name: string;
            /**
             * @example {
             *       "category": "crypto",
             *       "side": "BUY",
             *       "min_signal": 60
             *     }
             */
            filters: components["schemas"]["PresetFilters"];
            /** @description `YYYY-MM-DD HH:MM:SS` (UTC) or ISO 8601. Default: the current time; for `PUT`, unchanged. */
            created_at?: string | null;
        };
        /**
         * @description The newest entry that this caller may see.
         * @example {
         *       "seq": 5117,
         *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb",
         *       "at": "2026-03-14T09:31:20.004Z"
         *     }
         */
        DatedLogHead: {
            /**
             * Format: int64
             * @description Number of the entry: 1, 2, 3 … without a gap; 0 for the empty log.
             */
            seq: number;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of the entry without `hash`, in lower-case hexadecimal. Since each entry contains the hash of the one before it, it identifies all of them. 64 zeros for the empty log. */
            hash: string;
            /** @description When the entry was written; null for the empty log. */
            at: string | null;
        };
        /** @description Deliveries of alerts and outcomes so far, by result, repeated ones included. Tests are not counted. After a crash of the service they may be slightly too low; the log of deliveries is not affected. */
        DeliveryCounts: {
            /** @description Deliveries acknowledged within 5 seconds: with 200, or with any 2xx if the `format` is not `json`. */
            delivered: number;
            /** @description Deliveries that ended `failed`, `unknown` or `expired`. */
            failed: number;
            /** @description Deliveries that ended `failed` since the last `delivered` one. */
            failures_in_a_row: number;
        };
        /**
         * @description Why an attempt to deliver failed.
         * @enum {string}
         */
        DeliveryError: "dns" | "not_public" | "refused" | "tls" | "reset" | "protocol" | "timeout" | "redirect" | "status";
        /**
         * @description State of a delivery.
         * @enum {string}
         */
        DeliveryStatus: "pending" | "requested" | "claimed" | "delivered" | "failed" | "unknown" | "expired" | "cancelled";
        /** @description A refusal. */
        Error: {
            /** @description The problem, in words. */
            detail: string;
            code: components["schemas"]["ErrorCode"];
        };
        /**
         * @description What went wrong, for programs. `/docs/errors` explains each code. Later versions may add codes.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "invalid_handshake" | "key_missing" | "key_invalid" | "operator_only" | "tier_required" | "foreign_origin" | "alert_not_found" | "wallet_not_found" | "market_not_found" | "outcome_not_found" | "exit_not_found" | "preset_not_found" | "webhook_not_found" | "delivery_not_found" | "path_not_found" | "method_not_allowed" | "request_timeout" | "preset_limit_reached" | "webhook_limit_reached" | "webhook_url_taken" | "delivery_not_repeatable" | "body_too_large" | "address_too_long" | "unsupported_media_type" | "expectation_failed" | "invalid_request" | "upgrade_required" | "rate_limited" | "too_many_failures" | "key_check_busy" | "archive_busy" | "too_many_sockets" | "too_many_tests" | "too_many_redeliveries" | "headers_too_large" | "internal_error" | "unavailable";
        /**
         * @description One event of the log, as canonical JSON (RFC 8785). It never changes.
         * @example {
         *       "at": "2026-03-14T09:31:20.004Z",
         *       "body": {
         *         "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *         "outcomes": [
         *           "Yes",
         *           "No"
         *         ],
         *         "payouts": [
         *           1,
         *           0
         *         ],
         *         "settled_at": "2026-03-14T09:31:20.004Z"
         *       },
         *       "epoch": 12,
         *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb",
         *       "key": "settlement:0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1:0",
         *       "kind": "settlement",
         *       "previous": "9b74c9897bac770ffc029102a200c5de7fdd9d2d6c8ae8bcb2d1b0a1d3e4f567",
         *       "seq": 5117
         *     }
         */
        Event: {
            /**
             * Format: date-time
             * @description When the entry was written. Never earlier than the entry before it.
             */
            at: string;
            /** @description The content; for an alert, its fields as published. */
            body: {
                [key: string]: unknown;
            };
            /** @description Grows when another run of the worker writes; never smaller than in the entry before. */
            epoch: number;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of the entry without `hash`, in lower-case hexadecimal. Since each entry contains the hash of the one before it, it identifies all of them. 64 zeros for the empty log. */
            hash: string;
            /** @description Unique in the log. Of settlements, gaps and rules it ends with the `seq` of the one before. */
            key: string;
            /** @description `alert`, `exit`, `settlement`, `correction`, `withdrawal`, `gap`, `rules`; more kinds may be added. */
            kind: string;
            /** @description The hash of the entry before it; 64 zeros in the first. */
            previous: string;
            /**
             * Format: int64
             * @description Its number: 1, 2, 3 … without a gap.
             */
            seq: number;
        };
        /**
         * @description A page of the log.
         * @example {
         *       "events": [
         *         {
         *           "at": "2026-03-14T09:31:20.004Z",
         *           "body": {
         *             "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *             "outcomes": [
         *               "Yes",
         *               "No"
         *             ],
         *             "payouts": [
         *               1,
         *               0
         *             ],
         *             "settled_at": "2026-03-14T09:31:20.004Z"
         *           },
         *           "epoch": 12,
         *           "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb",
         *           "key": "settlement:0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1:0",
         *           "kind": "settlement",
         *           "previous": "9b74c9897bac770ffc029102a200c5de7fdd9d2d6c8ae8bcb2d1b0a1d3e4f567",
         *           "seq": 5117
         *         }
         *       ],
         *       "head": {
         *         "seq": 5117,
         *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb",
         *         "at": "2026-03-14T09:31:20.004Z"
         *       },
         *       "has_more": false
         *     }
         */
        EventPage: {
            /** @description Those after `after`, ascending. */
            events: components["schemas"]["Event"][];
            /**
             * @description The newest event that this caller may see, of any kind.
             * @example {
             *       "seq": 5117,
             *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb",
             *       "at": "2026-03-14T09:31:20.004Z"
             *     }
             */
            head: components["schemas"]["DatedLogHead"];
            /** @description Whether there are more after this page. `Link` leads to them. */
            has_more: boolean;
        };
        /**
         * @description The position of a thread of alerts fell to half, or to 5%, of its peak since the alert. Only trades on the market are seen: no merge, redemption or transfer.
         * @example {
         *       "number": 96,
         *       "level": "half",
         *       "thread_id": 4821,
         *       "alert_ids": [
         *         4821
         *       ],
         *       "wallet": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *       "event_title": "Will the measure pass before July?",
         *       "event_slug": "will-the-measure-pass-before-july",
         *       "category": "politics",
         *       "outcome": "Yes",
         *       "outcome_index": 0,
         *       "held_share": 0.4,
         *       "held_shares": 21647.058824,
         *       "peak_shares": 54117.647059,
         *       "sold_shares": 32470.588235,
         *       "sale_price": 0.51,
         *       "realized_profit": 5520,
         *       "traded_at": "2026-03-14T12:31:20.000Z",
         *       "seconds_since_alert": 11069,
         *       "created_at": "2026-03-14T12:31:23.004Z",
         *       "log": {
         *         "seq": 5117,
         *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *       }
         *     }
         */
        Exit: {
            /**
             * Format: int64
             * @description 1, 2, 3 … without a gap.
             */
            number: number;
            /** @description `half`: at most half of the peak since the alert is held; `out`: at most 5%. */
            level: components["schemas"]["ExitLevel"];
            /**
             * Format: int64
             * @description First alert of the exit’s thread: `details.thread_id` of its alerts.
             */
            thread_id: number;
            /** @description All alerts of the thread up to the exit, ascending. */
            alert_ids: number[];
            /** @description The wallet whose order it was. */
            wallet: string;
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description The outcome that was bought. */
            outcome: string;
            /** @description Its position among the outcomes of the market. */
            outcome_index: number;
            /**
             * Format: double
             * @description Part of the peak that is still held, 0 to 1.
             */
            held_share: number;
            /**
             * Format: double
             * @description Shares that are neither sold nor paired; for a cluster, those of all its wallets.
             */
            held_shares: number;
            /**
             * Format: double
             * @description The highest such number since the alert.
             */
            peak_shares: number;
            /**
             * Format: double
             * @description Shares sold since then, at any price.
             */
            sold_shares: number;
            /**
             * Format: double
             * @description Mean price of all sales since then, in USDC per share; null if there were none.
             */
            sale_price: number | null;
            /**
             * Format: double
             * @description What these sales brought beyond the mean cost of the shares, in USDC before fees; null if there were none.
             */
            realized_profit: number | null;
            /**
             * Format: date-time
             * @description Time of the order that caused it, to the second, UTC.
             */
            traded_at: string;
            /** @description Seconds from the alert to that order. */
            seconds_since_alert: number;
            /**
             * Format: date-time
             * @description When it was published, UTC.
             */
            created_at: string;
            /**
             * @description Its entry in the log.
             * @example {
             *       "seq": 5117,
             *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
             *     }
             */
            log: components["schemas"]["LogHead"];
        };
        /**
         * @description An exit as a webhook receives it.
         * @example {
         *       "number": 96,
         *       "level": "half",
         *       "thread_id": 4821,
         *       "alert_ids": [
         *         4821
         *       ],
         *       "wallet": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *       "event_title": "Will the measure pass before July?",
         *       "event_slug": "will-the-measure-pass-before-july",
         *       "category": "politics",
         *       "outcome": "Yes",
         *       "outcome_index": 0,
         *       "held_share": 0.4,
         *       "held_shares": 21647.058824,
         *       "peak_shares": 54117.647059,
         *       "sold_shares": 32470.588235,
         *       "sale_price": 0.51,
         *       "realized_profit": 5520,
         *       "traded_at": "2026-03-14T12:31:20.000Z",
         *       "seconds_since_alert": 11069,
         *       "created_at": "2026-03-14T12:31:23.004Z",
         *       "log": {
         *         "seq": 5117,
         *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *       },
         *       "type": "exit"
         *     }
         */
        ExitEvent: {
            /**
             * Format: int64
             * @description 1, 2, 3 … without a gap.
             */
            number: number;
            /** @description `half`: at most half of the peak since the alert is held; `out`: at most 5%. */
            level: components["schemas"]["ExitLevel"];
            /**
             * Format: int64
             * @description First alert of the exit’s thread: `details.thread_id` of its alerts.
             */
            thread_id: number;
            /** @description All alerts of the thread up to the exit, ascending. */
            alert_ids: number[];
            /** @description The wallet whose order it was. */
            wallet: string;
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description The outcome that was bought. */
            outcome: string;
            /** @description Its position among the outcomes of the market. */
            outcome_index: number;
            /**
             * Format: double
             * @description Part of the peak that is still held, 0 to 1.
             */
            held_share: number;
            /**
             * Format: double
             * @description Shares that are neither sold nor paired; for a cluster, those of all its wallets.
             */
            held_shares: number;
            /**
             * Format: double
             * @description The highest such number since the alert.
             */
            peak_shares: number;
            /**
             * Format: double
             * @description Shares sold since then, at any price.
             */
            sold_shares: number;
            /**
             * Format: double
             * @description Mean price of all sales since then, in USDC per share; null if there were none.
             */
            sale_price: number | null;
            /**
             * Format: double
             * @description What these sales brought beyond the mean cost of the shares, in USDC before fees; null if there were none.
             */
            realized_profit: number | null;
            /**
             * Format: date-time
             * @description Time of the order that caused it, to the second, UTC.
             */
            traded_at: string;
            /** @description Seconds from the alert to that order. */
            seconds_since_alert: number;
            /**
             * Format: date-time
             * @description When it was published, UTC.
             */
            created_at: string;
            /**
             * @description Its entry in the log.
             * @example {
             *       "seq": 5117,
             *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
             *     }
             */
            log: components["schemas"]["LogHead"];
            /**
             * @description Distinguishes it from an alert, which has no `type`.
             * @constant
             */
            type: "exit";
        };
        /**
         * @description How far a position was left.
         * @enum {string}
         */
        ExitLevel: "half" | "out";
        /**
         * @description A page of the exits.
         * @example {
         *       "exits": [
         *         {
         *           "number": 96,
         *           "level": "half",
         *           "thread_id": 4821,
         *           "alert_ids": [
         *             4821
         *           ],
         *           "wallet": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "event_slug": "will-the-measure-pass-before-july",
         *           "category": "politics",
         *           "outcome": "Yes",
         *           "outcome_index": 0,
         *           "held_share": 0.4,
         *           "held_shares": 21647.058824,
         *           "peak_shares": 54117.647059,
         *           "sold_shares": 32470.588235,
         *           "sale_price": 0.51,
         *           "realized_profit": 5520,
         *           "traded_at": "2026-03-14T12:31:20.000Z",
         *           "seconds_since_alert": 11069,
         *           "created_at": "2026-03-14T12:31:23.004Z",
         *           "log": {
         *             "seq": 5117,
         *             "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *           }
         *         }
         *       ],
         *       "last": 96,
         *       "has_more": false
         *     }
         */
        Exits: {
            /** @description Those after `after`, ascending. */
            exits: components["schemas"]["Exit"][];
            /**
             * Format: int64
             * @description The largest number that this caller may see, of any wallet and market; 0 if there is none.
             */
            last: number;
            /** @description Whether there are more after this page. `Link` leads to them. */
            has_more: boolean;
        };
        /**
         * @description How far a position is known to have been left.
         * @enum {string}
         */
        ExitState: "none" | "half" | "out" | "unknown";
        /**
         * @description What an answer includes in addition.
         * @enum {string}
         */
        Expand: "details";
        /**
         * @description The market does not answer questions about wallets: alerts on new wallets come late, but none is lost.
         * @example {
         *       "waiting": 12,
         *       "since": "2026-03-14T09:26:53.000Z"
         *     }
         */
        FactsDelayed: {
            /** @description Number of these trades. */
            waiting: number;
            /**
             * Format: date-time
             * @description When the first of the missing facts was requested.
             */
            since: string;
        };
        /**
         * @description The newest alerts as JSON Feed 1.1.
         * @example {
         *       "version": "https://jsonfeed.org/version/1.1",
         *       "title": "Tipoff alerts",
         *       "home_page_url": "https://api.example.com/",
         *       "feed_url": "https://api.example.com/feed.json",
         *       "description": "Bets on Polymarket that look informed, 5 minutes after they were published.",
         *       "language": "en",
         *       "items": [
         *         {
         *           "id": "urn:tipoff:alert:4821",
         *           "url": "https://api.example.com/alerts/4821",
         *           "external_url": "https://polymarket.com/event/when-will-the-measure-pass/will-the-measure-pass-before-july",
         *           "title": "Will the measure pass before July? (score 78)",
         *           "content_text": "A new wallet: $18,400 on Yes at 34¢ to win $35,718. Score 78 of 100. Traded 2026-03-14 09:26 UTC.",
         *           "date_published": "2026-03-14T09:26:53.120Z",
         *           "tags": [
         *             "politics",
         *             "fresh"
         *           ]
         *         }
         *       ]
         *     }
         */
        Feed: {
            /**
             * @description The format.
             * @constant
             */
            version: "https://jsonfeed.org/version/1.1";
            /** @description Name of the feed, with its filter in words. */
            title: string;
            /** @description The site of the service with the same filter; without a site, the page of the API. */
            home_page_url: string;
            /** @description Address of this feed. */
            feed_url: string;
            /** @description What the feed contains. */
            description: string;
            /** @description Language of the texts. */
            language: string;
            /** @description The newest alerts, outcomes and exits, at most 50, newest first. */
            items: components["schemas"]["FeedItem"][];
        };
        /** @description One alert, outcome or exit. */
        FeedItem: {
            /**
             * @description Stable id of the item: `urn:tipoff:alert:`, `outcome:` or `exit:` and a number.
             * @example urn:tipoff:alert:4821
             */
            id: string;
            /** @description The page of the alert or of the market; without a site, its path in the API. */
            url: string;
            /** @description The page of the market. */
            external_url: string;
            /** @description Market question and score, or what happened. */
            title: string;
            /** @description The trade in words and what became of the position, or the outcome or exit. */
            content_text: string;
            /**
             * Format: date-time
             * @description When it was published.
             */
            date_published: string;
            /**
             * Format: date-time
             * @description When the position of the alert was sold on the market; absent otherwise, and if `events` contains `exit`.
             */
            date_modified?: string;
            /** @description Category, and kind of alert, `outcome` or `exit`. */
            tags: string[];
        };
        /**
         * @description Why the market cannot be read.
         * @enum {string}
         */
        FeedReason: "stopped" | "unreachable" | "dns" | "tls" | "refused" | "not_found" | "rate_limited" | "failing" | "stalled";
        /** @description The value of a filter that this version does not know. It is stored but not used. */
        FilterValue: string | number | boolean | null;
        /**
         * @description Alert filters, named as in `GET /alerts` and presets. All must match; a null filter is not set.
         * @example {
         *       "side": "BUY",
         *       "min_usdc": 5000
         *     }
         */
        GivenWebhookFilters: {
            /** @description A category value. */
            category?: components["schemas"]["Category"] | null;
            /** @description Any of these categories, separated by commas. With `category`, both must match. Default: all. */
            categories?: string | null;
            /** @description Direction of the trade. */
            side?: components["schemas"]["Side"] | null;
            /** @description Only trades larger than this USDC amount. */
            min_usdc?: number | null;
            /** @description Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members. */
            min_position?: number | null;
            /** @description Only alerts with at least this signal score. */
            min_signal?: number | null;
            /** @description Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter. */
            search?: string | null;
            /** @description Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter. */
            wallet?: string | null;
            /** @description Market identifier, or the market slug as given in the alert. Case does not matter. */
            market?: string | null;
            /** @description Kind of alert. */
            alert_type?: components["schemas"]["AlertType"] | null;
        };
        /** @description A market with alerts. */
        HotMarket: {
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description Alerts in the window. */
            alert_count: number;
            /**
             * Format: double
             * @description Their average signal score.
             */
            avg_signal: number;
            /**
             * Format: double
             * @description Sum of their trades, in USDC.
             */
            total_usdc: number;
            /** @description When the newest of them was made: `YYYY-MM-DDTHH:MM:SS`, UTC. */
            latest_alert: string;
        };
        /**
         * @description The leaderboards.
         * @example {
         *       "period": "24h",
         *       "most_alerts": [
         *         {
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "event_slug": "will-the-measure-pass-before-july",
         *           "category": "politics",
         *           "alert_count": 7,
         *           "avg_signal": 71.43,
         *           "total_usdc": 96250.5,
         *           "latest_alert": "2026-03-14T09:26:53"
         *         }
         *       ],
         *       "highest_signal": [
         *         {
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "event_slug": "will-the-measure-pass-before-july",
         *           "category": "politics",
         *           "alert_count": 7,
         *           "avg_signal": 71.43,
         *           "total_usdc": 96250.5,
         *           "latest_alert": "2026-03-14T09:26:53"
         *         }
         *       ],
         *       "biggest_trades": [
         *         {
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "event_slug": "will-the-measure-pass-before-july",
         *           "category": "politics",
         *           "alert_count": 7,
         *           "avg_signal": 71.43,
         *           "total_usdc": 96250.5,
         *           "latest_alert": "2026-03-14T09:26:53"
         *         }
         *       ]
         *     }
         */
        HotMarkets: {
            /** @description The window used. */
            period: string;
            /** @description By alert count, descending. */
            most_alerts: components["schemas"]["HotMarket"][];
            /** @description By average score, descending. */
            highest_signal: components["schemas"]["HotMarket"][];
            /** @description By total USDC, descending. */
            biggest_trades: components["schemas"]["HotMarket"][];
        };
        /**
         * @description The calling key.
         * @example {
         *       "name": "My bot",
         *       "tier": "pro",
         *       "rate_limit": "300/min",
         *       "websocket": true,
         *       "webhooks": false,
         *       "realtime": true,
         *       "max_page_size": 50,
         *       "requests_today": 1204,
         *       "key_id": "key_3fJ9Qd0sXk2LmWvB",
         *       "trial_ends_at": "2026-04-02T09:30:00.000Z"
         *     }
         */
        KeyInfo: {
            /** @description Custom label of the key. */
            name: string;
            /** @description Current tier of the key. */
            tier: components["schemas"]["Tier"];
            /** @description Limit of the key, such as `300/min`; `unlimited` without one. */
            rate_limit: string;
            /** @description True when the stream is allowed. */
            websocket: boolean;
            /** @description True when webhook registration is allowed. */
            webhooks: boolean;
            /** @description False under the 5-minute free-tier delay. */
            realtime: boolean;
            /** @description Largest page size for `GET /alerts`. */
            max_page_size: number;
            /** @description API calls made since UTC midnight, refused ones included. */
            requests_today: number;
            /** @description Public id of the key, which a rotation keeps. */
            key_id: string;
            /** @description When the key becomes free; null without a running trial. */
            trial_ends_at: string | null;
        };
        /** @description An alert without its `market_id`. */
        LatestAlert: {
            /**
             * Format: int64
             * @description Unique alert identifier.
             */
            id: number;
            /** @description Why the trade was suspicious. */
            alert_type: components["schemas"]["AlertType"];
            /** @description Address of the trading wallet. */
            wallet_address: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description Direction of the trade. */
            side: components["schemas"]["Side"];
            /** @description Outcome traded. */
            outcome: string;
            /**
             * Format: double
             * @description Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second.
             */
            entry_price: number;
            /**
             * Format: double
             * @description Size of the whole order in USDC.
             */
            usdc_value: number;
            /** @description Signal score, 0 to 100. */
            signal_score: number;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`. */
            trade_count: number;
            /** @description When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /** @description Whether the market has resolved. */
            resolved: boolean;
            /** @description Whether the outcome bought came true; null while unresolved. */
            won: boolean | null;
            /**
             * Format: double
             * @description Profit of the order if held to the end, in USDC before fees; null while unresolved.
             */
            profit_usdc: number | null;
            details: components["schemas"]["AlertDetails"];
            /** @description The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert. */
            log: components["schemas"]["LogHead"] | null;
        };
        /**
         * @description An entry of the log, and with it every entry before it.
         * @example {
         *       "seq": 5117,
         *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *     }
         */
        LogHead: {
            /**
             * Format: int64
             * @description Number of the entry: 1, 2, 3 … without a gap; 0 for the empty log.
             */
            seq: number;
            /** @description SHA-256 of the canonical JSON (RFC 8785) of the entry without `hash`, in lower-case hexadecimal. Since each entry contains the hash of the one before it, it identifies all of them. 64 zeros for the empty log. */
            hash: string;
        };
        /**
         * @description What the service knows about a market.
         * @example {
         *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *       "event_title": "Will the measure pass before July?",
         *       "event_slug": "will-the-measure-pass-before-july",
         *       "market_url": "https://polymarket.com/event/when-will-the-measure-pass/will-the-measure-pass-before-july",
         *       "category": "politics",
         *       "end_date": "2026-06-30T23:59:00.000Z",
         *       "resolved": false,
         *       "settled_at": null,
         *       "outcomes": [
         *         {
         *           "outcome": "Yes",
         *           "payout": null,
         *           "alert_count": 1,
         *           "thread_count": 1,
         *           "wallet_count": 1,
         *           "total_usdc": 18400
         *         }
         *       ],
         *       "threads": {
         *         "total": 1,
         *         "newest": [
         *           {
         *             "thread_id": 4821,
         *             "alert_type": "fresh",
         *             "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *             "outcome": "Yes",
         *             "side": "BUY",
         *             "signal_score": 78,
         *             "alert_count": 1,
         *             "prices": [
         *               {
         *                 "id": 4821,
         *                 "created_at": "2026-03-14 09:26:53",
         *                 "entry_price": 0.34,
         *                 "usdc_value": 18400
         *               }
         *             ]
         *           }
         *         ]
         *       },
         *       "wallets": {
         *         "total": 1,
         *         "largest": [
         *           {
         *             "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *             "alert_count": 1,
         *             "total_usdc": 18400
         *           }
         *         ]
         *       },
         *       "total": 1,
         *       "counted": 1,
         *       "alerts": [
         *         {
         *           "id": 4821,
         *           "alert_type": "fresh",
         *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "side": "BUY",
         *           "outcome": "Yes",
         *           "entry_price": 0.34,
         *           "usdc_value": 18400,
         *           "signal_score": 78,
         *           "category": "politics",
         *           "created_at": "2026-03-14 09:26:53"
         *         }
         *       ],
         *       "has_more": false
         *     }
         */
        Market: {
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description The market on Polymarket. While the event of the market is unknown, a search for its question. */
            market_url: string;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description When the market ends, as announced; it may be settled earlier or later. Null if unknown. On a tape that is shifted in time, it is shifted too. */
            end_date: string | null;
            /** @description Whether the market has resolved. */
            resolved: boolean;
            /** @description When its outcome became known; null while it is not, or not recorded. */
            settled_at: string | null;
            /** @description Outcomes with alerts, by what was put in, descending; then the others that were paid. */
            outcomes: components["schemas"]["MarketOutcome"][];
            /** @description Alerts by thread. */
            threads: {
                /** @description Number of threads. */
                total: number;
                /** @description The newest of them, at most 50, newest first. */
                newest: components["schemas"]["MarketThread"][];
            };
            /** @description Wallets in the alerts. */
            wallets: {
                /** @description Number of wallets, members of clusters included. */
                total: number;
                /** @description At most 20, by what they have put in, descending. */
                largest: components["schemas"]["MarketWallet"][];
            };
            /** @description Alerts of the market. */
            total: number;
            /** @description The newest alerts, at most 1,000, from which outcomes, threads and wallets are compiled. */
            counted: number;
            /** @description A page of the alerts, newest first. */
            alerts: components["schemas"]["AlertItem"][];
            /** @description Whether there are older ones. `Link` leads to them. */
            has_more: boolean;
        };
        /** @description An outcome of a market and the alerts on it. */
        MarketOutcome: {
            /** @description Name of the outcome. */
            outcome: string;
            /**
             * Format: double
             * @description What a share paid, in USDC: 1, 0, or a part of 1 for a split (mostly 0.5); null while the market is not settled.
             */
            payout: number | null;
            /** @description Alerts on it. */
            alert_count: number;
            /** @description Threads of these alerts. */
            thread_count: number;
            /** @description Wallets in these alerts, members of clusters included. */
            wallet_count: number;
            /**
             * Format: double
             * @description What the bets on it have put in, in USDC; a thread is one bet.
             */
            total_usdc: number;
        };
        /** @description The alerts of one wallet on one outcome of the market, or of the clusters on it. */
        MarketThread: {
            /**
             * Format: int64
             * @description Identifier of its first alert.
             */
            thread_id: number;
            /** @description Kind of its newest alert. */
            alert_type: components["schemas"]["AlertType"];
            /** @description The wallet; null for clusters. */
            wallet_address: string | null;
            /** @description Outcome traded. */
            outcome: string;
            /** @description Direction of the trades. */
            side: components["schemas"]["Side"];
            /** @description Score of its newest alert, 0 to 100. */
            signal_score: number;
            /** @description Number of its alerts. */
            alert_count: number;
            /** @description The newest of them, at most 20, newest first. */
            prices: components["schemas"]["AlertPrice"][];
        };
        /** @description A wallet in the alerts of the market. */
        MarketWallet: {
            /** @description Address of the wallet. */
            wallet_address: string;
            /** @description Its own alerts in the market; 0 for a member of a cluster without one. */
            alert_count: number;
            /**
             * Format: double
             * @description What its bets have put in, in USDC.
             */
            total_usdc: number;
        };
        /**
         * @description What a market paid, and the result of its alerts.
         * @example {
         *       "number": 812,
         *       "kind": "settlement",
         *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *       "event_title": "Will the measure pass before July?",
         *       "outcomes": [
         *         "Yes",
         *         "No"
         *       ],
         *       "payouts": [
         *         1,
         *         0
         *       ],
         *       "settled_at": "2026-03-14T09:31:20.004Z",
         *       "log": {
         *         "seq": 5117,
         *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *       },
         *       "alerts": [
         *         {
         *           "id": 4821,
         *           "won": true,
         *           "profit_usdc": 35717.65
         *         }
         *       ],
         *       "more_alerts": false
         *     }
         */
        Outcome: {
            /**
             * Format: int64
             * @description 1, 2, 3 … without a gap: its position among the outcomes and corrections of the log.
             */
            number: number;
            /** @description `outcome` for the first one of a market, `correction` for one that replaces it. */
            kind: components["schemas"]["OutcomeKind"];
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text; null if the market has no alerts. */
            event_title: string | null;
            /** @description The outcomes of the market, in the order of `payouts`; empty if it never named them. */
            outcomes: string[];
            /** @description What a share of each outcome pays, in USDC: 1 and 0, or parts of 1 for a split (mostly 0.5 each). They add up to 1. */
            payouts: number[];
            /**
             * Format: date-time
             * @description When it was entered in the log.
             */
            settled_at: string;
            /**
             * @description Its entry in the log.
             * @example {
             *       "seq": 5117,
             *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
             *     }
             */
            log: components["schemas"]["LogHead"];
            /** @description Alerts of the market that were published before it, oldest first, at most 100. Later alerts carry their own result. */
            alerts: components["schemas"]["SettledAlert"][];
            /** @description Whether there are more of them: `GET /outcomes/{number}` returns the next with `after`. */
            more_alerts: boolean;
        };
        /**
         * @description An outcome as a webhook receives it.
         * @example {
         *       "number": 812,
         *       "kind": "settlement",
         *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *       "event_title": "Will the measure pass before July?",
         *       "outcomes": [
         *         "Yes",
         *         "No"
         *       ],
         *       "payouts": [
         *         1,
         *         0
         *       ],
         *       "settled_at": "2026-03-14T09:31:20.004Z",
         *       "log": {
         *         "seq": 5117,
         *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *       },
         *       "alerts": [
         *         {
         *           "id": 4821,
         *           "won": true,
         *           "profit_usdc": 35717.65
         *         }
         *       ],
         *       "more_alerts": false,
         *       "type": "outcome"
         *     }
         */
        OutcomeEvent: {
            /**
             * Format: int64
             * @description 1, 2, 3 … without a gap: its position among the outcomes and corrections of the log.
             */
            number: number;
            /** @description `outcome` for the first one of a market, `correction` for one that replaces it. */
            kind: components["schemas"]["OutcomeKind"];
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text; null if the market has no alerts. */
            event_title: string | null;
            /** @description The outcomes of the market, in the order of `payouts`; empty if it never named them. */
            outcomes: string[];
            /** @description What a share of each outcome pays, in USDC: 1 and 0, or parts of 1 for a split (mostly 0.5 each). They add up to 1. */
            payouts: number[];
            /**
             * Format: date-time
             * @description When it was entered in the log.
             */
            settled_at: string;
            /**
             * @description Its entry in the log.
             * @example {
             *       "seq": 5117,
             *       "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
             *     }
             */
            log: components["schemas"]["LogHead"];
            /** @description Alerts of the market that were published before it, oldest first, at most 100. Later alerts carry their own result. */
            alerts: components["schemas"]["SettledAlert"][];
            /** @description Whether there are more of them: `GET /outcomes/{number}` returns the next with `after`. */
            more_alerts: boolean;
            /**
             * @description Distinguishes it from an alert, which has no `type`.
             * @constant
             */
            type: "outcome";
        };
        /**
         * @description Whether an outcome is the first of its market or replaces one.
         * @enum {string}
         */
        OutcomeKind: "settlement" | "correction";
        /**
         * @description A page of the outcomes.
         * @example {
         *       "outcomes": [
         *         {
         *           "number": 812,
         *           "kind": "settlement",
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "outcomes": [
         *             "Yes",
         *             "No"
         *           ],
         *           "payouts": [
         *             1,
         *             0
         *           ],
         *           "settled_at": "2026-03-14T09:31:20.004Z",
         *           "log": {
         *             "seq": 5117,
         *             "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
         *           },
         *           "alerts": [
         *             {
         *               "id": 4821,
         *               "won": true,
         *               "profit_usdc": 35717.65
         *             }
         *           ],
         *           "more_alerts": false
         *         }
         *       ],
         *       "last": 812,
         *       "has_more": false
         *     }
         */
        Outcomes: {
            /** @description Those after `after`, ascending. A page with many alerts may hold fewer than `limit`. */
            outcomes: components["schemas"]["Outcome"][];
            /**
             * Format: int64
             * @description The largest number that this caller may see; 0 if there is none.
             */
            last: number;
            /** @description Whether there are more after this page. `Link` leads to them. */
            has_more: boolean;
        };
        /**
         * @description Saved filters.
         * @example {
         *       "id": "preset_mR8qX2vT0aLw5bNz",
         *       "name": "Large crypto buys",
         *       "filters": {
         *         "category": "crypto",
         *         "side": "BUY",
         *         "min_signal": 60
         *       },
         *       "created_at": "2026-03-14 09:26:53",
         *       "has_feed": true
         *     }
         */
        Preset: {
            /**
             * @description Id of the preset.
             * @example preset_mR8qX2vT0aLw5bNz
             */
            id: string;
            /** @description Name of the preset. */
            name: string;
            filters: components["schemas"]["PresetFilters"];
            /** @description When it was created, or the time that was given: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /** @description Whether `POST /presets/{id}/feed` has given it a feed. */
            has_feed: boolean;
        };
        /**
         * @description The preset is saved.
         * @example {
         *       "id": "preset_mR8qX2vT0aLw5bNz",
         *       "name": "Large crypto buys"
         *     }
         */
        PresetCreated: {
            /**
             * @description Id of the preset.
             * @example preset_mR8qX2vT0aLw5bNz
             */
            id: string;
            /** @description Name of the preset. */
            name: string;
        };
        /**
         * @description The feed of a preset, shown this once.
         * @example {
         *       "id": "preset_mR8qX2vT0aLw5bNz",
         *       "feed_token": "Wq3xT0vN8mRzL2kJ5aBcDg",
         *       "feed_url": "https://api.example.com/feed.xml?preset=Wq3xT0vN8mRzL2kJ5aBcDg"
         *     }
         */
        PresetFeed: {
            /**
             * @description Id of the preset.
             * @example preset_mR8qX2vT0aLw5bNz
             */
            id: string;
            /** @description Lets anyone read the feed of what the preset matches. It is stored hashed. */
            feed_token: string;
            /** @description Address of that feed as Atom; `/feed.json` serves it as JSON Feed. */
            feed_url: string;
        };
        /**
         * @description Filters by name: the query names of `GET /alerts` with the values they take there. A null filter is not set; unknown names are stored but not used, and listed in `X-Unknown-Parameters` when the preset is saved or applied.
         * @example {
         *       "category": "crypto",
         *       "side": "BUY",
         *       "min_signal": 60
         *     }
         */
        PresetFilters: {
            /** @description Page number; the preset’s if omitted. */
            page?: number | null;
            /** @description Results per page; the preset’s if omitted. Values above the `max_page_size` of the key are reduced to it. */
            page_size?: number | null;
            /** @description A category value. */
            category?: components["schemas"]["Category"] | null;
            /** @description Any of these categories, separated by commas. With `category`, both must match. Default: all. */
            categories?: string | null;
            /** @description Direction of the trade. */
            side?: components["schemas"]["Side"] | null;
            /** @description Only trades larger than this USDC amount. */
            min_usdc?: number | null;
            /** @description Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members. */
            min_position?: number | null;
            /** @description Only alerts with at least this signal score. */
            min_signal?: number | null;
            /** @description Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter. */
            search?: string | null;
            /** @description Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter. */
            wallet?: string | null;
            /** @description Market identifier, or the market slug as given in the alert. Case does not matter. */
            market?: string | null;
            /** @description Kind of alert. */
            alert_type?: components["schemas"]["AlertType"] | null;
            /** @description Not before this time: `YYYY-MM-DD HH:MM:SS`, the same with a T (both UTC), or ISO 8601 with a zone. */
            since?: string | null;
            /** @description Not after this time, in the format of `since`. Without a fraction, the whole second is included. */
            until?: string | null;
            /** @description Whether the market has resolved. */
            resolved?: boolean | null;
        } & {
            [key: string]: components["schemas"]["FilterValue"];
        };
        /**
         * @description Oldest first.
         * @example [
         *       {
         *         "id": "preset_mR8qX2vT0aLw5bNz",
         *         "name": "Large crypto buys",
         *         "filters": {
         *           "category": "crypto",
         *           "side": "BUY",
         *           "min_signal": 60
         *         },
         *         "created_at": "2026-03-14 09:26:53",
         *         "has_feed": true
         *       }
         *     ]
         */
        Presets: components["schemas"]["Preset"][];
        /**
         * @description What the filter would have matched.
         * @example {
         *       "days": 30,
         *       "since": "2026-02-12 09:26:53",
         *       "until": "2026-03-14 09:26:53",
         *       "total": 45,
         *       "alerts_per_day": 1.5,
         *       "daily": [
         *         {
         *           "date": "2026-03-14",
         *           "alerts": 3
         *         }
         *       ],
         *       "resolved": 30,
         *       "won": 21,
         *       "win_rate": 0.7,
         *       "average_entry": 0.52,
         *       "edge": 0.18,
         *       "markets": {
         *         "resolved": 8,
         *         "win_rate": 0.6,
         *         "average_entry": 0.5,
         *         "edge": 0.1
         *       },
         *       "newest": [
         *         {
         *           "id": 4821,
         *           "alert_type": "fresh",
         *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "side": "BUY",
         *           "outcome": "Yes",
         *           "entry_price": 0.34,
         *           "usdc_value": 18400,
         *           "signal_score": 78,
         *           "category": "politics",
         *           "created_at": "2026-03-14 09:26:53"
         *         }
         *       ]
         *     }
         */
        Preview: {
            /** @description Days that a preview covers at most. */
            days: number;
            /** @description Start of the window, 30 days before its end, or the very first alert if that is later: `YYYY-MM-DD HH:MM:SS`, UTC. */
            since: string;
            /** @description End of the window: now, or 5 minutes ago for a free key; with a tape, the newest alert if none followed for a day: `YYYY-MM-DD HH:MM:SS`, UTC. */
            until: string;
            /** @description Matching alerts in the window. */
            total: number;
            /**
             * Format: double
             * @description Mean number per day; a window shorter than a day counts as one day.
             */
            alerts_per_day: number;
            /** @description Every UTC day of the window, oldest first; the first and the last are usually partial. */
            daily: {
                /**
                 * Format: date
                 * @description The UTC day.
                 */
                date: string;
                /** @description Matches on that day. */
                alerts: number;
            }[];
            /** @description Matches whose market has resolved. */
            resolved: number;
            /** @description Resolved matches that were right. */
            won: number;
            /**
             * Format: double
             * @description `won / resolved`, 0 to 1; null if none is resolved.
             */
            win_rate: number | null;
            /**
             * Format: double
             * @description Mean price paid for the expected outcome; for a SELL, 1 − price.
             */
            average_entry: number | null;
            /**
             * Format: double
             * @description `win_rate − average_entry`. Above 0, the alerts were right more often than the price implied.
             */
            edge: number | null;
            /** @description The same with each market counted once. Alerts of one market win or lose together, so a few markets prove little. */
            markets: {
                /** @description Markets of the resolved alerts. */
                resolved: number;
                /**
                 * Format: double
                 * @description Mean over these markets; null if there are none.
                 */
                win_rate: number | null;
                /**
                 * Format: double
                 * @description Mean over these markets.
                 */
                average_entry: number | null;
                /**
                 * Format: double
                 * @description `win_rate − average_entry`.
                 */
                edge: number | null;
            };
            /** @description The newest matches, at most three, newest first. */
            newest: components["schemas"]["AlertItem"][];
        };
        /** @description Hypothetical capital that began with 1 USDC. */
        RecordCapital: {
            /**
             * Format: double
             * @description Capital that is free now, in USDC; what is staked counts as lost.
             */
            now: number;
            /**
             * Format: double
             * @description The highest it ever was, in USDC.
             */
            highest: number;
        };
        /** @description Capital at a moment. */
        RecordCapitalPoint: {
            /**
             * Format: date-time
             * @description When the first bet was opened, or when a bet was closed.
             */
            at: string;
            /**
             * Format: double
             * @description The capital of the bettor who buys what the alert bought, in USDC.
             */
            capital: number;
        };
        /** @description A mean, its interval and its verdict, all of the same bets. */
        RecordFigure: {
            /**
             * Format: double
             * @description Capital, in USDC, that chance alone reaches with a probability of at most 1 in this number.
             */
            threshold: number;
            /** @description Bets made. */
            bets: number;
            /** @description Bets whose end is unknown. */
            open: number;
            /**
             * Format: double
             * @description Mean of the bets with a known end, in USDC per share; null without one.
             */
            mean: number | null;
            /**
             * Format: double
             * @description Lower end of the interval of the mean, valid at any time if the average is steady, in USDC per share; null if there is none.
             */
            low: number | null;
            /**
             * Format: double
             * @description Upper end of the interval; null if there is none.
             */
            high: number | null;
            /** @description Of a bettor who buys what the alert bought. */
            bought: components["schemas"]["RecordCapital"];
            /** @description Of a bettor who buys the other outcome. */
            sold: components["schemas"]["RecordCapital"];
            /** @description `above`: the first bettor reached the threshold. `below`: the second one did. */
            verdict: components["schemas"]["RecordVerdict"];
        };
        /**
         * @description What the alerts were worth: prices after them and payouts, losses included.
         * @example {
         *       "as_of": "2026-12-01T09:55:00.000Z",
         *       "rules": {
         *         "version": "4",
         *         "sha256": "9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d"
         *       },
         *       "starts_at": "2027-01-01",
         *       "is_rehearsal": true,
         *       "conclusion": "Too early to say: 0 of the first 20 hypothetical test bets are done. A test bet buys what one alert bought, a minute after publication, and sells it a day later.",
         *       "results": null,
         *       "alerts": 0,
         *       "counted": 0,
         *       "settled": 0,
         *       "right": 0,
         *       "day_later": {
         *         "threshold": 50,
         *         "bets": 0,
         *         "open": 0,
         *         "mean": null,
         *         "low": null,
         *         "high": null,
         *         "bought": {
         *           "now": 1,
         *           "highest": 1
         *         },
         *         "sold": {
         *           "now": 1,
         *           "highest": 1
         *         },
         *         "verdict": "not_shown"
         *       },
         *       "payout": {
         *         "threshold": 200,
         *         "bets": 0,
         *         "open": 0,
         *         "mean": null,
         *         "low": null,
         *         "high": null,
         *         "bought": {
         *           "now": 1,
         *           "highest": 1
         *         },
         *         "sold": {
         *           "now": 1,
         *           "highest": 1
         *         },
         *         "verdict": "not_shown"
         *       },
         *       "bankroll": []
         *     }
         */
        RecordReport: {
            /**
             * Format: date-time
             * @description Nothing later was used. Of a replay, like all its dates, moved as its alerts are.
             */
            as_of: string;
            /** @description The running rules. */
            rules: {
                /**
                 * @description Version of the running rules.
                 * @example 4
                 */
                version: string;
                /** @description SHA-256 of their canonical JSON, as in the log. */
                sha256: string;
            };
            /**
             * Format: date
             * @description Alerts published from this UTC day on count.
             */
            starts_at: string;
            /** @description That day has not come: these are all alerts so far, and the record starts anew with it. */
            is_rehearsal: boolean;
            /** @description What can be said, in words. */
            conclusion: string;
            /** @description How many settled bets were right, beside what the prices paid needed; null while none is settled. */
            results: string | null;
            /** @description Published alerts. */
            alerts: number;
            /** @description The first of each wallet, market and outcome; all that follows counts only these. */
            counted: number;
            /** @description Their market is settled. */
            settled: number;
            /** @description Settled, and their outcome paid the whole dollar. */
            right: number;
            /** @description Price a day later minus price paid, one bet at a time. */
            day_later: components["schemas"]["RecordFigure"];
            /** @description Payout minus price paid, on the first alert of each event. */
            payout: components["schemas"]["RecordFigure"];
            /** @description The capital of the bettor on the price a day later, ascending by time; empty without a bet. */
            bankroll: components["schemas"]["RecordCapitalPoint"][];
        };
        /**
         * @description What the bettors of the record show.
         * @enum {string}
         */
        RecordVerdict: "not_shown" | "above" | "below";
        /**
         * @description Body of `registerWebhook`.
         * @example {
         *       "url": "https://example.com/hooks/alerts",
         *       "categories": "crypto,politics",
         *       "min_signal": 60
         *     }
         */
        RegisterWebhook: {
            /**
             * Format: uri
             * @description The URL that alerts are sent to: https, on the public internet, port 443 or a port from 1024 up.
             * @example https://example.com/hooks/alerts
             */
            url: string;
            /**
             * @description Format of the deliveries, which like the `url` cannot be changed later; `json` if omitted. `json`: the bodies documented here, acknowledged by 200 only. `discord`, `slack` (also Mattermost and others that accept its format), `ntfy`: human-readable messages to a webhook or topic there, acknowledged by any 2xx.
             * @example discord
             */
            format?: components["schemas"]["WebhookFormat"];
            /** @description Comma-separated list of crypto, politics, world, tech, finance, pop_culture, other; all categories if omitted. */
            categories?: string | null;
            /**
             * @description Only alerts with at least this score are sent; all if omitted.
             * @example 70
             */
            min_signal?: number | null;
            /** @description Only alerts that pass all of these filters are sent; all if omitted. */
            filters?: components["schemas"]["GivenWebhookFilters"] | null;
            /** @description Comma-separated, of alert, outcome; alerts only if omitted. An outcome is sent if at least one alert of its market passes the categories, the signal and the filters. */
            events?: string | null;
        };
        /**
         * @description The invented alert that a webhook test sends. Its `id` is 0.
         * @example {
         *       "id": 0,
         *       "alert_type": "fresh",
         *       "wallet_address": "0x0000000000000000000000000000000000000000",
         *       "market_id": "0x0000000000000000000000000000000000000000",
         *       "event_title": "TEST: does this delivery arrive? (no real market)",
         *       "event_slug": "test-no-real-market",
         *       "side": "BUY",
         *       "outcome": "TEST",
         *       "entry_price": 0.5,
         *       "usdc_value": 1234.56,
         *       "signal_score": 100,
         *       "category": "other",
         *       "trade_count": 1,
         *       "created_at": "2026-03-14 09:26:53",
         *       "resolved": false,
         *       "won": null,
         *       "profit_usdc": null,
         *       "details": {
         *         "wallet_age_days": 0,
         *         "is_accumulating": false,
         *         "market_buy_count": 1,
         *         "market_total_bought": 1234.56,
         *         "market_avg_price": 0.5,
         *         "position_shares": 2469.12,
         *         "position_known": true,
         *         "to_win_usdc": 1234.56,
         *         "role": null,
         *         "reasons": [
         *           {
         *             "factor": "wallet_age",
         *             "points": 100,
         *             "max": 100,
         *             "note": "made up for a test"
         *           }
         *         ],
         *         "rule_version": "test",
         *         "thread_id": 0,
         *         "supersedes": null,
         *         "traded_at": "2026-03-14T09:26:53.120Z",
         *         "detected_at": "2026-03-14T09:26:53.120Z",
         *         "published_at": "2026-03-14T09:26:53.120Z",
         *         "position_profit_usdc": null,
         *         "bet": {
         *           "put_in_usdc": 1234.56,
         *           "mean_price": 0.5,
         *           "to_win_usdc": 1234.56,
         *           "held_share": 1,
         *           "result_usdc": null
         *         },
         *         "market_url": "https://polymarket.com/search?_q=TEST%3A%20does%20this%20delivery%20arrive%3F%20(no%20real%20market)"
         *       },
         *       "log": null,
         *       "test": true
         *     }
         */
        SampleAlert: {
            /**
             * Format: int64
             * @description Unique alert identifier.
             */
            id: number;
            /** @description Why the trade was suspicious. */
            alert_type: components["schemas"]["AlertType"];
            /** @description Address of the trading wallet. */
            wallet_address: string;
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description Direction of the trade. */
            side: components["schemas"]["Side"];
            /** @description Outcome traded. */
            outcome: string;
            /**
             * Format: double
             * @description Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second.
             */
            entry_price: number;
            /**
             * Format: double
             * @description Size of the whole order in USDC.
             */
            usdc_value: number;
            /** @description Signal score, 0 to 100. */
            signal_score: number;
            /** @description Category of the market. */
            category: components["schemas"]["Category"];
            /** @description Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`. */
            trade_count: number;
            /** @description When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /** @description Whether the market has resolved. */
            resolved: boolean;
            /** @description Whether the outcome bought came true; null while unresolved. */
            won: boolean | null;
            /**
             * Format: double
             * @description Profit of the order if held to the end, in USDC before fees; null while unresolved.
             */
            profit_usdc: number | null;
            details: components["schemas"]["AlertDetails"];
            /** @description The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert. */
            log: components["schemas"]["LogHead"] | null;
            /** @description Always true. Present only in requests of `POST /webhooks/{webhook_id}/test`. */
            test: boolean;
        };
        /** @description One part of a signal score. */
        ScoreReason: {
            /** @description The factor: wallet_age, markets (distinct markets of the wallet), to_win (what is won if the alert is right), timing (hours to the end of the market, or 20% of its day volume and 5,000 USDC), accumulator or cluster. More may be added. */
            factor: string;
            /**
             * Format: double
             * @description Points given.
             */
            points: number;
            /**
             * Format: double
             * @description Maximum of points.
             */
            max: number;
            /** @description Explanation in words. */
            note: string;
        };
        /** @description An alert with the result that an outcome gives it. */
        SettledAlert: {
            /**
             * Format: int64
             * @description The alert.
             */
            id: number;
            /** @description Whether these payouts prove it right; null if they do not contain its outcome. */
            won: boolean | null;
            /**
             * Format: double
             * @description Profit of its order with these payouts, in USDC before fees; null like `won`.
             */
            profit_usdc: number | null;
        };
        /**
         * @description Direction of a trade.
         * @enum {string}
         */
        Side: "BUY" | "SELL";
        /**
         * @description Counts of all alerts. Today begins at UTC midnight.
         * @example {
         *       "total_alerts": 48213,
         *       "alerts_today": 164,
         *       "avg_signal_today": 63.27,
         *       "clusters_today": 5,
         *       "win_rate": 0.5625,
         *       "total_resolved": 32000,
         *       "total_won": 18000
         *     }
         */
        Stats: {
            /** @description All-time number of alerts. */
            total_alerts: number;
            /** @description Alerts since UTC midnight. */
            alerts_today: number;
            /**
             * Format: double
             * @description Average signal score of today’s alerts; 0 when there are none.
             */
            avg_signal_today: number;
            /** @description Times several fresh wallets were caught coordinating buys today. */
            clusters_today: number;
            /**
             * Format: double
             * @description Fraction (0 to 1) of alerts on resolved markets whose trade was correct; 0 when there are none.
             */
            win_rate: number;
            /** @description Alerts whose market has resolved. */
            total_resolved: number;
            /** @description Of those, alerts that were correct. */
            total_won: number;
        };
        /**
         * @description Tier of a key.
         * @enum {string}
         */
        Tier: "free" | "pro" | "enterprise";
        /**
         * @description Trading on the chain that is not judged, as shares of volume: the USDC of the orders that took liquidity, in 5 blocks every 5 minutes of the last 24 hours, since the service started.
         * @example {
         *       "since": "2026-03-13T10:20:00.000Z",
         *       "until": "2026-03-14T10:15:00.000Z",
         *       "blocks": 1435,
         *       "volume_usdc": 812345.67,
         *       "combos_share": 0.012,
         *       "other_contracts_share": 0
         *     }
         */
        UnwatchedVolume: {
            /**
             * Format: date-time
             * @description Time of the oldest block of the sample.
             */
            since: string;
            /**
             * Format: date-time
             * @description Time of the newest.
             */
            until: string;
            /** @description Number of blocks. */
            blocks: number;
            /**
             * Format: double
             * @description Volume of the sample on the exchanges that are watched, combos included, in USDC.
             */
            volume_usdc: number;
            /**
             * Format: double
             * @description Part of this volume in combos: positions in several markets, which have no market of their own.
             */
            combos_share: number;
            /** @description Volume of other contracts that emit the same event, as a share of their volume plus `volume_usdc`; anyone can deploy such a contract. Null: not known, because the node does not search all contracts. */
            other_contracts_share: number | null;
        };
        /**
         * @description Body of `updateWebhook`.
         * @example {
         *       "paused": true
         *     }
         */
        UpdateWebhook: {
            /** @description Comma-separated list of crypto, politics, world, tech, finance, pop_culture, other; null for all categories. */
            categories?: string | null;
            /**
             * @description Only alerts with at least this score are sent; null for all.
             * @example 70
             */
            min_signal?: number | null;
            /** @description Only alerts that pass all of these filters are sent; null for all. */
            filters?: components["schemas"]["GivenWebhookFilters"] | null;
            /** @description Comma-separated, of alert, outcome; null for alerts only. */
            events?: string | null;
            /**
             * @description True pauses deliveries, false resumes them.
             * @example true
             */
            paused?: boolean;
        };
        /** @description The request has invalid values. */
        ValidationError: {
            /** @description All invalid values. */
            detail: components["schemas"]["ValueProblem"][];
            code: components["schemas"]["ErrorCode"];
        };
        /** @description One invalid value. */
        ValueProblem: {
            /** @description Location: `body`, `query` or `path`, then the name. */
            loc: string[];
            /** @description The problem, in words. */
            msg: string;
            /** @description The kind of problem, for example `missing` or `int_parsing`. */
            type: string;
        };
        /**
         * @description What the service knows about a wallet.
         * @example {
         *       "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *       "first_seen": "2026-03-14 09:26:53",
         *       "age_days_at_first_alert": 1,
         *       "total": 1,
         *       "alerts": [
         *         {
         *           "id": 4821,
         *           "alert_type": "fresh",
         *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
         *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *           "event_title": "Will the measure pass before July?",
         *           "side": "BUY",
         *           "outcome": "Yes",
         *           "entry_price": 0.34,
         *           "usdc_value": 18400,
         *           "signal_score": 78,
         *           "category": "politics",
         *           "created_at": "2026-03-14 09:26:53"
         *         }
         *       ],
         *       "has_more": false,
         *       "record": {
         *         "settled_markets": 0,
         *         "settled_positions": 0,
         *         "won": null,
         *         "lost": null,
         *         "win_rate": null,
         *         "profit_usdc": null,
         *         "reason": "too few to say: 0 settled, and fewer than 10 markets may be chance"
         *       },
         *       "positions": {
         *         "total": 1,
         *         "newest": [
         *           {
         *             "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *             "event_title": "Will the measure pass before July?",
         *             "event_slug": "will-the-measure-pass-before-july",
         *             "side": "BUY",
         *             "outcome": "Yes",
         *             "total_usdc": 18400,
         *             "shares": 54117.65,
         *             "avg_price": 0.34,
         *             "payout": null,
         *             "profit_usdc": null,
         *             "alert_ids": [
         *               4821
         *             ]
         *           }
         *         ]
         *       },
         *       "clusters": {
         *         "total": 1,
         *         "newest": [
         *           {
         *             "id": 4833,
         *             "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
         *             "event_title": "Will the measure pass before July?",
         *             "outcome": "Yes",
         *             "signal_score": 91,
         *             "members": 3,
         *             "total_usdc": 31200.5,
         *             "created_at": "2026-03-14 11:02:10"
         *           }
         *         ]
         *       }
         *     }
         */
        Wallet: {
            /** @description Address of the wallet, in lower case. */
            wallet_address: string;
            /** @description When the first alert that names the wallet was created, as its own or as a member of a cluster: `YYYY-MM-DD HH:MM:SS`, UTC. */
            first_seen: string;
            /** @description Age of the wallet at its first own alert, in whole days; null if it is a member of clusters only. */
            age_days_at_first_alert: number | null;
            /** @description Alerts whose `wallet_address` it is. */
            total: number;
            /** @description A page of them, newest first. */
            alerts: components["schemas"]["AlertItem"][];
            /** @description Whether there are older ones. `Link` leads to them. */
            has_more: boolean;
            record: components["schemas"]["WalletRecord"];
            /** @description Its positions, from its newest 1,000 alerts. */
            positions: {
                /** @description Number of positions. */
                total: number;
                /** @description At most 50, those with the newest alerts first; `GET /exits` returns what was sold. */
                newest: components["schemas"]["WalletPosition"][];
            };
            /** @description Clusters that the wallet is a member of. */
            clusters: {
                /** @description Clusters that the wallet is a member of. */
                total: number;
                /** @description The newest of them, at most 20, newest first. */
                newest: components["schemas"]["WalletCluster"][];
            };
        };
        /** @description A cluster that the wallet is a member of. */
        WalletCluster: {
            /**
             * Format: int64
             * @description Identifier of the alert; `GET /alerts/{id}` returns its members.
             */
            id: number;
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Outcome bought. */
            outcome: string;
            /** @description Signal score, 0 to 100. */
            signal_score: number;
            /** @description Wallets in the cluster. */
            members: number;
            /**
             * Format: double
             * @description Sum of their buys, in USDC.
             */
            total_usdc: number;
            /** @description When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
        };
        /** @description What a wallet holds or sold of one outcome, according to its newest alert on it. */
        WalletPosition: {
            /** @description Market identifier. */
            market_id: string;
            /** @description Market question text. */
            event_title: string;
            /** @description Market slug. */
            event_slug: string;
            /** @description Direction of the trades. */
            side: components["schemas"]["Side"];
            /** @description Outcome traded. */
            outcome: string;
            /**
             * Format: double
             * @description What its buys cost, in USDC; for a sale, its proceeds.
             */
            total_usdc: number;
            /**
             * Format: double
             * @description Shares bought, or sold.
             */
            shares: number;
            /**
             * Format: double
             * @description Their mean price, in USDC per share.
             */
            avg_price: number;
            /**
             * Format: double
             * @description What a share paid, in USDC; null while the market is not settled.
             */
            payout: number | null;
            /**
             * Format: double
             * @description Profit if held to the end, in USDC before fees; null while the market is not settled.
             */
            profit_usdc: number | null;
            /** @description Its alerts on this outcome, ascending. */
            alert_ids: number[];
        };
        /** @description What became of the positions of a wallet, from its newest 1,000 alerts. */
        WalletRecord: {
            /** @description Settled markets in which the wallet has alerts of its own. */
            settled_markets: number;
            /** @description Its positions in them: each outcome and side once, according to its newest alert. */
            settled_positions: number;
            /** @description Markets in which more of its positions were right than wrong. */
            won: number | null;
            /** @description Markets in which more of its positions were wrong than right. */
            lost: number | null;
            /**
             * Format: double
             * @description Mean over the markets of the share of its positions that were right, 0 to 1: one market, one vote.
             */
            win_rate: number | null;
            /**
             * Format: double
             * @description Profit of its positions if held to the end, in USDC before fees.
             */
            profit_usdc: number | null;
            /** @description Why the figures are null: fewer than 10 settled markets are too few to say. Else null. */
            reason: string | null;
        };
        /**
         * @description A registered webhook.
         * @example {
         *       "id": "wh_mR8qX2vT0aLw5bNz",
         *       "url": "https://example.com/hooks/alerts",
         *       "format": "json",
         *       "categories": "crypto,politics",
         *       "min_signal": 60,
         *       "filters": {
         *         "side": "BUY",
         *         "min_usdc": 5000
         *       },
         *       "events": "alert,outcome,exit",
         *       "paused": false,
         *       "created_at": "2026-03-14 09:26:53",
         *       "secret_rotated_at": null,
         *       "deliveries": {
         *         "delivered": 41,
         *         "failed": 1,
         *         "failures_in_a_row": 0
         *       }
         *     }
         */
        Webhook: {
            /**
             * @description Id of the webhook.
             * @example wh_mR8qX2vT0aLw5bNz
             */
            id: string;
            /** @description The URL that alerts and outcomes are sent to. */
            url: string;
            /** @description Format of the deliveries: JSON, or human-readable messages for Discord, Slack or ntfy. */
            format: components["schemas"]["WebhookFormat"];
            /**
             * @description Comma-separated; null means every category.
             * @example crypto,politics
             */
            categories: string | null;
            /** @description Alerts with at least this score; null means all. */
            min_signal: number | null;
            /** @description Further conditions, all of which must match; null means none. */
            filters: components["schemas"]["WebhookFilters"] | null;
            /**
             * @description What is sent, comma-separated: alert, outcome, exit.
             * @example alert
             */
            events: string;
            /** @description True: no alerts are sent. Alerts published while it is paused are not sent later. */
            paused: boolean;
            /** @description When it was registered: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /** @description When the secret was last rotated: `YYYY-MM-DD HH:MM:SS`, UTC; null if never. */
            secret_rotated_at: string | null;
            deliveries: components["schemas"]["DeliveryCounts"];
        };
        /**
         * @description A page of the deliveries of a webhook.
         * @example {
         *       "deliveries": [
         *         {
         *           "id": "msg_4821_mR8qX2vT0aLw5bNz",
         *           "alert_id": 4821,
         *           "outcome": null,
         *           "exit": null,
         *           "repeats": null,
         *           "test": false,
         *           "status": "delivered",
         *           "response_status": 200,
         *           "duration_ms": 87,
         *           "error": null,
         *           "retry_after": null,
         *           "created_at": "2026-03-14 09:26:53",
         *           "finished_at": "2026-03-14 09:26:53"
         *         }
         *       ],
         *       "has_more": true
         *     }
         */
        WebhookDeliveries: {
            /** @description Newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Whether there are older deliveries. `Link` leads to them. */
            has_more: boolean;
        };
        /**
         * @description The delivery of one alert, outcome or exit, or of a test, to one webhook.
         * @example {
         *       "id": "msg_4821_mR8qX2vT0aLw5bNz.1",
         *       "alert_id": 4821,
         *       "outcome": null,
         *       "exit": null,
         *       "repeats": "msg_4821_mR8qX2vT0aLw5bNz",
         *       "test": false,
         *       "status": "requested",
         *       "response_status": null,
         *       "duration_ms": null,
         *       "error": null,
         *       "retry_after": null,
         *       "created_at": "2026-03-14 09:26:53",
         *       "finished_at": null
         *     }
         */
        WebhookDelivery: {
            /** @description Id of the delivery: the header `webhook-id`, unless it repeats another delivery, whose header it then carries. */
            id: string;
            /**
             * Format: int64
             * @description The alert; null for others.
             */
            alert_id: number | null;
            /**
             * Format: int64
             * @description Number of the outcome; null for others.
             */
            outcome: number | null;
            /**
             * Format: int64
             * @description Number of the exit; null for others.
             */
            exit: number | null;
            /** @description Id of the delivery that this one repeats at your request; null for others. */
            repeats: string | null;
            /** @description True for a test. */
            test: boolean;
            /** @description `pending`: waits for its turn; `requested`: waits to be sent again, as its owner has asked; `claimed`: is being sent; `delivered`: was answered 200 within 5 seconds, or any 2xx if the format is not `json`; `failed`: was not delivered; `error` says why; `unknown`: was being sent when its process ended: it may have arrived, and is not sent again; `expired`: waited for more than 10 minutes, and was not sent; `cancelled`: was not sent: the webhook was deleted or paused, or its key may no longer have webhooks. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description HTTP status of the answer; null if there was none, or nothing was sent. */
            response_status: number | null;
            /** @description Duration of the attempt; null if there was none, or its outcome is unknown. */
            duration_ms: number | null;
            /** @description Why the attempt failed; null if it did not. `dns`: the name of the host could not be resolved; `not_public`: it leads to an address that is not public, and nothing was sent there; `refused`: no connection could be made; `tls`: no secure connection: a certificate that is wrong, expired or from an unknown authority, or a server without TLS; `reset`: the connection broke before there was an answer; `protocol`: the answer is not HTTP; `timeout`: no status within 5 seconds, including the time to connect; `redirect`: it answered with a redirect (3xx); these are not followed; `status`: it answered with a status that does not acknowledge the delivery. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Seconds that the receiver asked to wait (`Retry-After`) when it refused, for example with 429, at most 7 days; null if it did not. It does not cause a retry. */
            retry_after: number | null;
            /** @description When it was created: `YYYY-MM-DD HH:MM:SS`, UTC. */
            created_at: string;
            /** @description When it ended: `YYYY-MM-DD HH:MM:SS`, UTC; null while it is pending. */
            finished_at: string | null;
        };
        /**
         * @description Alert filters, named as in `GET /alerts` and presets. All must match; a null filter is not set.
         * @example {
         *       "side": "BUY",
         *       "min_usdc": 5000
         *     }
         */
        WebhookFilters: {
            /** @description A category value. */
            category?: components["schemas"]["Category"] | null;
            /** @description Any of these categories, separated by commas. With `category`, both must match. Default: all. */
            categories?: string | null;
            /** @description Direction of the trade. */
            side?: components["schemas"]["Side"] | null;
            /** @description Only trades larger than this USDC amount. */
            min_usdc?: number | null;
            /** @description Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members. */
            min_position?: number | null;
            /** @description Only alerts with at least this signal score. */
            min_signal?: number | null;
            /** @description Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter. */
            search?: string | null;
            /** @description Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter. */
            wallet?: string | null;
            /** @description Market identifier, or the market slug as given in the alert. Case does not matter. */
            market?: string | null;
            /** @description Kind of alert. */
            alert_type?: components["schemas"]["AlertType"] | null;
        };
        /**
         * @description How deliveries are written.
         * @enum {string}
         */
        WebhookFormat: "json" | "discord" | "slack" | "ntfy";
        /**
         * @description The webhook is registered.
         * @example {
         *       "id": "wh_mR8qX2vT0aLw5bNz",
         *       "url": "https://example.com/hooks/alerts",
         *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+JqT2kE1bWc="
         *     }
         */
        WebhookRegistered: {
            /**
             * @description Id of the webhook.
             * @example wh_mR8qX2vT0aLw5bNz
             */
            id: string;
            /** @description The URL that alerts and outcomes are sent to. */
            url: string;
            /** @description Signs the deliveries (Standard Webhooks). Shown only once. */
            secret: string;
        };
        /**
         * @description Oldest first.
         * @example [
         *       {
         *         "id": "wh_mR8qX2vT0aLw5bNz",
         *         "url": "https://example.com/hooks/alerts",
         *         "format": "json",
         *         "categories": "crypto,politics",
         *         "min_signal": 60,
         *         "filters": {
         *           "side": "BUY",
         *           "min_usdc": 5000
         *         },
         *         "events": "alert,outcome,exit",
         *         "paused": false,
         *         "created_at": "2026-03-14 09:26:53",
         *         "secret_rotated_at": null,
         *         "deliveries": {
         *           "delivered": 41,
         *           "failed": 1,
         *           "failures_in_a_row": 0
         *         }
         *       }
         *     ]
         */
        Webhooks: components["schemas"]["Webhook"][];
        /**
         * @description The secret is rotated.
         * @example {
         *       "id": "wh_mR8qX2vT0aLw5bNz",
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDhSv6oGQ2yQk=",
         *       "previous_secret_valid_until": "2026-03-15 09:26:53"
         *     }
         */
        WebhookSecretRotated: {
            /**
             * @description Id of the webhook.
             * @example wh_mR8qX2vT0aLw5bNz
             */
            id: string;
            /** @description The new secret. Shown only once. */
            secret: string;
            /** @description The time, 24 hours from now, until which deliveries are signed with the new and with the previous secret: `YYYY-MM-DD HH:MM:SS`, UTC. */
            previous_secret_valid_until: string;
        };
        /**
         * @description The result of a test, whatever the answer of the receiver.
         * @example {
         *       "id": "msg_test_k4Tt0pZ8vQx1aLw5",
         *       "status": "failed",
         *       "response_status": 429,
         *       "duration_ms": 212,
         *       "error": "status",
         *       "retry_after": 3
         *     }
         */
        WebhookTestResult: {
            /** @description Id of the delivery: the header `webhook-id`, unless it repeats another delivery, whose header it then carries. */
            id: string;
            /**
             * @description `delivered` if the receiver acknowledged it within 5 seconds.
             * @enum {string}
             */
            status: "delivered" | "failed";
            /** @description HTTP status of the answer; null if there was none, or nothing was sent. */
            response_status: number | null;
            /** @description Duration of the attempt. */
            duration_ms: number;
            /** @description Why the attempt failed; null if it did not. `dns`: the name of the host could not be resolved; `not_public`: it leads to an address that is not public, and nothing was sent there; `refused`: no connection could be made; `tls`: no secure connection: a certificate that is wrong, expired or from an unknown authority, or a server without TLS; `reset`: the connection broke before there was an answer; `protocol`: the answer is not HTTP; `timeout`: no status within 5 seconds, including the time to connect; `redirect`: it answered with a redirect (3xx); these are not followed; `status`: it answered with a status that does not acknowledge the delivery. */
            error: components["schemas"]["DeliveryError"] | null;
            /** @description Seconds that the receiver asked to wait (`Retry-After`) when it refused, for example with 429, at most 7 days; null if it did not. It does not cause a retry. */
            retry_after: number | null;
        };
    };
    responses: {
        /** @description The key is missing, unknown or revoked. Code: `key_missing`, `key_invalid`, `operator_only`. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Invalid API key.",
                 *       "code": "key_invalid"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The tier of the key does not include this feature. Code: `tier_required`, `foreign_origin`. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Webhooks need the enterprise tier; this key is pro.",
                 *       "code": "tier_required"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not found for this key. Code: `alert_not_found`, `wallet_not_found`, `market_not_found`, `outcome_not_found`, `exit_not_found`, `preset_not_found`, `webhook_not_found`, `delivery_not_found`, `path_not_found`. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Alert 4821 was not found.",
                 *       "code": "alert_not_found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request conflicts with what the key has, or the key has reached its maximum. Code: `preset_limit_reached`, `webhook_limit_reached`, `webhook_url_taken`, `delivery_not_repeatable`. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "A key has at most 20 webhooks. Delete one with DELETE /webhooks/{webhook_id} first.",
                 *       "code": "webhook_limit_reached"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KB. Code: `body_too_large`. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The request body is too large.",
                 *       "code": "body_too_large"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not sent as `application/json` in UTF-8, or it is compressed. Code: `unsupported_media_type`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Unsupported media type. Send application/json in UTF-8, without compression.",
                 *       "code": "unsupported_media_type"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request has invalid values; each is named. Code: `invalid_request`. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": [
                 *         {
                 *           "loc": [
                 *             "body",
                 *             "name"
                 *           ],
                 *           "msg": "Field required",
                 *           "type": "missing"
                 *         }
                 *       ],
                 *       "code": "invalid_request"
                 *     }
                 */
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description A limit was exceeded: requests, simultaneous archive requests or downloads, failed keys, or webhook tests. Code: `rate_limited`, `too_many_failures`, `key_check_busy`, `archive_busy`, `too_many_sockets`, `too_many_tests`, `too_many_redeliveries`. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Rate limit exceeded. pro tier: 300 req/min.",
                 *       "code": "rate_limited"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service. Code: `internal_error`. */
        ServerFault: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Internal server error.",
                 *       "code": "internal_error"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is temporarily unavailable. Code: `unavailable`. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "The service is temporarily unavailable. Try again shortly.",
                 *       "code": "unavailable"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Requests refused before an operation is found, and malformed requests: 400, 405, 408, 414, 417, 431. Code: `bad_request`, `invalid_handshake`, `method_not_allowed`, `request_timeout`, `address_too_long`, `expectation_failed`, `headers_too_large`. */
        Refused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Link: components["headers"]["Link"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "detail": "Bad request.",
                 *       "code": "bad_request"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Id of the request. One that the client sends is kept if it is 1 to 64 letters, digits, dots, underscores and hyphens.
         * @example trace-12345678
         */
        "X-Request-Id": string;
        /**
         * @description Requests per minute. Absent for a key without a limit.
         * @example 300
         */
        "RateLimit-Limit": number;
        /**
         * @description Requests left in the window.
         * @example 299
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until the window ends.
         * @example 60
         */
        "RateLimit-Reset": number;
        /**
         * @description Requests per minute. Absent for a key without a limit.
         * @example 300
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in the window.
         * @example 299
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Seconds until the window ends.
         * @example 60
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Seconds to wait.
         * @example 7
         */
        "Retry-After": number;
        /**
         * @description The authentication scheme.
         * @example Bearer
         */
        "WWW-Authenticate": string;
        /**
         * @description Unknown query parameters, and unknown filters of the preset that is saved or applied; they are not used. Percent-encoded, at most 20; absent if there are none.
         * @example pagesize, min_score
         */
        "X-Unknown-Parameters": string;
        /**
         * @description The next page (`rel="next"`), absent on the last one; with page numbers above 1 also the page before it (`prev`) and the first (`first`). Each is an absolute path with the query of the request. In an error, the explanation of its code (`rel="help"`).
         * @example </api/v1/alerts?min_signal=60&before_id=4802>; rel="next"
         */
        Link: string;
        /**
         * @description Tag of this version of the body; send it as `If-None-Match`.
         * @example W/"k4Tt0pZ8vQx1"
         */
        ETag: string;
        /**
         * @description How long the answer may be cached.
         * @example no-store
         */
        "Cache-Control": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getJsonFeed: {
        parameters: {
            query?: {
                /**
                 * @description A category value.
                 * @example politics
                 */
                category?: components["schemas"]["Category"];
                /**
                 * @description Any of these categories, separated by commas. With `category`, both must match. Default: all.
                 * @example politics,crypto
                 */
                categories?: string;
                /**
                 * @description Direction of the trade.
                 * @example BUY
                 */
                side?: components["schemas"]["Side"];
                /**
                 * @description Only trades larger than this USDC amount.
                 * @example 5000
                 */
                min_usdc?: number;
                /**
                 * @description Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members.
                 * @example 10000
                 */
                min_position?: number;
                /**
                 * @description Only alerts with at least this signal score.
                 * @example 70
                 */
                min_signal?: number;
                /**
                 * @description Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter.
                 * @example measure
                 */
                search?: string;
                /**
                 * @description Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter.
                 * @example 0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b
                 */
                wallet?: string;
                /**
                 * @description Market identifier, or the market slug as given in the alert. Case does not matter.
                 * @example will-the-measure-pass
                 */
                market?: string;
                /**
                 * @description Kind of alert.
                 * @example cluster
                 */
                alert_type?: components["schemas"]["AlertType"];
                /**
                 * @description The `feed_token` of a preset, whose filters are applied. Filters in the query take precedence.
                 * @example Wq3xT0vN8mRzL2kJ5aBcDg
                 */
                preset?: string;
                /**
                 * @description What the feed contains: a comma-separated list of alert, outcome and exit; default: alert. An outcome is there if an alert of its market passes the filters, an exit if the newest alert of its thread does.
                 * @example alert,outcome,exit
                 */
                events?: string;
            };
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest alerts as JSON Feed 1.1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "https://jsonfeed.org/version/1.1",
                     *       "title": "Tipoff alerts",
                     *       "home_page_url": "https://api.example.com/",
                     *       "feed_url": "https://api.example.com/feed.json",
                     *       "description": "Bets on Polymarket that look informed, 5 minutes after they were published.",
                     *       "language": "en",
                     *       "items": [
                     *         {
                     *           "id": "urn:tipoff:alert:4821",
                     *           "url": "https://api.example.com/alerts/4821",
                     *           "external_url": "https://polymarket.com/event/when-will-the-measure-pass/will-the-measure-pass-before-july",
                     *           "title": "Will the measure pass before July? (score 78)",
                     *           "content_text": "A new wallet: $18,400 on Yes at 34¢ to win $35,718. Score 78 of 100. Traded 2026-03-14 09:26 UTC.",
                     *           "date_published": "2026-03-14T09:26:53.120Z",
                     *           "tags": [
                     *             "politics",
                     *             "fresh"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": components["schemas"]["Feed"];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getAtomFeed: {
        parameters: {
            query?: {
                /**
                 * @description A category value.
                 * @example politics
                 */
                category?: components["schemas"]["Category"];
                /**
                 * @description Any of these categories, separated by commas. With `category`, both must match. Default: all.
                 * @example politics,crypto
                 */
                categories?: string;
                /**
                 * @description Direction of the trade.
                 * @example BUY
                 */
                side?: components["schemas"]["Side"];
                /**
                 * @description Only trades larger than this USDC amount.
                 * @example 5000
                 */
                min_usdc?: number;
                /**
                 * @description Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members.
                 * @example 10000
                 */
                min_position?: number;
                /**
                 * @description Only alerts with at least this signal score.
                 * @example 70
                 */
                min_signal?: number;
                /**
                 * @description Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter.
                 * @example measure
                 */
                search?: string;
                /**
                 * @description Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter.
                 * @example 0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b
                 */
                wallet?: string;
                /**
                 * @description Market identifier, or the market slug as given in the alert. Case does not matter.
                 * @example will-the-measure-pass
                 */
                market?: string;
                /**
                 * @description Kind of alert.
                 * @example cluster
                 */
                alert_type?: components["schemas"]["AlertType"];
                /**
                 * @description The `feed_token` of a preset, whose filters are applied. Filters in the query take precedence.
                 * @example Wq3xT0vN8mRzL2kJ5aBcDg
                 */
                preset?: string;
                /**
                 * @description What the feed contains: a comma-separated list of alert, outcome and exit; default: alert. An outcome is there if an alert of its market passes the filters, an exit if the newest alert of its thread does.
                 * @example alert,outcome,exit
                 */
                events?: string;
            };
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest alerts as an Atom feed (RFC 4287). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom">
                     *         <id>https://api.example.com/feed.xml</id>
                     *         <title>Tipoff alerts</title>
                     *         <updated>2026-03-14T09:26:53.120Z</updated>
                     *         <entry>
                     *             <title type="html"><![CDATA[Will the measure pass before July? (score 78)]]></title>
                     *             <id>urn:tipoff:alert:4821</id>
                     *             <link href="https://api.example.com/alerts/4821"/>
                     *             <updated>2026-03-14T09:26:53.120Z</updated>
                     *         </entry>
                     *     </feed>
                     */
                    "text/xml": components["schemas"]["AtomFeed"];
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom">
                     *         <id>https://api.example.com/feed.xml</id>
                     *         <title>Tipoff alerts</title>
                     *         <updated>2026-03-14T09:26:53.120Z</updated>
                     *         <entry>
                     *             <title type="html"><![CDATA[Will the measure pass before July? (score 78)]]></title>
                     *             <id>urn:tipoff:alert:4821</id>
                     *             <link href="https://api.example.com/alerts/4821"/>
                     *             <updated>2026-03-14T09:26:53.120Z</updated>
                     *         </entry>
                     *     </feed>
                     */
                    "application/atom+xml": components["schemas"]["AtomFeed"];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getPublicRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the alerts were worth: prices after them and payouts, losses included. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-12-01T09:55:00.000Z",
                     *       "rules": {
                     *         "version": "4",
                     *         "sha256": "9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d"
                     *       },
                     *       "starts_at": "2027-01-01",
                     *       "is_rehearsal": true,
                     *       "conclusion": "Too early to say: 0 of the first 20 hypothetical test bets are done. A test bet buys what one alert bought, a minute after publication, and sells it a day later.",
                     *       "results": null,
                     *       "alerts": 0,
                     *       "counted": 0,
                     *       "settled": 0,
                     *       "right": 0,
                     *       "day_later": {
                     *         "threshold": 50,
                     *         "bets": 0,
                     *         "open": 0,
                     *         "mean": null,
                     *         "low": null,
                     *         "high": null,
                     *         "bought": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "sold": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "verdict": "not_shown"
                     *       },
                     *       "payout": {
                     *         "threshold": 200,
                     *         "bets": 0,
                     *         "open": 0,
                     *         "mean": null,
                     *         "low": null,
                     *         "high": null,
                     *         "bought": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "sold": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "verdict": "not_shown"
                     *       },
                     *       "bankroll": []
                     *     }
                     */
                    "application/json": components["schemas"]["RecordReport"];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getHotMarkets: {
        parameters: {
            query?: {
                /**
                 * @description Length of the window. It ends now; without a real-time key, 5 minutes ago.
                 * @example 24h
                 */
                period?: "1h" | "6h" | "24h" | "7d" | "30d";
                /**
                 * @description Markets per list.
                 * @example 10
                 */
                limit?: number;
                /**
                 * @description A category value.
                 * @example politics
                 */
                category?: components["schemas"]["Category"];
            };
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The leaderboards. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "period": "24h",
                     *       "most_alerts": [
                     *         {
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "event_slug": "will-the-measure-pass-before-july",
                     *           "category": "politics",
                     *           "alert_count": 7,
                     *           "avg_signal": 71.43,
                     *           "total_usdc": 96250.5,
                     *           "latest_alert": "2026-03-14T09:26:53"
                     *         }
                     *       ],
                     *       "highest_signal": [
                     *         {
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "event_slug": "will-the-measure-pass-before-july",
                     *           "category": "politics",
                     *           "alert_count": 7,
                     *           "avg_signal": 71.43,
                     *           "total_usdc": 96250.5,
                     *           "latest_alert": "2026-03-14T09:26:53"
                     *         }
                     *       ],
                     *       "biggest_trades": [
                     *         {
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "event_slug": "will-the-measure-pass-before-july",
                     *           "category": "politics",
                     *           "alert_count": 7,
                     *           "avg_signal": 71.43,
                     *           "total_usdc": 96250.5,
                     *           "latest_alert": "2026-03-14T09:26:53"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HotMarkets"];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getCoverage: {
        parameters: {
            query?: {
                /**
                 * @description Windows that end after this time: `YYYY-MM-DD HH:MM:SS` (UTC), or ISO 8601 with a zone. Default: 30 days before `until`.
                 * @example 2026-03-01 00:00:00
                 */
                since?: string;
                /**
                 * @description Windows that began before this time, in the format of `since`. Default: now.
                 * @example 2026-03-31 23:59:59
                 */
                until?: string;
                /**
                 * @description Maximum number of windows.
                 * @example 20
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which periods the live feed covered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "live",
                     *       "watching_since": "2026-02-01T08:00:00.000Z",
                     *       "confirmed_until": "2026-03-14T10:15:02.310Z",
                     *       "blind_now": null,
                     *       "reason": null,
                     *       "message": null,
                     *       "facts_delayed": null,
                     *       "unwatched": {
                     *         "since": "2026-03-13T10:20:00.000Z",
                     *         "until": "2026-03-14T10:15:00.000Z",
                     *         "blocks": 1435,
                     *         "volume_usdc": 812345.67,
                     *         "combos_share": 0.012,
                     *         "other_contracts_share": 0
                     *       },
                     *       "windows": [
                     *         {
                     *           "started_at": "2026-03-14T09:26:53.000Z",
                     *           "ended_at": "2026-03-14T09:31:20.000Z",
                     *           "seconds": 267,
                     *           "cause": "unreachable",
                     *           "backfilled": true,
                     *           "backfilled_at": "2026-03-14T09:31:24.120Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "summary": {
                     *         "since": "2026-02-12T10:15:03.000Z",
                     *         "until": "2026-03-14T10:15:03.000Z",
                     *         "windows": 1,
                     *         "blind_seconds": 267,
                     *         "unconfirmed_seconds": 0,
                     *         "not_backfilled_seconds": 0,
                     *         "covered": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Coverage"];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The last `seq` you have; 0 for the beginning.
                 * @example 5116
                 */
                after?: number;
                /**
                 * @description Only events of these kinds, with commas between them: `alert`, `exit`, `settlement`, `correction`, `withdrawal`, `gap`, `rules`.
                 * @example settlement,correction
                 */
                kind?: string;
                /**
                 * @description Maximum number of events. With 0 the answer is the head alone.
                 * @example 100
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the log. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "at": "2026-03-14T09:31:20.004Z",
                     *           "body": {
                     *             "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *             "outcomes": [
                     *               "Yes",
                     *               "No"
                     *             ],
                     *             "payouts": [
                     *               1,
                     *               0
                     *             ],
                     *             "settled_at": "2026-03-14T09:31:20.004Z"
                     *           },
                     *           "epoch": 12,
                     *           "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb",
                     *           "key": "settlement:0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1:0",
                     *           "kind": "settlement",
                     *           "previous": "9b74c9897bac770ffc029102a200c5de7fdd9d2d6c8ae8bcb2d1b0a1d3e4f567",
                     *           "seq": 5117
                     *         }
                     *       ],
                     *       "head": {
                     *         "seq": 5117,
                     *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb",
                     *         "at": "2026-03-14T09:31:20.004Z"
                     *       },
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getApiDescription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.1",
                     *       "info": {
                     *         "title": "Tipoff",
                     *         "version": "1.0"
                     *       }
                     *     }
                     */
                    "application/json": {
                        openapi: string;
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            default: components["responses"]["Refused"];
        };
    };
    getStreamDescription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An AsyncAPI 3.0 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asyncapi": "3.0.0",
                     *       "info": {
                     *         "title": "Tipoff stream",
                     *         "version": "1.0"
                     *       }
                     *     }
                     */
                    "application/json": {
                        asyncapi: string;
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            default: components["responses"]["Refused"];
        };
    };
    getLatestAlerts: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of alerts.
                 * @example 10
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alerts, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 4821,
                     *         "alert_type": "fresh",
                     *         "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *         "event_title": "Will the measure pass before July?",
                     *         "event_slug": "will-the-measure-pass-before-july",
                     *         "side": "BUY",
                     *         "outcome": "Yes",
                     *         "entry_price": 0.34,
                     *         "usdc_value": 18400,
                     *         "signal_score": 78,
                     *         "category": "politics",
                     *         "trade_count": 1,
                     *         "created_at": "2026-03-14 09:26:53",
                     *         "resolved": false,
                     *         "won": null,
                     *         "profit_usdc": null,
                     *         "details": {
                     *           "wallet_age_days": 1,
                     *           "is_accumulating": false,
                     *           "market_buy_count": 1,
                     *           "market_total_bought": 18400,
                     *           "market_avg_price": 0.34,
                     *           "position_shares": 54117.647059,
                     *           "position_known": true,
                     *           "to_win_usdc": 35717.65,
                     *           "role": "taker",
                     *           "position_profit_usdc": null,
                     *           "bet": {
                     *             "put_in_usdc": 18400,
                     *             "mean_price": 0.34,
                     *             "to_win_usdc": 35717.65,
                     *             "held_share": 1,
                     *             "result_usdc": null
                     *           },
                     *           "reasons": [
                     *             {
                     *               "factor": "wallet_age",
                     *               "points": 15,
                     *               "max": 15,
                     *               "note": "wallet 1 day old"
                     *             },
                     *             {
                     *               "factor": "markets",
                     *               "points": 10,
                     *               "max": 10,
                     *               "note": "first market"
                     *             },
                     *             {
                     *               "factor": "to_win",
                     *               "points": 38,
                     *               "max": 55,
                     *               "note": "$35,718 to win with one order"
                     *             },
                     *             {
                     *               "factor": "timing",
                     *               "points": 15,
                     *               "max": 15,
                     *               "note": "14 h before close"
                     *             }
                     *           ],
                     *           "market_url": "https://polymarket.com/event/when-will-the-measure-pass/will-the-measure-pass-before-july",
                     *           "rule_version": "4",
                     *           "thread_id": 4821,
                     *           "supersedes": null,
                     *           "traded_at": "2026-03-14T09:26:51.000Z",
                     *           "detected_at": "2026-03-14T09:26:52.480Z",
                     *           "published_at": "2026-03-14T09:26:53.120Z"
                     *         },
                     *         "log": {
                     *           "seq": 5117,
                     *           "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LatestAlert"][];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    searchAlerts: {
        parameters: {
            query?: {
                /**
                 * @description Page number; the preset’s if omitted.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Results per page; the preset’s if omitted. Values above the `max_page_size` of the key are reduced to it.
                 * @example 20
                 */
                page_size?: number;
                /**
                 * @description Only alerts with a smaller id, newest first. For the next page, send the last id of this page, or follow `Link`.
                 * @example 4821
                 */
                before_id?: number;
                /**
                 * @description Only alerts with a larger id, oldest first: a client that sends the last id it has reads each alert once, in order. With `before_id`, only those in between.
                 * @example 4800
                 */
                since_id?: number;
                /**
                 * @description A category value.
                 * @example politics
                 */
                category?: components["schemas"]["Category"];
                /**
                 * @description Any of these categories, separated by commas. With `category`, both must match. Default: all.
                 * @example politics,crypto
                 */
                categories?: string;
                /**
                 * @description Direction of the trade.
                 * @example BUY
                 */
                side?: components["schemas"]["Side"];
                /**
                 * @description Only trades larger than this USDC amount.
                 * @example 5000
                 */
                min_usdc?: number;
                /**
                 * @description Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members.
                 * @example 10000
                 */
                min_position?: number;
                /**
                 * @description Only alerts with at least this signal score.
                 * @example 70
                 */
                min_signal?: number;
                /**
                 * @description Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter.
                 * @example measure
                 */
                search?: string;
                /**
                 * @description Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter.
                 * @example 0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b
                 */
                wallet?: string;
                /**
                 * @description Market identifier, or the market slug as given in the alert. Case does not matter.
                 * @example will-the-measure-pass
                 */
                market?: string;
                /**
                 * @description Kind of alert.
                 * @example cluster
                 */
                alert_type?: components["schemas"]["AlertType"];
                /**
                 * @description Not before this time: `YYYY-MM-DD HH:MM:SS`, the same with a T (both UTC), or ISO 8601 with a zone.
                 * @example 2020-01-01 00:00:00
                 */
                since?: string;
                /**
                 * @description Not after this time, in the format of `since`. Without a fraction, the whole second is included.
                 * @example 2099-12-31T23:59:59Z
                 */
                until?: string;
                /**
                 * @description Whether the market has resolved.
                 * @example true
                 */
                resolved?: boolean;
                /**
                 * @description With `details`, each alert is the full one, as `GET /alerts/{id}` returns it.
                 * @example details
                 */
                expand?: components["schemas"]["Expand"];
                /**
                 * @description Id of a preset whose filters are applied. Filters in the query take precedence.
                 * @example preset_mR8qX2vT0aLw5bNz
                 */
                preset?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the archive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alerts": [
                     *         {
                     *           "id": 4821,
                     *           "alert_type": "fresh",
                     *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "side": "BUY",
                     *           "outcome": "Yes",
                     *           "entry_price": 0.34,
                     *           "usdc_value": 18400,
                     *           "signal_score": 78,
                     *           "category": "politics",
                     *           "created_at": "2026-03-14 09:26:53"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "page": 1,
                     *       "page_size": 20,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["AlertPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    previewFilter: {
        parameters: {
            query?: {
                /**
                 * @description A category value.
                 * @example politics
                 */
                category?: components["schemas"]["Category"];
                /**
                 * @description Any of these categories, separated by commas. With `category`, both must match. Default: all.
                 * @example politics,crypto
                 */
                categories?: string;
                /**
                 * @description Direction of the trade.
                 * @example BUY
                 */
                side?: components["schemas"]["Side"];
                /**
                 * @description Only trades larger than this USDC amount.
                 * @example 5000
                 */
                min_usdc?: number;
                /**
                 * @description Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members.
                 * @example 10000
                 */
                min_position?: number;
                /**
                 * @description Only alerts with at least this signal score.
                 * @example 70
                 */
                min_signal?: number;
                /**
                 * @description Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter.
                 * @example measure
                 */
                search?: string;
                /**
                 * @description Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter.
                 * @example 0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b
                 */
                wallet?: string;
                /**
                 * @description Market identifier, or the market slug as given in the alert. Case does not matter.
                 * @example will-the-measure-pass
                 */
                market?: string;
                /**
                 * @description Kind of alert.
                 * @example cluster
                 */
                alert_type?: components["schemas"]["AlertType"];
                /**
                 * @description Not before this time: `YYYY-MM-DD HH:MM:SS`, the same with a T (both UTC), or ISO 8601 with a zone.
                 * @example 2020-01-01 00:00:00
                 */
                since?: string;
                /**
                 * @description Not after this time, in the format of `since`. Without a fraction, the whole second is included.
                 * @example 2099-12-31T23:59:59Z
                 */
                until?: string;
                /**
                 * @description Whether the market has resolved.
                 * @example true
                 */
                resolved?: boolean;
                /**
                 * @description Id of a preset whose filters are applied. Filters in the query take precedence.
                 * @example preset_mR8qX2vT0aLw5bNz
                 */
                preset?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the filter would have matched. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": 30,
                     *       "since": "2026-02-12 09:26:53",
                     *       "until": "2026-03-14 09:26:53",
                     *       "total": 45,
                     *       "alerts_per_day": 1.5,
                     *       "daily": [
                     *         {
                     *           "date": "2026-03-14",
                     *           "alerts": 3
                     *         }
                     *       ],
                     *       "resolved": 30,
                     *       "won": 21,
                     *       "win_rate": 0.7,
                     *       "average_entry": 0.52,
                     *       "edge": 0.18,
                     *       "markets": {
                     *         "resolved": 8,
                     *         "win_rate": 0.6,
                     *         "average_entry": 0.5,
                     *         "edge": 0.1
                     *       },
                     *       "newest": [
                     *         {
                     *           "id": 4821,
                     *           "alert_type": "fresh",
                     *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "side": "BUY",
                     *           "outcome": "Yes",
                     *           "entry_price": 0.34,
                     *           "usdc_value": 18400,
                     *           "signal_score": 78,
                     *           "category": "politics",
                     *           "created_at": "2026-03-14 09:26:53"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Preview"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the alert.
                 * @example 4821
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One suspicious trade. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 4821,
                     *       "alert_type": "fresh",
                     *       "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *       "event_title": "Will the measure pass before July?",
                     *       "event_slug": "will-the-measure-pass-before-july",
                     *       "side": "BUY",
                     *       "outcome": "Yes",
                     *       "entry_price": 0.34,
                     *       "usdc_value": 18400,
                     *       "signal_score": 78,
                     *       "category": "politics",
                     *       "trade_count": 1,
                     *       "created_at": "2026-03-14 09:26:53",
                     *       "resolved": false,
                     *       "won": null,
                     *       "profit_usdc": null,
                     *       "details": {
                     *         "wallet_age_days": 1,
                     *         "is_accumulating": false,
                     *         "market_buy_count": 1,
                     *         "market_total_bought": 18400,
                     *         "market_avg_price": 0.34,
                     *         "position_shares": 54117.647059,
                     *         "position_known": true,
                     *         "to_win_usdc": 35717.65,
                     *         "role": "taker",
                     *         "position_profit_usdc": null,
                     *         "bet": {
                     *           "put_in_usdc": 18400,
                     *           "mean_price": 0.34,
                     *           "to_win_usdc": 35717.65,
                     *           "held_share": 1,
                     *           "result_usdc": null
                     *         },
                     *         "reasons": [
                     *           {
                     *             "factor": "wallet_age",
                     *             "points": 15,
                     *             "max": 15,
                     *             "note": "wallet 1 day old"
                     *           },
                     *           {
                     *             "factor": "markets",
                     *             "points": 10,
                     *             "max": 10,
                     *             "note": "first market"
                     *           },
                     *           {
                     *             "factor": "to_win",
                     *             "points": 38,
                     *             "max": 55,
                     *             "note": "$35,718 to win with one order"
                     *           },
                     *           {
                     *             "factor": "timing",
                     *             "points": 15,
                     *             "max": 15,
                     *             "note": "14 h before close"
                     *           }
                     *         ],
                     *         "market_url": "https://polymarket.com/event/when-will-the-measure-pass/will-the-measure-pass-before-july",
                     *         "rule_version": "4",
                     *         "thread_id": 4821,
                     *         "supersedes": null,
                     *         "traded_at": "2026-03-14T09:26:51.000Z",
                     *         "detected_at": "2026-03-14T09:26:52.480Z",
                     *         "published_at": "2026-03-14T09:26:53.120Z"
                     *       },
                     *       "log": {
                     *         "seq": 5117,
                     *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Alert"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getWallet: {
        parameters: {
            query?: {
                /**
                 * @description Only alerts with a smaller id, newest first. For the next page, send the last id of this page, or follow `Link`.
                 * @example 4821
                 */
                before_id?: number;
                /**
                 * @description Results per page; the preset’s if omitted. Values above the `max_page_size` of the key are reduced to it.
                 * @example 20
                 */
                page_size?: number;
                /**
                 * @description With `details`, each alert is the full one, as `GET /alerts/{id}` returns it.
                 * @example details
                 */
                expand?: components["schemas"]["Expand"];
            };
            header?: never;
            path: {
                /**
                 * @description Address of the wallet, also shortened, or URL of its profile. Case does not matter.
                 * @example 0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b
                 */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the service knows about a wallet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *       "first_seen": "2026-03-14 09:26:53",
                     *       "age_days_at_first_alert": 1,
                     *       "total": 1,
                     *       "alerts": [
                     *         {
                     *           "id": 4821,
                     *           "alert_type": "fresh",
                     *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "side": "BUY",
                     *           "outcome": "Yes",
                     *           "entry_price": 0.34,
                     *           "usdc_value": 18400,
                     *           "signal_score": 78,
                     *           "category": "politics",
                     *           "created_at": "2026-03-14 09:26:53"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "record": {
                     *         "settled_markets": 0,
                     *         "settled_positions": 0,
                     *         "won": null,
                     *         "lost": null,
                     *         "win_rate": null,
                     *         "profit_usdc": null,
                     *         "reason": "too few to say: 0 settled, and fewer than 10 markets may be chance"
                     *       },
                     *       "positions": {
                     *         "total": 1,
                     *         "newest": [
                     *           {
                     *             "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *             "event_title": "Will the measure pass before July?",
                     *             "event_slug": "will-the-measure-pass-before-july",
                     *             "side": "BUY",
                     *             "outcome": "Yes",
                     *             "total_usdc": 18400,
                     *             "shares": 54117.65,
                     *             "avg_price": 0.34,
                     *             "payout": null,
                     *             "profit_usdc": null,
                     *             "alert_ids": [
                     *               4821
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "clusters": {
                     *         "total": 1,
                     *         "newest": [
                     *           {
                     *             "id": 4833,
                     *             "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *             "event_title": "Will the measure pass before July?",
                     *             "outcome": "Yes",
                     *             "signal_score": 91,
                     *             "members": 3,
                     *             "total_usdc": 31200.5,
                     *             "created_at": "2026-03-14 11:02:10"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Wallet"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getMarket: {
        parameters: {
            query?: {
                /**
                 * @description Only alerts with a smaller id, newest first. For the next page, send the last id of this page, or follow `Link`.
                 * @example 4821
                 */
                before_id?: number;
                /**
                 * @description Results per page; the preset’s if omitted. Values above the `max_page_size` of the key are reduced to it.
                 * @example 20
                 */
                page_size?: number;
                /**
                 * @description With `details`, each alert is the full one, as `GET /alerts/{id}` returns it.
                 * @example details
                 */
                expand?: components["schemas"]["Expand"];
            };
            header?: never;
            path: {
                /**
                 * @description Market identifier, slug, or URL on Polymarket (encoded in a path). Case does not matter.
                 * @example 0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1
                 */
                market_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the service knows about a market. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *       "event_title": "Will the measure pass before July?",
                     *       "event_slug": "will-the-measure-pass-before-july",
                     *       "market_url": "https://polymarket.com/event/when-will-the-measure-pass/will-the-measure-pass-before-july",
                     *       "category": "politics",
                     *       "end_date": "2026-06-30T23:59:00.000Z",
                     *       "resolved": false,
                     *       "settled_at": null,
                     *       "outcomes": [
                     *         {
                     *           "outcome": "Yes",
                     *           "payout": null,
                     *           "alert_count": 1,
                     *           "thread_count": 1,
                     *           "wallet_count": 1,
                     *           "total_usdc": 18400
                     *         }
                     *       ],
                     *       "threads": {
                     *         "total": 1,
                     *         "newest": [
                     *           {
                     *             "thread_id": 4821,
                     *             "alert_type": "fresh",
                     *             "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *             "outcome": "Yes",
                     *             "side": "BUY",
                     *             "signal_score": 78,
                     *             "alert_count": 1,
                     *             "prices": [
                     *               {
                     *                 "id": 4821,
                     *                 "created_at": "2026-03-14 09:26:53",
                     *                 "entry_price": 0.34,
                     *                 "usdc_value": 18400
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "wallets": {
                     *         "total": 1,
                     *         "largest": [
                     *           {
                     *             "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *             "alert_count": 1,
                     *             "total_usdc": 18400
                     *           }
                     *         ]
                     *       },
                     *       "total": 1,
                     *       "counted": 1,
                     *       "alerts": [
                     *         {
                     *           "id": 4821,
                     *           "alert_type": "fresh",
                     *           "wallet_address": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "side": "BUY",
                     *           "outcome": "Yes",
                     *           "entry_price": 0.34,
                     *           "usdc_value": 18400,
                     *           "signal_score": 78,
                     *           "category": "politics",
                     *           "created_at": "2026-03-14 09:26:53"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["Market"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Counts of all alerts. Today begins at UTC midnight. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_alerts": 48213,
                     *       "alerts_today": 164,
                     *       "avg_signal_today": 63.27,
                     *       "clusters_today": 5,
                     *       "win_rate": 0.5625,
                     *       "total_resolved": 32000,
                     *       "total_won": 18000
                     *     }
                     */
                    "application/json": components["schemas"]["Stats"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    listOutcomes: {
        parameters: {
            query?: {
                /**
                 * @description The last number you have; 0 for the beginning.
                 * @example 811
                 */
                after?: number;
                /**
                 * @description Maximum number of outcomes.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the outcomes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcomes": [
                     *         {
                     *           "number": 812,
                     *           "kind": "settlement",
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "outcomes": [
                     *             "Yes",
                     *             "No"
                     *           ],
                     *           "payouts": [
                     *             1,
                     *             0
                     *           ],
                     *           "settled_at": "2026-03-14T09:31:20.004Z",
                     *           "log": {
                     *             "seq": 5117,
                     *             "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
                     *           },
                     *           "alerts": [
                     *             {
                     *               "id": 4821,
                     *               "won": true,
                     *               "profit_usdc": 35717.65
                     *             }
                     *           ],
                     *           "more_alerts": false
                     *         }
                     *       ],
                     *       "last": 812,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["Outcomes"];
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getOutcome: {
        parameters: {
            query?: {
                /**
                 * @description Only alerts with a larger id.
                 * @example 4821
                 */
                after?: number;
                /**
                 * @description Maximum number of alerts.
                 * @example 100
                 */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Number of the outcome.
                 * @example 812
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a market paid, and the result of its alerts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 812,
                     *       "kind": "settlement",
                     *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *       "event_title": "Will the measure pass before July?",
                     *       "outcomes": [
                     *         "Yes",
                     *         "No"
                     *       ],
                     *       "payouts": [
                     *         1,
                     *         0
                     *       ],
                     *       "settled_at": "2026-03-14T09:31:20.004Z",
                     *       "log": {
                     *         "seq": 5117,
                     *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
                     *       },
                     *       "alerts": [
                     *         {
                     *           "id": 4821,
                     *           "won": true,
                     *           "profit_usdc": 35717.65
                     *         }
                     *       ],
                     *       "more_alerts": false
                     *     }
                     */
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    listExits: {
        parameters: {
            query?: {
                /**
                 * @description The last number you have; 0 for the beginning.
                 * @example 95
                 */
                after?: number;
                /**
                 * @description Maximum number of exits.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Only those by orders of this wallet.
                 * @example 0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b
                 */
                wallet?: string;
                /**
                 * @description Only those of this market.
                 * @example 0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1
                 */
                market_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the exits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exits": [
                     *         {
                     *           "number": 96,
                     *           "level": "half",
                     *           "thread_id": 4821,
                     *           "alert_ids": [
                     *             4821
                     *           ],
                     *           "wallet": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *           "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *           "event_title": "Will the measure pass before July?",
                     *           "event_slug": "will-the-measure-pass-before-july",
                     *           "category": "politics",
                     *           "outcome": "Yes",
                     *           "outcome_index": 0,
                     *           "held_share": 0.4,
                     *           "held_shares": 21647.058824,
                     *           "peak_shares": 54117.647059,
                     *           "sold_shares": 32470.588235,
                     *           "sale_price": 0.51,
                     *           "realized_profit": 5520,
                     *           "traded_at": "2026-03-14T12:31:20.000Z",
                     *           "seconds_since_alert": 11069,
                     *           "created_at": "2026-03-14T12:31:23.004Z",
                     *           "log": {
                     *             "seq": 5117,
                     *             "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
                     *           }
                     *         }
                     *       ],
                     *       "last": 96,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["Exits"];
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getExit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Number of the exit.
                 * @example 96
                 */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The position of a thread of alerts fell to half, or to 5%, of its peak since the alert. Only trades on the market are seen: no merge, redemption or transfer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "number": 96,
                     *       "level": "half",
                     *       "thread_id": 4821,
                     *       "alert_ids": [
                     *         4821
                     *       ],
                     *       "wallet": "0x7c3db723f1d4d8cb9c550095203b686cb11e5c6b",
                     *       "market_id": "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1",
                     *       "event_title": "Will the measure pass before July?",
                     *       "event_slug": "will-the-measure-pass-before-july",
                     *       "category": "politics",
                     *       "outcome": "Yes",
                     *       "outcome_index": 0,
                     *       "held_share": 0.4,
                     *       "held_shares": 21647.058824,
                     *       "peak_shares": 54117.647059,
                     *       "sold_shares": 32470.588235,
                     *       "sale_price": 0.51,
                     *       "realized_profit": 5520,
                     *       "traded_at": "2026-03-14T12:31:20.000Z",
                     *       "seconds_since_alert": 11069,
                     *       "created_at": "2026-03-14T12:31:23.004Z",
                     *       "log": {
                     *         "seq": 5117,
                     *         "hash": "491ba6ff74b3a8c0d457ff8646b0df58fb3b7ecb47a30e60ea7190a60dfbaeeb"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Exit"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getRecord: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag` received before; the answer is 304 while the body is the same.
                 * @example W/"k4Tt0pZ8vQx1"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the alerts were worth: prices after them and payouts, losses included. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_of": "2026-12-01T09:55:00.000Z",
                     *       "rules": {
                     *         "version": "4",
                     *         "sha256": "9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d9f2c4b1d"
                     *       },
                     *       "starts_at": "2027-01-01",
                     *       "is_rehearsal": true,
                     *       "conclusion": "Too early to say: 0 of the first 20 hypothetical test bets are done. A test bet buys what one alert bought, a minute after publication, and sells it a day later.",
                     *       "results": null,
                     *       "alerts": 0,
                     *       "counted": 0,
                     *       "settled": 0,
                     *       "right": 0,
                     *       "day_later": {
                     *         "threshold": 50,
                     *         "bets": 0,
                     *         "open": 0,
                     *         "mean": null,
                     *         "low": null,
                     *         "high": null,
                     *         "bought": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "sold": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "verdict": "not_shown"
                     *       },
                     *       "payout": {
                     *         "threshold": 200,
                     *         "bets": 0,
                     *         "open": 0,
                     *         "mean": null,
                     *         "low": null,
                     *         "high": null,
                     *         "bought": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "sold": {
                     *           "now": 1,
                     *           "highest": 1
                     *         },
                     *         "verdict": "not_shown"
                     *       },
                     *       "bankroll": []
                     *     }
                     */
                    "application/json": components["schemas"]["RecordReport"];
                };
            };
            /** @description The body that the caller has is current. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getKeyInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calling key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "My bot",
                     *       "tier": "pro",
                     *       "rate_limit": "300/min",
                     *       "websocket": true,
                     *       "webhooks": false,
                     *       "realtime": true,
                     *       "max_page_size": 50,
                     *       "requests_today": 1204,
                     *       "key_id": "key_3fJ9Qd0sXk2LmWvB",
                     *       "trial_ends_at": "2026-04-02T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyInfo"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    listPresets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "preset_mR8qX2vT0aLw5bNz",
                     *         "name": "Large crypto buys",
                     *         "filters": {
                     *           "category": "crypto",
                     *           "side": "BUY",
                     *           "min_signal": 60
                     *         },
                     *         "created_at": "2026-03-14 09:26:53",
                     *         "has_feed": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Presets"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    createPreset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Large crypto buys",
                 *       "filters": {
                 *         "category": "crypto",
                 *         "side": "BUY",
                 *         "min_signal": 60
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreatePreset"];
            };
        };
        responses: {
            /** @description The preset is saved. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "preset_mR8qX2vT0aLw5bNz",
                     *       "name": "Large crypto buys"
                     *     }
                     */
                    "application/json": components["schemas"]["PresetCreated"];
                };
            };
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getPreset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the preset.
                 * @example preset_mR8qX2vT0aLw5bNz
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Saved filters. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "preset_mR8qX2vT0aLw5bNz",
                     *       "name": "Large crypto buys",
                     *       "filters": {
                     *         "category": "crypto",
                     *         "side": "BUY",
                     *         "min_signal": 60
                     *       },
                     *       "created_at": "2026-03-14 09:26:53",
                     *       "has_feed": true
                     *     }
                     */
                    "application/json": components["schemas"]["Preset"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    replacePreset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the preset.
                 * @example preset_mR8qX2vT0aLw5bNz
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Large crypto buys",
                 *       "filters": {
                 *         "category": "crypto",
                 *         "side": "BUY",
                 *         "min_signal": 60
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreatePreset"];
            };
        };
        responses: {
            /** @description Saved filters. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "preset_mR8qX2vT0aLw5bNz",
                     *       "name": "Large crypto buys",
                     *       "filters": {
                     *         "category": "crypto",
                     *         "side": "BUY",
                     *         "min_signal": 60
                     *       },
                     *       "created_at": "2026-03-14 09:26:53",
                     *       "has_feed": true
                     *     }
                     */
                    "application/json": components["schemas"]["Preset"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    deletePreset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the preset.
                 * @example preset_mR8qX2vT0aLw5bNz
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preset is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    renewPresetFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the preset.
                 * @example preset_mR8qX2vT0aLw5bNz
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed of a preset, shown this once. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "preset_mR8qX2vT0aLw5bNz",
                     *       "feed_token": "Wq3xT0vN8mRzL2kJ5aBcDg",
                     *       "feed_url": "https://api.example.com/feed.xml?preset=Wq3xT0vN8mRzL2kJ5aBcDg"
                     *     }
                     */
                    "application/json": components["schemas"]["PresetFeed"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    endPresetFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the preset.
                 * @example preset_mR8qX2vT0aLw5bNz
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preset has no feed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "wh_mR8qX2vT0aLw5bNz",
                     *         "url": "https://example.com/hooks/alerts",
                     *         "format": "json",
                     *         "categories": "crypto,politics",
                     *         "min_signal": 60,
                     *         "filters": {
                     *           "side": "BUY",
                     *           "min_usdc": 5000
                     *         },
                     *         "events": "alert,outcome,exit",
                     *         "paused": false,
                     *         "created_at": "2026-03-14 09:26:53",
                     *         "secret_rotated_at": null,
                     *         "deliveries": {
                     *           "delivered": 41,
                     *           "failed": 1,
                     *           "failures_in_a_row": 0
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/hooks/alerts",
                 *       "categories": "crypto,politics",
                 *       "min_signal": 60
                 *     }
                 */
                "application/json": components["schemas"]["RegisterWebhook"];
            };
        };
        responses: {
            /** @description The webhook is registered. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wh_mR8qX2vT0aLw5bNz",
                     *       "url": "https://example.com/hooks/alerts",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+JqT2kE1bWc="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookRegistered"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example wh_mR8qX2vT0aLw5bNz
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A registered webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wh_mR8qX2vT0aLw5bNz",
                     *       "url": "https://example.com/hooks/alerts",
                     *       "format": "json",
                     *       "categories": "crypto,politics",
                     *       "min_signal": 60,
                     *       "filters": {
                     *         "side": "BUY",
                     *         "min_usdc": 5000
                     *       },
                     *       "events": "alert,outcome,exit",
                     *       "paused": false,
                     *       "created_at": "2026-03-14 09:26:53",
                     *       "secret_rotated_at": null,
                     *       "deliveries": {
                     *         "delivered": 41,
                     *         "failed": 1,
                     *         "failures_in_a_row": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example wh_mR8qX2vT0aLw5bNz
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example wh_mR8qX2vT0aLw5bNz
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paused": true
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description A registered webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wh_mR8qX2vT0aLw5bNz",
                     *       "url": "https://example.com/hooks/alerts",
                     *       "format": "json",
                     *       "categories": "crypto,politics",
                     *       "min_signal": 60,
                     *       "filters": {
                     *         "side": "BUY",
                     *         "min_usdc": 5000
                     *       },
                     *       "events": "alert,outcome,exit",
                     *       "paused": false,
                     *       "created_at": "2026-03-14 09:26:53",
                     *       "secret_rotated_at": null,
                     *       "deliveries": {
                     *         "delivered": 41,
                     *         "failed": 1,
                     *         "failures_in_a_row": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of deliveries.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Only deliveries older than the one with this `id`; 404 if that delivery no longer exists.
                 * @example msg_4821_mR8qX2vT0aLw5bNz
                 */
                before_id?: string;
                /**
                 * @description Only deliveries with this status.
                 * @example failed
                 */
                status?: components["schemas"]["DeliveryStatus"];
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example wh_mR8qX2vT0aLw5bNz
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the deliveries of a webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": "msg_4821_mR8qX2vT0aLw5bNz",
                     *           "alert_id": 4821,
                     *           "outcome": null,
                     *           "exit": null,
                     *           "repeats": null,
                     *           "test": false,
                     *           "status": "delivered",
                     *           "response_status": 200,
                     *           "duration_ms": 87,
                     *           "error": null,
                     *           "retry_after": null,
                     *           "created_at": "2026-03-14 09:26:53",
                     *           "finished_at": "2026-03-14 09:26:53"
                     *         }
                     *       ],
                     *       "has_more": true
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveries"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example wh_mR8qX2vT0aLw5bNz
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret is rotated. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "wh_mR8qX2vT0aLw5bNz",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDhSv6oGQ2yQk=",
                     *       "previous_secret_valid_until": "2026-03-15 09:26:53"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecretRotated"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example wh_mR8qX2vT0aLw5bNz
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of a test, whatever the answer of the receiver. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_test_k4Tt0pZ8vQx1aLw5",
                     *       "status": "failed",
                     *       "response_status": 429,
                     *       "duration_ms": 212,
                     *       "error": "status",
                     *       "retry_after": 3
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook.
                 * @example wh_mR8qX2vT0aLw5bNz
                 */
                webhook_id: string;
                /**
                 * @description Id of the delivery.
                 * @example msg_4821_mR8qX2vT0aLw5bNz
                 */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of one alert, outcome or exit, or of a test, to one webhook. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Unknown-Parameters": components["headers"]["X-Unknown-Parameters"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_4821_mR8qX2vT0aLw5bNz.1",
                     *       "alert_id": 4821,
                     *       "outcome": null,
                     *       "exit": null,
                     *       "repeats": "msg_4821_mR8qX2vT0aLw5bNz",
                     *       "test": false,
                     *       "status": "requested",
                     *       "response_status": null,
                     *       "duration_ms": null,
                     *       "error": null,
                     *       "retry_after": null,
                     *       "created_at": "2026-03-14 09:26:53",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerFault"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Refused"];
        };
    };
    receiveAlert: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the delivery, the same for the same alert and webhook. Use it to drop duplicates.
                 * @example msg_4821_mR8qX2vT0aLw5bNz
                 */
                "webhook-id": string;
                /**
                 * @description When it was sent, in seconds since 1970.
                 * @example 1773480413
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the secret. For 24 hours after a rotation there are two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The whole alert, as it was published. A test is marked with `"test": true`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["SampleAlert"] | components["schemas"]["Alert"];
            };
        };
        responses: {
            /** @description Received. Only this status counts, and only within 5 seconds, including the time to connect. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other answer is a failed delivery. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveOutcome: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the delivery, the same for the same outcome and webhook. Use it to drop duplicates.
                 * @example msg_outcome_812_mR8qX2vT0aLw5bNz
                 */
                "webhook-id": string;
                /**
                 * @description When it was sent, in seconds since 1970.
                 * @example 1773480413
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the secret. For 24 hours after a rotation there are two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The outcome, as `GET /outcomes/{number}` returns it, with its `type`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["OutcomeEvent"];
            };
        };
        responses: {
            /** @description Received. Only this status counts, and only within 5 seconds, including the time to connect. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other answer is a failed delivery. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveExit: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the delivery, the same for the same exit and webhook. Use it to drop duplicates.
                 * @example msg_exit_96_mR8qX2vT0aLw5bNz
                 */
                "webhook-id": string;
                /**
                 * @description When it was sent, in seconds since 1970.
                 * @example 1773480413
                 */
                "webhook-timestamp": string;
                /**
                 * @description Standard Webhooks: `v1,` and base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}` under the secret. For 24 hours after a rotation there are two, separated by a space.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The exit, as `GET /exits/{number}` returns it, with its `type`. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExitEvent"];
            };
        };
        responses: {
            /** @description Received. Only this status counts, and only within 5 seconds, including the time to connect. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other answer is a failed delivery. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
