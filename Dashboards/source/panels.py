"""What the three dashboards are made of: selections, PromQL, panels, variables, and the grid."""

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
RUN = 'job="$job",profile="$profile",shard=~"$shard"'

STATE_COLORS = {"ready": "green", "backing_off": "orange", "dialling": "light-blue", "upgrading": "blue", "greeting": "dark-blue",
                "waiting": "#8e8e8e", "left": "#5a5a5a", "failed": "red", "stuck": "purple"}
PHASE_COLORS = {"ramp": "blue", "steady": "green", "outage": "red", "recovery": "orange", "drain": "#8e8e8e"}
VERDICTS = [("pass", "pass", "green"), ("fail", "fail", "red"), ("invalid", "invalid", "purple"),
            ("interrupted", "interrupted", "orange"), ("incomplete", "running", "blue")]


# --- PromQL

def of(name, more="", run=RUN):
    """A selection: the series of a family that belong to the run."""
    return f"{name}{{{run}{',' + more if more else ''}}}"


def total(name, more="", by="", run=RUN):
    """The sum over shards."""
    return f"sum{f' by ({by})' if by else ''} ({of(name, more, run)})"


def rate(name, more="", by="", window="$__rate_interval", run=RUN, shift=""):
    """How fast the sum over shards rises, a second."""
    return f"sum{f' by ({by})' if by else ''} (rate({of(name, more, run)}[{window}]{shift}))"


def quantile(q, name, phase, window="$__rate_interval", by="", run=RUN, shift=""):
    """A quantile of what was recorded in each window of time."""
    labels = "le" + (", " + by if by else "")
    phases = f'phase="{phase}"' if phase else ""
    return f"histogram_quantile({q}, {rate(name + '_bucket', phases, labels, window, run, shift)})"


def last(name, more="", by="", run=RUN):
    """The sum over shards of the last values in the dashboard's range: the totals of a run that may be over."""
    return f"sum{f' by ({by})' if by else ''} (last_over_time({of(name, more, run)}[$__range]))"


def last_quantile(q, name, phase, run=RUN):
    """A quantile of the whole run."""
    return f"""histogram_quantile({q}, {last(name + '_bucket', f'phase="{phase}"', 'le', run)})"""


def by_process(form):
    """An expression for generator and gateway at once, because only an embedded gateway has numbers."""
    processes = {"generator": "stentor_resident_memory_bytes", "gateway": "stentor_gateway_resident_memory_bytes"}
    return " or ".join(f'label_replace({form.format(of(name))}, "process", "{process}", "", "")' for process, name in processes.items())


def verdict():
    """The verdict as a number: its place in VERDICTS, from 1."""
    terms = [f"""{n} * ({of("stentor_verdict", f'verdict="{name}"')} == 1)""" for n, (name, _, _) in enumerate(VERDICTS, 1)]
    return f"max({' or '.join(terms)})"


# --- Looks

def steps(*limits, base="green"):
    """Thresholds: a base colour, then (value, colour) pairs in rising order."""
    return {"mode": "absolute", "steps": [{"color": base, "value": None}] + [{"color": c, "value": v} for v, c in limits]}


def mapped(*entries):
    """Value mappings from (value, text, colour)."""
    return [{"type": "value", "options": {str(v): {"text": t, "color": c, "index": i} for i, (v, t, c) in enumerate(entries)}}]


def fixed(colors, **renamed):
    """Overrides that give series of these names a colour."""
    return [{"matcher": {"id": "byName", "options": name},
             "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": color}}]} for name, color in colors.items()]


VERDICT_MAPPINGS = mapped(*[(n, text, color) for n, (_, text, color) in enumerate(VERDICTS, 1)])
GATE_MAPPINGS = mapped((0, "no data", "#8e8e8e"), (1, "holds", "green"), (2, "fails", "red"))


# --- Panels

def targets(queries, instant=False, form="time_series"):
    """Queries from (legend, expression) pairs."""
    return [{"refId": chr(ord("A") + n), "datasource": DATASOURCE, "editorMode": "code", "expr": expr, "legendFormat": legend or "__auto",
             "format": form, "instant": instant, "range": not instant} for n, (legend, expr) in enumerate(queries)]


def panel(kind, title, about, queries, w, h, unit, options, custom=None, thresholds=None, overrides=(), mappings=(), instant=False,
          form="time_series", color=None, **more):
    defaults = {"unit": unit, "mappings": list(mappings), "thresholds": thresholds or steps(),
                "color": {"mode": color or "palette-classic"}, "custom": custom or {}}
    for key in ("min", "max", "decimals", "noValue", "displayName"):
        if key in more:
            defaults[key] = more.pop(key)
    return {"type": kind, "title": title, "description": about, "datasource": DATASOURCE, "gridPos": {"w": w, "h": h},
            "fieldConfig": {"defaults": defaults, "overrides": list(overrides)}, "options": options,
            "targets": targets(queries, instant, form), **more}


def graph(title, about, queries, unit="short", w=12, h=8, stack=False, draw=None, bars=False, **more):
    """Lines over time; `draw` are thresholds to be drawn into it."""
    custom = {"drawStyle": "bars" if bars else "line", "lineWidth": 1, "fillOpacity": 70 if stack else 8, "showPoints": "never",
              "spanNulls": False, "stacking": {"mode": "normal" if stack else "none", "group": "A"},
              "thresholdsStyle": {"mode": "dashed" if draw else "off"}}
    many = len(queries) > 5 or any("{{" in legend for legend, _ in queries)
    options = {"legend": {"displayMode": "table" if many else "list", "placement": "right" if many else "bottom", "showLegend": True,
                          "calcs": ["max", "lastNotNull"] if many else [], **({"sortBy": "Max", "sortDesc": True} if many else {})},
               "tooltip": {"mode": "multi", "sort": "desc"}}
    more.setdefault("min", 0)
    return panel("timeseries", title, about, queries, w, h, unit, options, custom, steps(*draw) if draw else None, **more)


def stat(title, about, queries, unit="short", w=3, limits=(), h=4, base="green", background=False, **more):
    """Numbers of this moment."""
    options = {"colorMode": "background" if background else "value", "graphMode": "none", "justifyMode": "auto", "orientation": "auto",
               "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False},
               "textMode": "value" if len(queries) == 1 else "value_and_name", "wideLayout": True}
    return panel("stat", title, about, queries, w, h, unit, options, thresholds=steps(*limits, base=base), instant=True,
                 color="thresholds", **more)


def bars(title, about, queries, unit="s", w=6, h=4, limits=(), **more):
    """A bar for each series, at this moment."""
    options = {"displayMode": "basic", "orientation": "horizontal", "showUnfilled": True, "valueMode": "color",
               "reduceOptions": {"calcs": ["lastNotNull"], "fields": "", "values": False}}
    return panel("bargauge", title, about, queries, w, h, unit, options, thresholds=steps(*limits), instant=True, color="thresholds",
                 min=0, **more)


def heat(title, about, name, phase, unit="s", w=12, h=8):
    """How the samples of each step are spread over the buckets of a histogram."""
    expr = f"""sum by (le) (increase({of(name + '_bucket', f'phase="{phase}"')}[$__rate_interval]))"""
    options = {"calculate": False, "cellGap": 1, "color": {"mode": "scheme", "scheme": "Oranges", "fill": "dark-orange", "steps": 32},
               "filterValues": {"le": 1e-9}, "legend": {"show": True}, "showValue": "never", "tooltip": {"mode": "single", "yHistogram": True},
               "yAxis": {"axisPlacement": "left", "unit": unit, "reverse": False}, "rowsFrame": {"layout": "auto"}}
    return panel("heatmap", title, about, [("{{le}}", expr)], w, h, "short", options, form="heatmap")


def timeline(title, about, queries, mappings, w=24, h=6, **more):
    """States over time, a row for each series."""
    options = {"mergeValues": True, "showValue": "auto", "alignValue": "left", "rowHeight": 0.85,
               "legend": {"displayMode": "list", "placement": "bottom", "showLegend": False}, "tooltip": {"mode": "single", "sort": "none"}}
    return panel("state-timeline", title, about, queries, w, h, "short", options, {"fillOpacity": 75, "lineWidth": 0},
                 mappings=mappings, color="thresholds", **more)


def table(title, about, expr, hidden, w=12, h=6, names=None, mappings=()):
    """A row for each series, a column for each label."""
    overrides = [{"matcher": {"id": "byName", "options": "Value"}, "properties": [
        {"id": "mappings", "value": list(mappings)}, {"id": "custom.cellOptions", "value": {"type": "color-background"}}]}] if mappings else []
    arrange = {"id": "organize", "options": {"excludeByName": {name: True for name in hidden}, "indexByName": {}, "renameByName": names or {}}}
    return panel("table", title, about, [("", expr)], w, h, "none", {"showHeader": True, "cellHeight": "sm"}, {"align": "left"},
                 overrides=overrides, instant=True, form="table", color="thresholds", transformations=[arrange])


def row(title, *panels):
    """A heading and the panels below it."""
    return {"type": "row", "title": title, "collapsed": False, "panels": [], "gridPos": {"w": 24, "h": 1}}, list(panels)


def placed(rows):
    """All panels with ids and places: from left to right, then a new line."""
    result, y = [], 0
    for heading, panels in rows:
        heading["gridPos"].update(x=0, y=y)
        result.append(heading)
        x, y, tallest = 0, y + 1, 0
        for item in panels:
            box = item["gridPos"]
            if x + box["w"] > 24:
                x, y, tallest = 0, y + tallest, 0
            box.update(x=x, y=y)
            x, tallest = x + box["w"], max(tallest, box["h"])
            result.append(item)
        y += tallest
    for number, item in enumerate(result, 1):
        item["id"] = number
    return result


# --- Variables

def ask(name, label, query, about, regex="", sort=1):
    """A variable whose values Prometheus tells; asked again when the dashboard's range changes."""
    return {"name": name, "label": label, "description": about, "type": "query", "datasource": DATASOURCE, "definition": query,
            "query": {"query": query, "refId": "StandardVariableQuery"}, "regex": regex, "sort": sort, "refresh": 2, "hide": 0,
            "includeAll": False, "multi": False, "options": [], "current": {}}


def choose(name, label, values, about):
    """A variable with values of its own, as `value` or `text : value`; the first one is the default."""
    parts = [v.split(" : ") for v in values]
    options = [{"text": p[0], "value": p[-1], "selected": n == 0} for n, p in enumerate(parts)]
    return {"name": name, "label": label, "description": about, "type": "custom", "query": ",".join(values), "options": options,
            "current": dict(options[0]), "hide": 0, "includeAll": False, "multi": False}


def common_variables():
    """Data source, job, profile, shard."""
    # `.*` stands for all: it also matches a run without shards, whose series have no such label.
    shards = ('query_result(label_replace(vector(1), "shard", ".*", "", "") or '
              'count by (shard) (last_over_time(stentor_elapsed_seconds{job="$job",profile="$profile",shard!=""}[$__range])))')
    return [
        {"name": "datasource", "label": "Data source", "description": "The Prometheus that has the numbers.", "type": "datasource",
         "query": "prometheus", "regex": "", "hide": 0, "includeAll": False, "multi": False, "options": [], "current": {}},
        ask("job", "Job", "label_values(stentor_elapsed_seconds, job)", "push.job of the profile, or the scrape job."),
        ask("profile", "Profile", 'label_values(stentor_elapsed_seconds{job="$job"}, profile)', "The profile's name."),
        ask("shard", "Shard", shards, "A part of a run over several machines; .* stands for all of them.", r'/shard"?[=:] ?"([^"]*)"/', 0),
    ]


def filters():
    """Any further labels, for instance of push.labels."""
    return {"name": "filters", "label": "Filters", "description": "Narrows every panel by further labels, such as those of push.labels.",
            "type": "adhoc", "datasource": DATASOURCE, "filters": [], "hide": 0}


# --- Dashboards

def annotations():
    """Outages: their exact beginnings, and how long they were seen open."""
    builtin = {"builtIn": 1, "datasource": {"type": "grafana", "uid": "-- Grafana --"}, "enable": True, "hide": True,
               "iconColor": "rgba(0, 211, 255, 1)", "name": "Annotations & Alerts", "type": "dashboard"}

    def entry(name, color, expr, text, as_time, step):
        return {"name": name, "datasource": DATASOURCE, "enable": True, "hide": False, "iconColor": color, "expr": expr, "step": step,
                "titleFormat": name, "textFormat": text, "tagKeys": "phase", "useValueForTime": as_time}
    start = of("stentor_outage_start_timestamp_seconds")
    return {"list": [
        builtin,
        entry("Outage begins", "red", f"1000 * min({start})", "devices were cut off", True, "5s"),
        entry("Outage open", "orange", f"""max by (phase) ({of("stentor_phase", 'phase=~"outage|recovery"')})""", "{{phase}}", False, "15s"),
    ]}


def dashboard(uid, title, about, rows, variables, since, refresh):
    """A dashboard as Grafana's file provisioning loads it."""
    links = [{"type": "dashboards", "title": "Stentor", "tags": ["stentor"], "asDropdown": True, "includeVars": True, "keepTime": True,
              "icon": "external link", "targetBlank": False, "tooltip": "", "url": ""}]
    return {"id": None, "uid": uid, "title": title, "description": about, "tags": ["stentor"], "schemaVersion": 39, "version": 1,
            "editable": True, "graphTooltip": 1, "fiscalYearStartMonth": 0, "liveNow": False, "weekStart": "", "timezone": "browser",
            "time": {"from": since, "to": "now"}, "timepicker": {"refresh_intervals": ["5s", "15s", "30s", "1m", "5m"]},
            "refresh": refresh, "links": links, "annotations": annotations(), "templating": {"list": variables},
            "panels": placed(rows)}
