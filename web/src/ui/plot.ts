// A plot of uPlot in the colours of the theme, as large as its place.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { digits } from '../model/numbers';

interface Curve {
  label: string;
  colour: string;
}

export const CURVE_COLOURS = ['#f2a33a', '#66aaf0', '#57c785', '#c98be8', '#f2645f', '#46c2c2', '#c9b458', '#98a4b8'];

interface PlotWishes {
  host: HTMLElement;
  curves: readonly Curve[];
  xLabel: string;
  /** a line under the pointer was moved to this x, or away */
  hover: (x: number | undefined, index: number | undefined) => void;
  press?: (x: number) => void;
}

/** Digits that tell neighbouring ticks apart. */
function digitsFor(ticks: readonly number[]): number {
  const largest = Math.max(...ticks.map(Math.abs));
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  return step > 0 && largest > 0 ? Math.max(4, Math.ceil(Math.log10(largest / step)) + 2) : 4;
}

/** Makes a plot; `update` gives it new columns, x first. */
export function makePlot(wishes: PlotWishes): { update: (data: uPlot.AlignedData) => void; destroy: () => void } {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue('--text-3');
  const rule = style.getPropertyValue('--line-soft');
  const rem = parseFloat(style.fontSize);
  const font = `${Math.round(rem * 0.8)}px ${style.getPropertyValue('--font')}`;
  const axis: uPlot.Axis = {
    stroke: ink, font, labelFont: font, gap: 3,
    grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1, size: 4 },
    values: (_plot, ticks) => ticks.map((tick) => digits(tick, digitsFor(ticks))),
  };
  const plot = new uPlot(
    {
      width: Math.max(wishes.host.clientWidth, 50),
      height: Math.max(wishes.host.clientHeight, 40),
      legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
      // nothing at all is drawn at the foot of a unit, not of a hundred
      scales: { x: { time: false }, y: { range: (_plot, low, high) => (low === 0 && high === 0 ? [0, 1] : uPlot.rangeNum(low, high, 0.1, true)) } },
      padding: [8, 14, 0, 4],
      axes: [
        { ...axis, size: Math.round(rem * 1.9), space: 70 },
        { ...axis, size: Math.round(rem * 5), space: 26 },
      ],
      series: [{}, ...wishes.curves.map(({ label, colour }): uPlot.Series => ({ label, stroke: colour, width: 1.6, points: { show: (self) => self.data[0].length < 3 } }))],
      hooks: {
        setCursor: [(self) => wishes.hover(self.cursor.idx == null ? undefined : self.data[0][self.cursor.idx], self.cursor.idx ?? undefined)],
      },
    },
    [[], ...wishes.curves.map((): number[] => [])],
    wishes.host,
  );
  plot.over.addEventListener('click', () => {
    if (plot.cursor.idx != null) wishes.press?.(plot.data[0][plot.cursor.idx]!);
  });
  const observer = new ResizeObserver(() => plot.setSize({ width: Math.max(wishes.host.clientWidth, 50), height: Math.max(wishes.host.clientHeight, 40) }));
  observer.observe(wishes.host);
  return {
    update: (data) => plot.setData(data),
    destroy: () => {
      observer.disconnect();
      plot.destroy();
    },
  };
}
