/// What `compare.html` has beyond the style of `report.html`.
enum ComparisonStyle {
    static let css = """
        .vh{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        .verdict.same{border-left-color:var(--soft)}
        .fine{color:var(--soft);font-size:.88rem;margin:.8rem 0 0;max-width:60rem}
        .changes{list-style:none;padding:0;margin:.9rem 0 0}.changes li{padding:.28rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}.changes li:first-child{border-top:0}
        .changes small,td small{color:var(--soft);font-size:.82em}
        .ci{color:var(--soft)}
        .mark.none{color:var(--ink);font-weight:500}
        h3.more{margin-top:1.4rem}h3{margin-bottom:.4rem}
        .runs td{overflow-wrap:anywhere;min-width:7.5rem}.runs td.n{min-width:0}
        .forest{min-width:52rem}.forest td,.forest th{vertical-align:middle}.forest thead th{vertical-align:bottom}
        .forest .fn small{display:block;color:var(--soft);font-size:.78rem}.forest .fn{white-space:normal;overflow-wrap:anywhere;min-width:14.5rem;max-width:17rem}
        .why th:first-child{white-space:normal;max-width:18rem;min-width:11rem;color:var(--soft)}
        .forest .fv span{display:block}.forest .fr{white-space:nowrap}.forest .fd .ci{display:block;font-size:.84rem}
        .fp{width:36%;min-width:17rem;padding:0 .6rem!important}
        .fx{position:relative;height:2.9rem}.fx>svg:first-child{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
        .fx.ax{height:1.2rem}.fx.ax span:not(.vh){position:absolute;transform:translateX(-50%);white-space:nowrap;font-size:.76rem}
        .pt{vertical-align:-.15em}.fx .pt{position:absolute;top:50%;transform:translate(-50%,-50%)}
        .pt path{stroke-width:2}.pt.worse path{fill:var(--bad);stroke:var(--bad)}.pt.better path{fill:var(--good);stroke:var(--good)}.pt.same path{fill:var(--card);stroke:var(--ink)}.pt.open path{fill:var(--card);stroke:var(--soft)}
        .whisker{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}.whisker.worse{stroke:var(--bad)}.whisker.better{stroke:var(--good)}.whisker.same{stroke:var(--ink)}.whisker.open{stroke:var(--soft)}
        .nought{fill:none;stroke:var(--ink);stroke-width:1.2;vector-effect:non-scaling-stroke}
        .blind{fill:var(--soft);opacity:.17}
        .around{stroke:none;fill-opacity:.2}.around.s1{fill:var(--s1)}.around.s3{fill:var(--s3)}
        .tick{fill:none;stroke-width:1.6;vector-effect:non-scaling-stroke}.tick.s1{stroke:var(--s1)}.tick.s3{stroke:var(--s3)}.tick.s6{stroke:var(--s6)}.line.s6.solid{stroke-dasharray:none}
        .axis{color:var(--soft);font-size:.8rem;text-align:center;margin:-.3rem 0 .7rem}
        .plot.tall{height:15rem}.outage .plot.tall{height:19rem}
        .outage{margin-bottom:1rem}.outage .scroll{border:0;border-radius:0;border-top:1px solid var(--line);margin:.6rem 0 0}
        #shifts .charts>div:last-child:nth-child(odd){grid-column:1/-1}#shifts .charts>div:last-child:nth-child(even){grid-column:auto}#shifts .charts{margin-top:.8rem}
        .risk td,.risk th{padding-top:.2rem;padding-bottom:.2rem}
        .said{border-top:1px solid var(--line);padding-top:.6rem;margin-top:.6rem;font-size:.92rem;max-width:60rem}
        :target{scroll-margin-top:1rem}.defs div:target{background:var(--warn-ground)}
        @media (max-width:40rem){.plot.tall{height:13rem}.outage .plot.tall{height:15rem}
        .forest{min-width:0}.forest thead th:not(.fp){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.forest,.forest tbody,.forest thead,.forest caption{display:block}.forest .fv span{display:inline}.forest thead tr{display:block}.forest thead th.fp{display:block;width:auto}
        .forest tbody tr{display:grid;grid-template-columns:1fr auto;border-top:1px solid var(--line);padding:.35rem 0}.forest tbody td,.forest tbody th{border:0;padding:.1rem .6rem;max-width:none}
        .forest .fn{grid-area:1/1}.forest .fr{grid-area:1/2}.forest .fp{grid-area:2/1/3/3;min-width:0;width:auto}.forest .fv{grid-area:3/1/4/3}.forest .fd{grid-area:4/1/5/3}.forest .fd .ci{display:inline}
        .fx{height:1.9rem}.fx.ax .odd{display:none}.fx .pt{width:11px;height:11px}}
        @page wide{size:A4 landscape}
        @media print{.changes li,.forest tr,.outage figure,.charts>div{break-inside:avoid}#forest,#numbers{break-before:page}#numbers{page:wide}
        .fine,.said,.axis,.legend,figcaption p,.unknown{font-size:8pt}thead th,.forest .fn small,.forest .fd .ci,td small{font-size:6.4pt}.tiles{grid-template-columns:repeat(6,1fr)}.tiles dt,.tiles dd small{font-size:7pt}
        .forest{min-width:0}.forest .fn{max-width:36mm;min-width:30mm}.forest .fd{white-space:nowrap}.fp{min-width:40mm;width:32%}.fx{height:8mm}.plot.tall,.outage .plot.tall{height:48mm}.plot span{font-size:7pt}.fx.ax .odd{display:none}
        .defs dt{flex-basis:36mm;font-size:6.6pt}#numbers table{font-size:6pt}#numbers th,#numbers td{padding:.5mm .8mm}#numbers td:last-child{min-width:38mm}}
        """
}

/// The script of `compare.html`: shows values under the pointer or by arrow keys. The page is whole without it.
enum ComparisonScript {
    static let text = """
        "use strict";
        for (const plot of document.querySelectorAll(".plot")) {
          const all = JSON.parse(plot.querySelector(".points").textContent);
          const cursor = document.createElement("div"), box = document.createElement("div");
          cursor.className = "cursor"; box.className = "values"; cursor.hidden = box.hidden = true;
          box.setAttribute("role", "status");
          plot.append(cursor, box);
          let at = -1;
          const show = index => {
            if (!all.length) return;
            at = Math.max(0, Math.min(all.length - 1, index));
            const [share, text] = all[at];
            cursor.hidden = box.hidden = false;
            cursor.style.left = share * 100 + "%";
            box.style.left = share < .5 ? "calc(" + share * 100 + "% + .6rem)" : "auto";
            box.style.right = share < .5 ? "auto" : "calc(" + (1 - share) * 100 + "% + .6rem)";
            box.textContent = text;
          };
          const hide = () => { cursor.hidden = box.hidden = true; at = -1; };
          plot.addEventListener("pointermove", event => {
            const area = plot.getBoundingClientRect(), share = (event.clientX - area.left) / area.width;
            let best = 0;
            for (let i = 0; i < all.length; i++) if (Math.abs(all[i][0] - share) < Math.abs(all[best][0] - share)) best = i;
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
