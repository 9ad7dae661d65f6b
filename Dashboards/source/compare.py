"""Stentor compare: two values of a label side by side, such as two versions of a server."""
from panels import *

SIDES = [("base", "$base"), ("candidate", "$candidate")]
SIDE_COLORS = {"base": "blue", "candidate": "orange"}
# The first of these labels that is there is the default; a name that is not listed can be typed into the variable.
LABELS = ["server", "server_version", "version", "gateway", "release", "build", "env", "site", "region", "profile"]


def side(value):
    return f'{RUN},$label="{value}"'


def pair(title, about, expr, unit="short", w=6, limits=(), **more):
    """A number of the base, of the candidate, and the difference; `expr` makes the expression of a side."""
    queries = [(name, expr(side(value))) for name, value in SIDES]
    queries.append(("difference", f"({queries[1][1]}) - ({queries[0][1]})"))
    plain = [{"matcher": {"id": "byFrameRefID", "options": "C"}, "properties": [{"id": "thresholds", "value": steps(base="text")}]}]
    return stat(title, about, queries, unit, w, limits, base="text" if not limits else "green", overrides=plain, **more)


def both(title, about, expr, unit="short", w=12, draw=None, **more):
    """Both sides in one graph; the candidate is shifted."""
    queries = [(name, expr(side(value), " offset $shift" if name == "candidate" else "")) for name, value in SIDES]
    return graph(title, about, queries, unit, w, draw=draw, overrides=fixed(SIDE_COLORS), **more)


def numbers_row():
    reply, reconnect = "stentor_reply_seconds", "stentor_reconnect_seconds"

    def mean(name, phase):
        phases = f'phase="{phase}"'
        return lambda run: f"{last(name + '_sum', phases, run=run)} / {last(name + '_count', phases, run=run)}"

    def ratio(part, others):
        return lambda run: (f"{last(part, run=run)} / clamp_min({last(others[0], run=run)}"
                            + "".join(f" + {last(other, run=run)}" for other in others[1:]) + ", 1)")
    coarse = " Read off buckets: a difference within one bucket is none. stentor compare gives an interval of confidence."
    ended = ["stentor_messages_answered_total", "stentor_messages_late_total", "stentor_messages_lost"]
    return row(
        "Whole runs: $base and $candidate of $label",
        pair("Reply time, mean in steady", "From the instant a text was due to the end of its reply; exact.", mean(reply, "steady"), "s"),
        pair("Reply time, p95 in steady", "Of the whole run." + coarse, lambda run: last_quantile(0.95, reply, "steady", run), "s",
             limits=[(1, "orange"), (2, "red")]),
        pair("Reconnect time, mean in recovery", "From the loss of a ready connection to the device ready again; exact.",
             mean(reconnect, "recovery"), "s"),
        pair("Reconnect time, p95 in recovery", "Of the whole run." + coarse, lambda run: last_quantile(0.95, reconnect, "recovery", run), "s",
             limits=[(15, "orange"), (30, "red")]),
        pair("Texts lost", "Texts without a reply at their deadline.", lambda run: last("stentor_messages_lost", run=run), limits=[(1, "red")]),
        pair("Share of texts lost", "Lost, of all that ended.", ratio("stentor_messages_lost", ended), "percentunit",
             limits=[(0.000001, "red")]),
        pair("Files corrupt", "In both directions.", lambda run: last("stentor_media_corrupt_total", run=run), limits=[(1, "red")]),
        pair("Gates that fail", "Gates that fail on what was measured.", lambda run: last("stentor_gate_failed", run=run), "none",
             limits=[(1, "red")]),
        pair("Texts answered", "In time; alike only when the runs had the same length and load.",
             lambda run: last("stentor_messages_answered_total", run=run)),
        pair("Dials a connection", "All dials over the connections that became ready: 1 is the least, wasted dials raise it.",
             ratio("stentor_dials_total", ["stentor_ready_total"]), "none", decimals=2),
        pair("Dials that failed", "All causes.", lambda run: last("stentor_dial_failures_total", run=run)),
        pair("Runs added up", "Sets of numbers behind each side, in the range of the dashboard. More than one, unless the runs have shards: "
             "choose among them with Filters, or the sums mean nothing.",
             lambda run: f"count(last_over_time({of('stentor_elapsed_seconds', '', run)}[$__range]))", "none", limits=[(2, "orange")]))


def outage_row():
    def at_share(share):
        return lambda run: f"""max(last_over_time({of("stentor_outage_ready_after_seconds", f'share="{share}"', run)}[$__range]))"""

    def latest(name, how="sum"):
        return lambda run: f"{how}(last_over_time({of(name, '', run)}[$__range]))"
    limits = [(15, "orange"), (30, "red")]
    return row(
        "Latest outage",
        pair("50 % ready again after", "From the start of the latest outage.", at_share("0.5"), "s", limits=limits),
        pair("90 % ready again after", "From the start of the latest outage.", at_share("0.9"), "s", limits=limits),
        pair("99 % ready again after", "From the start of the latest outage: its end.", at_share("0.99"), "s", limits=limits),
        pair("Devices lost", "Ready devices that the latest outage cost their connection.", latest("stentor_outage_lost_devices")),
        pair("Dials", "Dials within the latest outage.", latest("stentor_outage_dials")),
        pair("Peak of dials", "The most dials that began within one second.", latest("stentor_outage_peak_dials_per_second"), "suffix: /s"),
        pair("Synchronisation", "Share of the dials that began within the busiest 100 ms: 1 is a herd in lock-step.",
             latest("stentor_outage_retry_synchronisation_ratio", "max"), "percentunit"),
        pair("Outages", "Outages that cost a ready device.", latest("stentor_outages_total"), "none"))


def time_row():
    def p95(name, phase):
        return lambda run, shift: quantile(0.95, name, phase, run=run, shift=shift)

    def states(name, value, shift):
        return graph(f"Devices by state: {name} ({value})", "Each device is in exactly one state. The candidate is shifted by the variable Shift.",
                     [("{{state}}", f"sum by (state) ({of('stentor_devices', '', side(value))}{shift})")], stack=True,
                     overrides=fixed(STATE_COLORS))
    shifted = " The candidate is shifted by the variable Shift, so that runs of different nights lie over each other."
    return row(
        "Over time",
        states("base", "$base", ""), states("candidate", "$candidate", " offset $shift"),
        both("Reply time p95 in steady", "From the instant a text was due to the end of its reply. Lines at 1 s and 2 s." + shifted,
             p95("stentor_reply_seconds", "steady"), "s", draw=[(1, "orange"), (2, "red")]),
        both("Reconnect time p95 in recovery", "From the loss of a ready connection to the device ready again. Lines at 15 s and 30 s." + shifted,
             p95("stentor_reconnect_seconds", "recovery"), "s", draw=[(15, "orange"), (30, "red")]),
        both("Texts answered", "In time, a second." + shifted,
             lambda run, shift: rate("stentor_messages_answered_total", run=run, shift=shift), "suffix: /s"),
        both("Dials", "Begun, a second." + shifted, lambda run, shift: rate("stentor_dials_total", run=run, shift=shift), "suffix: /s"),
        both("Texts lost, so far", "Since the start of each run." + shifted,
             lambda run, shift: f"sum({of('stentor_messages_lost', '', run)}{shift})", draw=[(1, "red")]),
        both("Loop lag p99 in steady", "Of the generator: a run with more than 100 ms (the line) is invalid, and compares nothing." + shifted,
             lambda run, shift: quantile(0.99, "stentor_loop_lag_seconds", "steady", run=run, shift=shift), "s", draw=[(0.1, "red")]))


def variables():
    def known(label):
        series = f'last_over_time(stentor_elapsed_seconds{{job="$job",profile="$profile",{label}!=""}}[$__range])'
        return f'label_replace(count({series}), "label", "{label}", "", "")'
    label = ask("label", "Label", f"query_result({' or '.join(known(name) for name in LABELS)})",
                "The label whose values are compared, for instance one of push.labels.", r'/label"?[=:] ?"([^"]*)"/', 0)
    values = 'label_values(stentor_elapsed_seconds{job="$job",profile="$profile"}, $label)'
    return common_variables() + [
        label, ask("base", "Base", values, "The value on the left."), ask("candidate", "Candidate", values, "The value on the right.", sort=2),
        choose("shift", "Shift", ["none : 1ms", "1h", "12h", "1d", "2d", "7d", "-1h", "-12h", "-1d", "-2d", "-7d"],
               "How much earlier the candidate ran than the time axis shows; negative: later. None is 1 ms: an offset must not be 0."), filters()]


def build():
    return dashboard("stentor-compare", "Stentor compare", "Two values of a label side by side, such as two versions of a server.",
                     [numbers_row(), outage_row(), time_row()], variables(), "now-24h", "")
