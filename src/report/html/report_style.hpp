// The style sheet of the report: one set of colours for light, one for dark, small enough to stand in the page.
#pragma once

namespace filum::io {

inline constexpr const char* kReportStyle = R"css(
:root{--page:#f6f7f9;--card:#fff;--ink:#1b2430;--soft:#5d6b7c;--line:#dde2e9;--grid:#e6eaf0;--good:#12805c;--bad:#c0262d;
--warn:#9a6700;--goodbg:#e3f5ee;--badbg:#fdeaea;--warnbg:#fdf3d8;--shade:#000;--ground:#e9edf3;--accent:#d9480f;--limit:#c0262d;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--page:#0f141b;--card:#171e27;--ink:#e6ebf2;--soft:#98a6b8;--line:#2b3644;--grid:#252f3b;
--good:#4fd1a5;--bad:#ff7b7b;--warn:#f2c14e;--goodbg:#12352b;--badbg:#421c1f;--warnbg:#3a2f10;--shade:#000;--ground:#1c2530;--accent:#ff9248;--limit:#ff7b7b}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 24px 48px}
h1{font-size:26px;line-height:1.25;margin:0 0 10px;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:17px;margin:34px 0 12px;font-weight:650}
.kind{color:var(--soft);font-size:13px;letter-spacing:.04em;text-transform:uppercase;margin:0 0 4px}
.chips{display:flex;flex-wrap:wrap;gap:8px;margin:0}
.chip{border-radius:999px;padding:3px 12px;font-weight:600;font-size:14px}
.chip.good{background:var(--goodbg);color:var(--good)}.chip.bad{background:var(--badbg);color:var(--bad)}.chip.warn{background:var(--warnbg);color:var(--warn)}
.chip.none{background:var(--grid);color:var(--soft)}
.why{margin:8px 0 0;color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px;min-width:0}
.card figcaption,.note{color:var(--soft);font-size:13px;margin:6px 2px 0}
figure{margin:0}
.views{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:14px;margin-top:14px}
.plots{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:14px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(300px,1fr));gap:14px}
@media (max-width:860px){main{padding:20px 14px 36px}.plots{grid-template-columns:minmax(0,1fr)}.plots svg{max-width:600px;margin:0 auto}}
@media (max-width:620px){.views{grid-template-columns:minmax(0,1fr)}}
figure>svg{display:block;width:100%;height:auto}
svg text{font-family:inherit;fill:var(--ink)}
svg text.soft{fill:var(--soft)}
svg text.limittext{fill:var(--limit)}
svg text.forcetext{fill:var(--accent)}
.grid{stroke:var(--grid)}.zero{stroke:var(--soft);stroke-opacity:.6}.axis{stroke:var(--soft)}.limit{stroke:var(--limit);stroke-width:1.5}
.ground{fill:var(--ground);fill-opacity:.45}.shadow{stroke:var(--shade);stroke-opacity:.16}.ghost{stroke:var(--soft)}
.force{stroke:var(--accent)}.forcehead{fill:var(--accent)}.bar{stroke:var(--ink);stroke-width:1.5}.barhead{fill:var(--ink)}
.body{fill:#7b8ba3;stroke:var(--soft);stroke-width:1}.bodyback{fill:none;stroke:var(--soft);stroke-width:.7;stroke-opacity:.5}.ball{stroke:var(--card);stroke-width:1}
svg .halo{paint-order:stroke;stroke:var(--card);stroke-width:3.5px;stroke-linejoin:round}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{text-align:left;padding:6px 10px;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:600;font-size:13px}
tbody tr:last-child td{border-bottom:0}
.n{text-align:right;font-variant-numeric:tabular-nums}
tr.bad td{background:var(--badbg);color:var(--bad);font-weight:600}
footer{margin-top:36px;color:var(--soft);font-size:13px}
@media print{body{background:#fff}.card{break-inside:avoid}main{max-width:none;padding:0}}
)css";

}  // namespace filum::io
