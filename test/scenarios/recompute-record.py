"""The record of a tape, from the tape and a list of its alerts alone, as docs/method.md defines it.

Reads the alerts as JSON from standard input: id, market, wallet, outcome (its index), published (ms), entry. Prints JSON: the
record, and of each alert the prices P and Q with their times (ms), null where there was no such order.
"""

import gzip
import json
import sys

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
NEVER = float("inf")


def read(tape):
    """The markets: event, orders (fills of a wallet, asset and side in a second) by time, settlement and payouts."""
    markets, orders = {}, {}
    for line in list(gzip.open(tape, "rt"))[1:]:
        row = json.loads(line)
        market = markets.setdefault(row["conditionId"], {"orders": [], "settled": NEVER, "payouts": None})
        if "question" in row:
            market["event"] = row["events"][0]["slug"]
            if row.get("closed"):
                market["settled"] = row["at"] * 1000
                market["payouts"] = [float(price) for price in json.loads(row["outcomePrices"])]
            continue
        rank = (row["timestamp"] * 1000, row["proxyWallet"], row["asset"], row["side"])
        if (row["conditionId"], rank) not in orders:
            order = {"rank": rank, "at": rank[0], "outcome": row["outcomeIndex"], "shares": 0, "usdc": 0}
            orders[row["conditionId"], rank] = order
            market["orders"].append(order)
        order = orders[row["conditionId"], rank]
        order["shares"] += row["size"]
        order["usdc"] += row["size"] * row["price"]
    for market in markets.values():
        market["orders"].sort(key=lambda order: order["rank"])
    return markets


def first(market, outcome, since, until):
    """Time and price of the first order in a time, before the settlement; None: there is none."""
    for order in market["orders"]:
        if since <= order["at"] < until and order["at"] < market["settled"]:
            price = order["usdc"] / order["shares"]
            return order["at"], price if order["outcome"] == outcome else 1 - price
    return None


def play(bets, sees=lambda price: price):
    """What three purses have free at the end, and at most after a closed bet."""
    cash, shares, highest = [1 / 3] * 3, {}, 1
    opened = [(bet["opened"], 0, bet["id"], bet["price"]) for bet in bets]
    closed = [(bet["closed"], 1, bet["id"], bet["value"]) for bet in bets if bet["closed"] < NEVER]
    for _, is_end, name, price in sorted(opened + closed):
        if is_end:
            cash = [own + held * sees(price) for own, held in zip(cash, shares[name])]
            highest = max(highest, sum(cash))
        else:
            shares[name] = [own * part / sees(price) for own, part in zip(cash, (0.25, 0.5, 0.9))]
            cash = [own * (1 - part) for own, part in zip(cash, (0.25, 0.5, 0.9))]
    return {"now": sum(cash), "highest": highest}


def figure(bets):
    moves = [bet["value"] - bet["price"] for bet in bets if bet["closed"] < NEVER]
    return {
        "bets": len(bets),
        "open": len(bets) - len(moves),
        "mean": sum(moves) / len(moves),
        "bought": play(bets),
        "sold": play(bets, lambda price: 1 - price),
    }


def main(tape):
    markets, known, days, payouts, results, prices = read(tape), set(), [], [], [], []
    for alert in json.load(sys.stdin):
        market, outcome = markets[alert["market"]], alert["outcome"]
        bought = first(market, outcome, alert["published"] + MINUTE, alert["published"] + HOUR)
        later = None if bought is None else first(market, outcome, bought[0] + DAY, NEVER)
        prices.append({"id": alert["id"], "bought": bought, "later": later})
        if (alert["wallet"], alert["market"], outcome) in known:
            continue
        known.add((alert["wallet"], alert["market"], outcome))
        payout = None if market["payouts"] is None else market["payouts"][outcome]
        if payout is not None:
            results.append((payout, alert["entry"]))
        if bought is None:
            continue
        bet = {"id": alert["id"], "event": market["event"], "opened": bought[0], "price": bought[1]}
        at_payout = {**bet, "closed": market["settled"], "value": payout}
        days.append(at_payout if later is None else {**bet, "closed": later[0], "value": later[1]})
        payouts.append(at_payout)
    one_at_a_time, free = [], -NEVER
    for bet in sorted(days, key=lambda bet: (bet["opened"], bet["id"])):
        if bet["opened"] > free:
            one_at_a_time.append(bet)
            free = min(bet["closed"], bet["opened"] + 2 * DAY)
    one_each = {}
    for bet in sorted(payouts, key=lambda bet: (bet["opened"], bet["id"])):
        one_each.setdefault(bet["event"], bet)
    right = sum(payout == 1 for payout, _ in results)
    entry = sum(entry for _, entry in results) / len(results)
    return {
        "prices": prices,
        "counted": len(known),
        "measured": len(days),
        "results": f"{right} of {len(results)} settled bets were right ({right / len(results):.0%}). "
        f"Breaking even at those prices took {entry:.0%}.",
        "day_later": figure(one_at_a_time),
        "payout": figure(list(one_each.values())),
    }


print(json.dumps(main(sys.argv[1])))
