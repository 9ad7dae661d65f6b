"""Stentor soak: a night at a glance. Does anything leak, drift, get lost or stop?"""
from panels import *
from run import outage_panels, generator_panels, REPLY_LIMITS

W = "$window"


def night_row():
    return row(
        "Tonight",
        stat("Verdict", "The verdict of the last run; running while it goes on.", [("", verdict())], "none", 4, background=True,
             mappings=VERDICT_MAPPINGS),
        stat("Running for", "Time from the start of the run to the newest numbers.",
             [("", f"""max({of("stentor_elapsed_seconds")})""")], "dtdurations", 4, base="text"),
        stat("Age of the numbers", "How old the newest numbers are. Minutes while the run goes on: the pushes do not arrive.",
             [("", f"""time() - max({of("stentor_start_time_seconds")} + {of("stentor_elapsed_seconds")})""")], "dtdurations", 4,
             [(300, "orange"), (93600, "red")]),
        stat("Gates that fail", "Gates that fail on what was measured so far; those without data are not among them.",
             [("", total("stentor_gate_failed"))], "none", 3, [(1, "red")]),
        stat("Texts lost", "Texts without a reply at their deadline; a reply that comes later takes one back.",
             [("", total("stentor_messages_lost"))], "short", 3, [(1, "red")]),
        stat("Files corrupt", "Files whose size or digest was not what was sent, in both directions.",
             [("", total("stentor_media_corrupt_total"))], "short", 3, [(1, "red")]),
        stat("Runs shown", "How many sets of numbers the panels add up. More than one, unless the run has shards: choose among them with Filters.",
             [("", f"""count({of("stentor_run_info")})""")], "none", 3, [(2, "orange")]),
        timeline("Gates", "Each gate on what was measured until then. Drifts have no data before 8 windows.",
                 [("{{gate}}", f"""max by (gate) ({of("stentor_gate_passed")} + 2 * {of("stentor_gate_failed")})""")], GATE_MAPPINGS, h=8),
        timeline("Verdicts of the last 30 nights", "The verdict of the newest run at each moment, whatever the range of the dashboard is; as far back as Prometheus keeps.",
                 [("verdict", verdict())], VERDICT_MAPPINGS, h=4, timeFrom="30d"))


def lost_row():
    return row(
        "Does anything get lost or stop?",
        graph("Ready devices", "Ready, of those that are meant to be connected. Line at 99 %.", [
            ("ready", f"""{total("stentor_devices", 'state="ready"')} / {total("stentor_devices", 'state!~"waiting|left|failed"')}""")],
              "percentunit", max=1, draw=[(0.99, "green")]),
        graph("Texts", "Sent and answered; the gap between them is lost, late or in doubt.", [
            ("sent", rate("stentor_messages_sent_total", window=W)), ("answered", rate("stentor_messages_answered_total", window=W)),
            ("late", rate("stentor_messages_late_total", window=W)), ("not sent", rate("stentor_messages_not_sent_total", window=W))],
              "suffix: /s"),
        graph("Went wrong, so far", "Counts since the start of the run. The line stands at 1.", [
            ("texts lost", total("stentor_messages_lost")), ("texts duplicated", total("stentor_messages_duplicated_total")),
            ("texts reordered", total("stentor_messages_reordered_total")), ("files lost", total("stentor_uploads_lost")),
            ("files corrupt", total("stentor_media_corrupt_total"))], draw=[(1, "red")]),
        graph("In doubt", "Texts and files whose outcome is open. Level in a healthy night; a rise is a queue that grows.", [
            ("texts", total("stentor_messages_in_doubt")), ("files", total("stentor_uploads_in_doubt"))]),
        graph("Connections lost, by cause", "Ready connections that ended, a second.",
              [("{{cause}}", rate("stentor_connection_losses_total", by="cause", window=W))], "suffix: /s"),
        graph("Server errors and missed pongs, so far", "Counts since the start of the run.", [
            ("server errors", total("stentor_server_errors_total")), ("pongs missed", total("stentor_pongs_missed_total")),
            ("malformed frames", total("stentor_frames_malformed_total"))], draw=[(1, "orange")]))


def drift_row():
    reply = "stentor_reply_seconds"
    return row(
        "Does anything drift or leak?",
        graph("Reply time in steady", "From the instant a text was due to the end of its reply, over the chosen window. Lines at 1 s and 2 s.", [
            ("p50", quantile(0.5, reply, "steady", W)), ("p95", quantile(0.95, reply, "steady", W)),
            ("p99", quantile(0.99, reply, "steady", W))], "s", draw=REPLY_LIMITS),
        graph("Mean reply time in steady", "Sum over count of the chosen window: exact, where percentiles lie between bounds of buckets.", [
            ("mean", f"""{rate(reply + "_sum", 'phase="steady"', window=W)} / {rate(reply + "_count", 'phase="steady"', window=W)}""")],
              "s", draw=REPLY_LIMITS),
        graph("Memory, change in an hour", "Slope of resident memory over the chosen window. Line at 1 MiB an hour, the bound of a usual gate; the "
              "gate itself looks at the steady phase only and allows for noise (Docs/statistics.md).",
              [("{{process}}", by_process(f"3600 * sum(deriv({{}}[{W}]))"))], "bytes", draw=[(1048576, "red")], min=None),
        heat("Replies in steady", "How reply times are spread over the buckets; each column is a step of time.", reply, "steady"))


def build():
    windows = choose("window", "Window", ["5m", "15m", "30m", "1h"], "Over how long rates, percentiles and slopes are taken.")
    rows = [night_row(), lost_row(), drift_row(),
            row("Outages", *outage_panels(),
                graph("Ready again after, of the latest outage at each moment", "Time from its start until a share of the devices that it cost was "
                      "ready again: steps from outage to outage. Lines at 15 s and 30 s.",
                      [("{{share}}", f"""max by (share) ({of("stentor_outage_ready_after_seconds")})""")], "s", 24,
                      draw=[(15, "orange"), (30, "red")])),
            row("Generator: was this machine the limit?", *generator_panels(W))]
    return dashboard("stentor-soak", "Stentor soak", "A long run: does anything leak, drift, get lost or stop?", rows,
                     common_variables() + [windows, filters()], "now-12h", "1m")
