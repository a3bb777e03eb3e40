from __future__ import annotations

from ._close_codes import CLOSE_CODES
from .errors import StreamEndedError

_KEY_ENDED = 4401
_TIER_LACKS_STREAM = 4403


def stream_end_of(code: int, tier: str | None, detail: str = "") -> StreamEndedError | None:
    """
    Why there must be no further connection after this close code; None if there may be. `tier`: as last connected. `detail`: the
    reason that the server sent.
    """
    known = CLOSE_CODES.get(code)
    is_final = 4400 <= code <= 4499 if known is None else not known[1]
    if not is_final:
        return None
    words = detail or ("The service refuses this client." if known is None else known[0])
    if code == _KEY_ENDED:
        return StreamEndedError(code, "key_ended", words, detail)
    if code != _TIER_LACKS_STREAM:
        return StreamEndedError(code, "refused", words, detail)
    if tier != "pro":
        return StreamEndedError(code, "tier_lacks_stream", words, detail)
    of_trial = "The Pro trial of the key has ended. Its tier is Free now, which has no stream."
    return StreamEndedError(code, "trial_ended", of_trial, detail)
