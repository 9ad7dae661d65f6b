"""Stentor run: one run while it goes on, and as it ended."""
from panels import *

REPLY_LIMITS = [(1, "orange"), (2, "red")]


def verdict_row():
    return row(
        "Verdict",
        stat("Verdict", "The verdict of the run; running while it goes on. Of a run that was killed it stays at running: see the age.",
             [("", verdict())], "none", 4, background=True, mappings=VERDICT_MAPPINGS),
        stat("Phase", "ramp, steady, outage, recovery or drain; see Docs/metrics.md.",
             [("{{phase}}", f"""max by (phase) ({of("stentor_phase")} == 1)""")], "none", 3,
             overrides=fixed(PHASE_COLORS)) | {"options": named()},
        stat("Running for", "Time from the start of the run to the newest numbers.",
             [("", f"""max({of("stentor_elapsed_seconds")})""")], "dtdurations", 3, base="text"),
        stat("Age of the numbers", "How old the newest numbers are, by the clocks of the generator and of Prometheus. More than the push "
             "interval while the run goes on: the pushes do not arrive.",
             [("", f"""time() - max({of("stentor_start_time_seconds")} + {of("stentor_elapsed_seconds")})""")], "dtdurations", 3,
             [(60, "orange"), (300, "#8e8e8e")]),
        stat("Gates that fail", "Gates that fail on what was measured so far; those without data are not among them.",
             [("", total("stentor_gate_failed"))], "none", 2, [(1, "red")]),
        stat("Texts lost", "Texts without a reply at their deadline. A reply that comes later takes one back.",
             [("", total("stentor_messages_lost"))], "short", 2, [(1, "red")]),
        stat("Files corrupt", "Files whose size or digest was not what was sent, in both directions.",
             [("", total("stentor_media_corrupt_total"))], "short", 2, [(1, "red")]),
        stat("Devices stuck", "Devices that neither progress nor fail: a defect of the generator, and the run is invalid.",
             [("", total("stentor_devices", 'state="stuck"'))], "none", 2, [(1, "purple")]),
        stat("Runs shown", "How many sets of numbers the panels add up. More than one, unless the run has shards: choose among them with "
             "Filters, or the sums mean nothing.", [("", f"""count({of("stentor_run_info")})""")], "none", 3, [(2, "orange")]),
        table("Gates", "Each gate of the profile on what was measured so far: holds, fails, or no data yet.",
              f"""max by (gate) ({of("stentor_gate_passed")} + 2 * {of("stentor_gate_failed")})""", ["Time"], 12, 7,
              {"gate": "gate", "Value": "state"}, GATE_MAPPINGS),
        table("What is shown", "Where these numbers come from.",
              f"""max by (run_id, version, dialect, target, digest, shard) ({of("stentor_run_info")})""", ["Time", "Value"], 12, 7))


def named():
    """Options of a stat that shows a name instead of a number."""
    return {"colorMode": "value", "graphMode": "none", "justifyMode": "auto", "orientation": "auto", "textMode": "name", "wideLayout": True,
            "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}


def device_row():
    return row(
        "Devices",
        graph("Devices by state", "Each device is in exactly one state.", [("{{state}}", total("stentor_devices", by="state"))],
              stack=True, overrides=fixed(STATE_COLORS)),
        graph("Connecting", "Dials begun, dials that reached the upgrade, connections that became ready, and ready ones that ended.", [
            ("dials", rate("stentor_dials_total")), ("connects", rate("stentor_connects_total")), ("ready", rate("stentor_ready_total")),
            ("disconnects", rate("stentor_disconnects_total"))], "suffix: /s"),
        graph("Dials that failed, by cause", "Dials that did not lead to a ready connection.",
              [("{{cause}}", rate("stentor_dial_failures_total", by="cause"))], "suffix: /s"),
        graph("Connections lost, by cause", "Ready connections that ended.",
              [("{{cause}}", rate("stentor_connection_losses_total", by="cause"))], "suffix: /s"),
        heat("From dial to ready, ramp", "How long a device took to become usable while devices came; each column is a step of time.",
             "stentor_usable_seconds", "ramp", w=24, h=7))


def text_row():
    reply = "stentor_reply_seconds"
    return row(
        "Texts",
        graph("Texts", "Sent, answered in time, answered late, and due but not sent because the device was away or busy.", [
            ("sent", rate("stentor_messages_sent_total")), ("answered", rate("stentor_messages_answered_total")),
            ("late", rate("stentor_messages_late_total")), ("not sent", rate("stentor_messages_not_sent_total"))], "suffix: /s"),
        graph("Texts that went wrong, so far", "Counts since the start of the run. Lost ones can turn late. The line stands at 1.", [
            ("lost", total("stentor_messages_lost")), ("duplicated", total("stentor_messages_duplicated_total")),
            ("reordered", total("stentor_messages_reordered_total")), ("unmatched", total("stentor_messages_unmatched_total")),
            ("in doubt", total("stentor_messages_in_doubt"))], draw=[(1, "red")]),
        graph("Reply time in steady", "From the instant a text was due to the end of its reply. Lost texts are in no percentile. Lines at 1 s "
              "and 2 s; read off buckets, so between two of their bounds.", [
                  ("p50", quantile(0.5, reply, "steady")), ("p95", quantile(0.95, reply, "steady")),
                  ("p99", quantile(0.99, reply, "steady"))], "s", draw=REPLY_LIMITS),
        graph("Reply time p95 by phase", "The phase is that in which the text became due. Percentiles never mix phases.",
              [("{{phase}}", quantile(0.95, reply, "", by="phase"))], "s", draw=REPLY_LIMITS, overrides=fixed(PHASE_COLORS)),
        heat("Replies in steady", "How reply times are spread over the buckets; each column is a step of time.", reply, "steady"),
        graph("Where the time goes, p95 in steady", "Due to the end of the reply, due to its first frame, and the same from when the text was "
              "handed to the kernel. Send lag is the time before: large when the generator is late or the gateway does not read.", [
                  ("reply", quantile(0.95, reply, "steady")), ("first frame", quantile(0.95, "stentor_reply_first_seconds", "steady")),
                  ("reply, service time", quantile(0.95, "stentor_reply_service_seconds", "steady")),
                  ("send lag", quantile(0.95, "stentor_send_lag_seconds", "steady"))], "s"))


def outage_row():
    return row("Outages", *outage_panels(),
               graph("Reconnect time in recovery", "From the loss of a ready connection to the device ready again. Lines at 15 s and 30 s.", [
                   ("p50", quantile(0.5, "stentor_reconnect_seconds", "recovery")),
                   ("p95", quantile(0.95, "stentor_reconnect_seconds", "recovery"))], "s", draw=[(15, "orange"), (30, "red")]),
               heat("Reconnects in recovery", "How reconnect times are spread over the buckets; each column is a step of time.",
                    "stentor_reconnect_seconds", "recovery"))


def outage_panels():
    """The latest outage in numbers."""
    def latest(name):
        return f"sum({of(name)})"
    return [
        stat("Outages", "Outages that cost a ready device, and those that ended because 99 % of the devices were back.", [
            ("outages", total("stentor_outages_total")), ("recovered", total("stentor_recovered_outages_total"))], "none", 4, base="text"),
        bars("Ready again after, latest outage", "Time from its start until 50, 90, 99 and 100 % of the devices that it cost were ready again. "
             "A share that is not reached has no bar.", [("{{share}}", f"""max by (share) ({of("stentor_outage_ready_after_seconds")})""")],
             "s", 8, 4, [(15, "orange"), (30, "red")]),
        stat("Devices lost", "Ready devices that the latest outage cost their connection.",
             [("", latest("stentor_outage_lost_devices"))], "short", 3, base="text"),
        stat("Dials a device", "Dials within the latest outage over the devices that it cost: 1 is the least.",
             [("", f"""{latest("stentor_outage_dials")} / {latest("stentor_outage_lost_devices")}""")], "none", 3, [(2, "orange"), (5, "red")],
             decimals=1),
        stat("Peak of dials", "The most dials that began within one second of the latest outage; of shards, their sum.",
             [("", latest("stentor_outage_peak_dials_per_second"))], "suffix: /s", 3, base="text"),
        stat("Synchronisation", "Share of the latest outage's dials that began within its busiest 100 ms: 1 is a herd that returns in lock-step.",
             [("", f"""max({of("stentor_outage_retry_synchronisation_ratio")})""")], "percentunit", 3, [(0.2, "orange"), (0.5, "red")]),
    ]


def media_row():
    return row(
        "Photos and prompts",
        graph("Photos sent", "Outcomes of files that devices sent.", [
            ("sent", rate("stentor_uploads_sent_total")), ("confirmed", rate("stentor_uploads_confirmed_total")),
            ("late", rate("stentor_uploads_late_total")), ("not sent", rate("stentor_uploads_not_sent_total"))], "suffix: /s", 8),
        graph("Photos received", "Outcomes of files that devices received.", [
            ("begun", rate("stentor_downloads_started_total")), ("complete", rate("stentor_downloads_complete_total")),
            ("incomplete", rate("stentor_downloads_incomplete_total"))], "suffix: /s", 8),
        graph("Prompts", "Prompts shown to devices, and how they ended.", [
            ("received", rate("stentor_prompts_received_total")), ("answered", rate("stentor_prompts_answered_total")),
            ("expired", rate("stentor_prompts_expired_total")), ("superseded", rate("stentor_prompts_superseded_total")),
            ("substituted", rate("stentor_prompts_substituted_total"))], "suffix: /s", 8),
        graph("Files that went wrong, so far", "Counts since the start of the run. The line stands at 1.", [
            ("corrupt", total("stentor_media_corrupt_total")), ("uploads lost", total("stentor_uploads_lost")),
            ("downloads incomplete", total("stentor_downloads_incomplete_total"))], w=8, draw=[(1, "red")]),
        heat("Confirmation of photos in steady", "From the last byte handed to the kernel to the confirmation.",
             "stentor_confirm_seconds", "steady", w=8),
        heat("Prompts closed in steady", "From a prompt's answer handed to the kernel to the prompt closed.",
             "stentor_prompt_answer_seconds", "steady", w=8))


def traffic_row():
    return row(
        "Protocol",
        graph("Bytes", "With the framing of WebSocket, without TLS and TCP.", [
            ("sent", rate("stentor_sent_bytes_total")), ("received", rate("stentor_received_bytes_total"))], "Bps", 8),
        graph("Frames received, by type", "Messages of the dialect.", [("{{type}}", rate("stentor_received_frame_types_total", by="type"))],
              "suffix: /s", 8),
        graph("Errors, so far", "Counts since the start of the run: frames that break the dialect's form or have an unknown type, error messages "
              "of the server, pings without a pong.", [
                  ("malformed", total("stentor_frames_malformed_total")), ("unknown", total("stentor_frames_unknown_total")),
                  ("server errors", total("stentor_server_errors_total")), ("pongs missed", total("stentor_pongs_missed_total"))],
              w=8, draw=[(1, "orange")]),
        graph("Close frames, by code", "Received since the start of the run.", [("{{code}}", total("stentor_close_codes_total", by="code"))], w=8),
        graph("Server errors, by code", "Received since the start of the run.",
              [("{{code}}", total("stentor_server_error_codes_total", by="code"))], w=8),
        graph("Upgrades refused, by status", "Answers to an upgrade other than 101, since the start of the run.",
              [("{{status}}", total("stentor_http_statuses_total", by="status"))], w=8))


def generator_row():
    return row("Generator: was this machine the limit?", *generator_panels())


def generator_panels(window="$__rate_interval"):
    return [
        graph("CPU by loop", "CPU of an event loop's thread over the last second. Lines at 80 % and 95 %: beyond, loops run late.",
              [("loop {{loop}}", f"""max by (loop) ({of("stentor_loop_cpu_ratio")})""")], "percentunit", 8, max=1,
              draw=[(0.8, "orange"), (0.95, "red")]),
        graph("Loop lag p99", "How late timers of the event loops fire. A run with more than 100 ms (the line) in a phase is invalid.",
              [("{{phase}}", quantile(0.99, "stentor_loop_lag_seconds", "", window, "phase"))], "s", 8, draw=[(0.1, "red")],
              overrides=fixed(PHASE_COLORS)),
        graph("Dial lag p99, so far", "From the instant the first dial of a device was due to its start; of the whole run until then.",
              [("{{phase}}", f"histogram_quantile(0.99, {total('stentor_dial_lag_seconds_bucket', by='le, phase')})")], "s", 8, draw=[(0.1, "orange")],
              overrides=fixed(PHASE_COLORS)),
        graph("Memory", "Resident memory of the generator, and of the gateway where it is embedded. The last value of the generator is its peak.",
              [("{{process}}", by_process("sum({})"))], "bytes", 8),
        graph("File descriptors in use", "Open descriptors over the limit. Line at 90 %.",
              [("in use", f"""max({of("stentor_open_fds")} / {of("stentor_max_fds")})""")], "percentunit", 8, draw=[(0.9, "red")]),
        stat("Series left out", "Series that did not fit into the set of 2,000; normally 0.", [("", total("stentor_dropped_series"))],
             "none", 8, [(1, "orange")], 8),
    ]


def build():
    rows = [verdict_row(), device_row(), text_row(), outage_row(), media_row(), traffic_row(), generator_row()]
    return dashboard("stentor-run", "Stentor run", "One run while it goes on, and as it ended.", rows,
                     common_variables() + [filters()], "now-30m", "15s")
