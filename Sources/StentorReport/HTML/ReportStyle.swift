/// The style sheet of `report.html`.
enum ReportStyle {
    static let css = """
        :root{color-scheme:light dark;--ground:#f6f7f9;--card:#fff;--ink:#1c2430;--soft:#586474;--line:#dde2e8;--grid:#e7ebef;--accent:#1d5fa8;
        --good:#1c7a45;--good-ground:#e6f4eb;--bad:#b3261e;--bad-ground:#fbe9e7;--warn:#8a5a00;--warn-ground:#fdf3dc;--band:#f3c9a5;
        --s1:#1f6fb2;--s2:#2a8a57;--s3:#d9822b;--s4:#7a4fa3;--s5:#c0333c;--s6:#7d8790;--s7:#b6bec6;--s8:#dfe4e9}
        @media (prefers-color-scheme:dark){:root{--ground:#12161c;--card:#1a2028;--ink:#e6eaf0;--soft:#9aa6b4;--line:#2c3540;--grid:#27303a;--accent:#7db6f5;
        --good:#6fd09a;--good-ground:#15301f;--bad:#ff8f88;--bad-ground:#3a1a18;--warn:#f0c168;--warn-ground:#33270e;--band:#6b4a2c;
        --s1:#6fb0ee;--s2:#5fc48d;--s3:#f0a45c;--s4:#bb9be6;--s5:#f2777f;--s6:#a5b0bc;--s7:#626d79;--s8:#38424d}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
        header,main,footer{max-width:74rem;margin:0 auto;padding:0 1.25rem}
        header{padding-top:2.25rem}
        .skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.4rem .8rem;z-index:9}
        a{color:var(--accent)}
        h1{font-size:1.9rem;line-height:1.2;margin:.15rem 0 .35rem;overflow-wrap:anywhere;letter-spacing:-.01em}
        h2{font-size:1.3rem;margin:2.75rem 0 .9rem;letter-spacing:-.005em}
        h3{font-size:1rem;margin:0}
        p{margin:.3rem 0;overflow-wrap:anywhere}
        .eyebrow{color:var(--soft);font-size:.85rem;margin:0;letter-spacing:.02em}
        .lead{font-size:1.08rem;color:var(--soft);margin:.1rem 0 0}
        .verdict{display:flex;flex-wrap:wrap;align-items:center;gap:.4rem .9rem;margin:1.25rem 0 0;padding:.95rem 1.2rem;border-radius:.6rem;border:1px solid var(--line);border-left:.45rem solid var(--soft);background:var(--card)}
        .verdict strong{font-size:1.25rem;letter-spacing:.02em;text-transform:uppercase;white-space:nowrap}
        .verdict.pass{border-left-color:var(--good);background:var(--good-ground)}.verdict.pass strong{color:var(--good)}
        .verdict.fail{border-left-color:var(--bad);background:var(--bad-ground)}.verdict.fail strong{color:var(--bad)}
        .verdict.other{border-left-color:var(--warn);background:var(--warn-ground)}.verdict.other strong{color:var(--warn)}
        .verdict span{overflow-wrap:anywhere}
        nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:1rem 0 0;font-size:.92rem}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.6rem,1fr));gap:.8rem;margin:1.25rem 0 0;padding:0}
        .tiles div{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem}
        .tiles dt{color:var(--soft);font-size:.82rem}
        .tiles dd{margin:0;font-size:1.35rem;font-weight:600;font-variant-numeric:tabular-nums;line-height:1.3}
        .tiles dd small{display:block;font-size:.8rem;font-weight:400;color:var(--soft)}
        .note{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.75rem 1.1rem;margin:.9rem 0}
        .note h3{margin-bottom:.25rem}.note ul{margin:0;padding-left:1.15rem}.note li{margin:.2rem 0;overflow-wrap:anywhere}
        .note.warn{border-left:.3rem solid var(--warn)}
        .scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:0 0 1rem}
        .scroll:focus-visible,.plot:focus-visible,summary:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
        caption{text-align:left;font-weight:600;padding:.75rem .9rem .45rem;font-size:.95rem}
        th,td{padding:.38rem .9rem;text-align:left;vertical-align:top;border-top:1px solid var(--line);white-space:nowrap}
        th{font-weight:500}thead th{color:var(--soft);font-size:.82rem;border-top:0}
        td.n,th.n{text-align:right}
        .wrap th,.wrap td{white-space:normal;overflow-wrap:break-word}.wrap td.n,.wrap th.n{white-space:nowrap}.wrap code{display:inline-block;min-width:13rem;overflow-wrap:anywhere}
        .grouped td{border-top-color:transparent}.grouped .first td,.grouped th{border-top-color:var(--line)}.grouped td{padding-top:.22rem;padding-bottom:.22rem}.grouped th{padding-top:.22rem}.grouped td,.grouped th{padding-left:.55rem;padding-right:.55rem}.grouped th:first-child{padding-left:.9rem}.grouped tr>:last-child{padding-right:.9rem}
        .stories td:last-child{white-space:normal;min-width:24rem}.stories p{color:var(--soft)}.stories tbody th{white-space:normal;overflow-wrap:anywhere;min-width:7rem}
        .outages td:nth-child(2){white-space:normal;overflow-wrap:anywhere;min-width:8rem}.outages thead th{white-space:normal}
        .story{list-style:none;display:flex;flex-wrap:wrap;gap:0 1.1rem;margin:0;padding:0}.story li{white-space:nowrap}.story b{font-weight:400;color:var(--soft)}
        .unknown{color:var(--soft)}
        .mark{font-weight:600;white-space:nowrap}.mark.pass{color:var(--good)}.mark.fail{color:var(--bad)}.mark.other{color:var(--warn)}
        .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:0 1rem;align-items:start}
        .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:1rem}
        .charts .wide,.charts>div:last-child:nth-child(even){grid-column:1/-1}
        figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.1rem .8rem;min-width:0;height:100%}
        figcaption p{color:var(--soft);font-size:.84rem;margin:.1rem 0 .5rem}
        .legend{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1rem;padding:0;margin:0 0 .9rem;font-size:.84rem}
        .legend svg{vertical-align:-.08em;margin-right:.15rem}.legend li{overflow-wrap:anywhere}
        .plot{position:relative;height:13rem;margin:0 .4rem 1.9rem 4.1rem}
        .wide .plot{height:16rem}
        .plot>svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
        .plot span{position:absolute;font-size:.76rem;color:var(--soft);line-height:1;white-space:nowrap;font-variant-numeric:tabular-nums}
        .plot .y{right:100%;margin-right:.5rem;transform:translateY(-50%)}
        .plot .x{top:100%;margin-top:.5rem;transform:translateX(-50%)}.plot .x.first{transform:none}.plot .x.last{transform:translateX(-100%);margin-left:.3rem}
        .plot .b{top:-.85rem;color:var(--ink);font-weight:600}
        .plot .l{right:.2rem;transform:translateY(-130%)}
        .grid{stroke:var(--grid);stroke-width:1;vector-effect:non-scaling-stroke;fill:none}
        .line{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round;vector-effect:non-scaling-stroke}
        .level{fill:none;stroke:var(--bad);stroke-width:1;stroke-dasharray:2 4;vector-effect:non-scaling-stroke}
        .band{fill:var(--band);opacity:.55}.area~.band{opacity:.34}
        .line.s1{stroke:var(--s1)}.line.s2{stroke:var(--s2);stroke-width:2.8}.line.s3{stroke:var(--s3);stroke-dasharray:9 3}.line.s4{stroke:var(--s4);stroke-dasharray:6 3}
        .line.s5{stroke:var(--s5);stroke-dasharray:3 3}.line.s6{stroke:var(--s6);stroke-dasharray:1.5 3.5}.line.s7{stroke:var(--s3);stroke-dasharray:12 3 2 3}.line.s8{stroke:var(--s6);stroke-dasharray:6 2 2 2}
        .area{stroke:var(--card);stroke-width:.6;vector-effect:non-scaling-stroke}
        .area.s1{fill:var(--s1)}.area.s2{fill:var(--s2);fill-opacity:.85}.area.s3{fill:var(--s3)}.area.s5{fill:var(--s5)}.area.s7{fill:var(--s7)}.area.s8{fill:var(--s8)}
        .cursor{position:absolute;top:0;bottom:0;width:1px;background:var(--soft);pointer-events:none}
        .values{position:absolute;top:.2rem;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.3rem .55rem;font-size:.78rem;pointer-events:none;white-space:pre;z-index:3;box-shadow:0 2px 8px #0003;font-variant-numeric:tabular-nums}
        details.data{font-size:.84rem}summary{cursor:pointer;color:var(--accent);font-size:.84rem}
        details .scroll{margin-top:.5rem;max-height:18rem;overflow-y:auto}
        .facts{margin:0 0 1rem;font-size:.9rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.5rem .9rem;columns:2 24rem}
        .facts div{display:flex;gap:1rem;padding:.25rem 0;break-inside:avoid}.facts dt{flex:0 0 9.5rem;color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere;min-width:0}
        .defs dt{flex-basis:11rem;font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.82rem;overflow-wrap:anywhere;color:var(--ink)}
        footer{color:var(--soft);font-size:.84rem;padding-top:2rem;padding-bottom:2.5rem}
        @media (max-width:40rem){header,main,footer{padding-left:.8rem;padding-right:.8rem}h1{font-size:1.5rem}.plot{margin-left:3.7rem}.plot .x.odd{display:none}
        figure{padding:.8rem .7rem .6rem}.tiles{grid-template-columns:1fr 1fr}.tiles dd{font-size:1.15rem}.facts div{display:block}.facts dt{font-size:.84rem}th,td{padding:.35rem .6rem}.wrap{min-width:44rem}
        .stories thead{display:none}.stories,.stories tbody{display:block}.stories tr{display:flex;flex-wrap:wrap;border-top:1px solid var(--line)}.stories th,.stories td{border-top:0}.stories td:last-child{min-width:0;flex:1 0 100%;padding-top:0}}
        @media print{:root{color-scheme:light;--ground:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#ccc;--grid:#e3e3e3;--accent:#000;--good:#0b5d2c;--good-ground:#fff;--bad:#9b1c15;--bad-ground:#fff;--warn:#6b4600;--warn-ground:#fff;--band:#f3d9c0;
        --s1:#1f6fb2;--s2:#2a8a57;--s3:#d9822b;--s4:#7a4fa3;--s5:#c0333c;--s6:#7d8790;--s7:#b6bec6;--s8:#dfe4e9}
        @page{margin:14mm}body{font-size:10pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}nav,.skip,details.data,.cursor,.values{display:none!important}header{padding-top:0}
        .charts{display:block}figure{break-inside:avoid;margin-bottom:4mm}.plot,.wide .plot{height:36mm}.scroll,details .scroll{overflow:visible;max-height:none}.facts{columns:2 10rem;font-size:8pt}.facts dt{flex-basis:26mm}tr,.note,.tiles div{break-inside:avoid}
        h2{break-after:avoid;margin-top:7mm}table{font-size:7.2pt}th,td{padding:.7mm 1.4mm;white-space:normal}td.n{white-space:nowrap}thead th{font-size:7pt}caption{break-after:avoid}.columns .scroll{break-inside:avoid}.stories td:last-child{min-width:0}.tiles{grid-template-columns:repeat(4,1fr)}.tiles dd{font-size:12pt}}
        """
}

/// The script of `report.html`: shows values under the pointer or by arrow keys. The report is whole without it.
enum ReportScript {
    static let text = """
        "use strict";
        for (const plot of document.querySelectorAll(".plot")) {
          const data = JSON.parse(plot.querySelector(".points").textContent);
          const all = [...new Set(data.series.flatMap(s => s.points.map(p => p[0])))].sort((a, b) => a - b);
          const cursor = document.createElement("div"), box = document.createElement("div");
          cursor.className = "cursor"; box.className = "values"; cursor.hidden = box.hidden = true;
          box.setAttribute("role", "status");
          plot.append(cursor, box);
          let at = -1;
          const digits = v => { const m = Math.abs(v); return v.toFixed(m >= 99.95 ? 0 : m >= 9.995 ? 1 : 2); };
          const time = v => data.max <= 120 ? v.toFixed(v < 10 ? 1 : 0) + " s"
            : (data.max > 7200 ? Math.floor(v / 3600) + ":" + String(Math.floor(v / 60) % 60).padStart(2, "0") : Math.floor(v / 60)) + ":" + String(Math.floor(v % 60)).padStart(2, "0");
          const bytes = v => { let u = 0; while (v >= 1024 && u < 4) { v /= 1024; u++; } return (u ? digits(v) : Math.round(v)) + " " + ["B", "KiB", "MiB", "GiB", "TiB"][u]; };
          const value = v => {
            if (data.unit === "share") return digits(v * 100) + " %";
            if (data.unit === "bytes") return bytes(v);
            if (data.unit === "bytesPerSecond") return bytes(v) + "/s";
            if (data.unit === "count") return Number.isInteger(v) ? v.toLocaleString("en") : digits(v);
            if (v === 0) return "0 s";
            if (v < 1e-3) return digits(v * 1e6) + " µs";
            if (v < 1) return digits(v * 1e3) + " ms";
            return v < 120 ? digits(v) + " s" : digits(v / 60) + " min";
          };
          const nearest = (points, x) => {
            let low = 0, high = points.length - 1;
            while (high - low > 1) { const middle = (low + high) >> 1; if (points[middle][0] <= x) low = middle; else high = middle; }
            return high >= 0 && Math.abs(points[high][0] - x) < Math.abs(points[low][0] - x) ? points[high] : points[low];
          };
          const show = index => {
            if (!all.length) return;
            at = Math.max(0, Math.min(all.length - 1, index));
            const x = all[at], share = data.max > 0 ? x / data.max : 0;
            const gap = data.max / 40;
            const lines = data.series.map(s => { const p = nearest(s.points, x); return p && Math.abs(p[0] - x) <= gap ? s.name + "  " + value(p[1]) : null; });
            cursor.hidden = box.hidden = false;
            cursor.style.left = share * 100 + "%";
            box.style.left = share < .5 ? "calc(" + share * 100 + "% + .6rem)" : "auto";
            box.style.right = share < .5 ? "auto" : "calc(" + (1 - share) * 100 + "% + .6rem)";
            box.textContent = [time(x), ...lines.filter(Boolean)].join("\\n");
          };
          const hide = () => { cursor.hidden = box.hidden = true; at = -1; };
          plot.addEventListener("pointermove", event => {
            const area = plot.getBoundingClientRect(), x = (event.clientX - area.left) / area.width * data.max;
            let best = 0;
            for (let i = 0; i < all.length; i++) if (Math.abs(all[i] - x) < Math.abs(all[best] - x)) best = i;
            show(best);
          });
          plot.addEventListener("pointerleave", hide);
          plot.addEventListener("blur", hide);
          plot.addEventListener("keydown", event => {
            const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
            if (event.key === "Home") show(0); else if (event.key === "End") show(all.length - 1);
            else if (event.key === "Escape") hide(); else if (step) show(at < 0 ? 0 : at + step); else return;
            event.preventDefault();
          });
        }
        """
}
