// Over time: one row a frame for the plots. Rows come from frames as they arrive, and once from the server on opening.
import { signal } from '@preact/signals';
import type { FrameStore } from '../protocol/frame';
import type { SceneMessage } from '../protocol/scene';

/** Rows kept; beyond them every second of the older half goes. */
const MOST_ROWS = 4000;

export class History {
  columns: string[] = [];
  /** one list per column */
  data: (number | null)[][] = [];
  /** counts changes of the columns */
  readonly layout = signal(0);
  private last = -1;

  /** Begins anew with the columns of this scene. */
  begin(scene: SceneMessage): void {
    this.columns = ['frame', 't', 'elastic', 'gravity', 'kinetic', 'work', 'dissipated', 'solve_ms'];
    for (const rod of scene.rods) this.columns.push(`turns ${rod.name}`, `tension ${rod.name}`, `bend radius ${rod.name}`);
    for (const hold of scene.holds) this.columns.push(`force ${hold.name}`, `moment ${hold.name}`);
    this.data = this.columns.map(() => []);
    this.last = -1;
    this.layout.value += 1;
  }

  /** Takes what the server recorded before this page came. */
  load(columns: string[], rows: (number | null)[][]): void {
    if (columns.length === 0) return;
    this.columns = columns;
    const t = columns.indexOf('t');
    // likewise of what the server recorded: only what leads to the last row
    let least = Infinity;
    const kept = [...rows].reverse().filter((row) => {
      const before = (row[t] ?? 0) <= least;
      if (before) least = row[t] ?? 0;
      return before;
    }).reverse();
    this.data = columns.map((_, column) => kept.map((row) => row[column] ?? null));
    this.last = this.data[0]!.at(-1) ?? -1;
    this.layout.value += 1;
  }

  /** Adds the row of a frame. */
  add(frame: FrameStore, scene: SceneMessage): void {
    if (frame.number <= this.last || frame.revision !== scene.revision) return;
    this.last = frame.number;
    this.goBackTo(frame.time);
    const row = [frame.number, frame.time, ...frame.energy, frame.solveMs];
    for (const rod of frame.rods) row.push(rod.turns, rod.maxTension, rod.minBendRadius);
    for (let k = 0; k < scene.holds.length; ++k) {
      const hold = frame.holds[k];
      if (!hold) return;
      row.push(Math.hypot(...hold.force), Math.hypot(...hold.moment));
    }
    if (row.length !== this.columns.length) return;
    // as the server has it: what is no number is null
    row.forEach((value, column) => this.data[column]!.push(Number.isFinite(value) ? value : null));
    if (this.data[0]!.length > MOST_ROWS) this.thin();
  }

  column(name: string): (number | null)[] | undefined {
    return this.data[this.columns.indexOf(name)];
  }

  /** Time that was gone back beyond has not been. */
  private goBackTo(time: number): void {
    const times = this.column('t');
    if (!times || (times.at(-1) ?? 0) <= time) return;
    const kept = times.findIndex((t) => (t ?? 0) > time);
    for (const list of this.data) list.length = kept;
  }

  private thin(): void {
    const half = MOST_ROWS / 2;
    this.data = this.data.map((list) => list.filter((_, row) => row >= half || row % 2 === 0));
  }
}

/** Whether the same columns serve both scenes. */
export function sameColumns(history: History, scene: SceneMessage): boolean {
  const probe = new History();
  probe.begin(scene);
  return probe.columns.join('\n') === history.columns.join('\n');
}
