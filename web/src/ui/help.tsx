// The map of mouse and keys. docs/workbench.md has the same in words.

type Line = [keys: readonly string[], what: string];

const map: { title: string; lines: Line[] }[] = [
  {
    title: 'Looking',
    lines: [
      [['drag empty space'], 'orbit'],
      [['right drag'], 'pan (also Shift and drag)'],
      [['wheel'], 'zoom to the pointer'],
      [['F'], 'show all'],
      [['0', '1', '3', '7'], 'from a corner, front, right, top'],
      [['one, two fingers'], 'orbit; pan and pinch'],
    ],
  },
  {
    title: 'Taking in the hand',
    lines: [
      [['drag'], 'a hold, a body or any point of a cable'],
      [['X', 'Y', 'Z'], 'while dragging: along this axis; with Shift: across it'],
      [['R', 'T'], 'held while dragging: turn, twist'],
      [['wheel'], 'while dragging: nearer or farther'],
      [['Shift'], 'at the drop: attach or let go, the other way than set'],
      [['Alt', 'drag'], 'pull length out of a cable'],
      [['G', 'R', 'T', 'Y'], 'handles: move, turn, twist; size of a mesh'],
    ],
  },
  {
    title: 'Selected hold or body',
    lines: [
      [['←', '→', '↑', '↓'], 'move sideways, up and down'],
      [['PgUp', 'PgDn'], 'move away, towards you'],
      [['[', ']'], 'twist by 15°'],
      [['Shift', 'Alt'], 'with these keys: ten times, a tenth'],
      [['L'], 'let go'],
      [['Del'], 'remove'],
    ],
  },
  {
    title: 'The tree, when it has the keys',
    lines: [
      [['↑', '↓'], 'through its rows'],
      [['←', '→'], 'fold, unfold'],
      [['F2', 'Del', 'H'], 'rename, remove, hide'],
      [['Enter'], 'gives the keys to the view'],
      [['Ctrl', 'Shift'], 'with a press: one more, all up to there'],
    ],
  },
  {
    title: 'Levers',
    lines: [
      [['Q', 'A'], 'held: the first lever on, back'],
      [['W', 'S'], 'the second'],
      [['I', 'K'], 'the third'],
      [['+', '−'], 'held: pay out, haul in the selected cable'],
      [['gamepad'], 'its sticks lead the first levers, its first button plays'],
      [['Shift', 'Alt'], 'with these keys: ten times as fast, a tenth'],
    ],
  },
  {
    title: 'Tools',
    lines: [
      [['V'], 'select and drag'],
      [['C'], 'new cable between two points'],
      [['H'], 'add a hold'],
      [['J'], 'join two cables'],
      [['M'], 'measure a distance'],
      [['Shift', 'click'], 'selects one more'],
      [['Ctrl', 'drag empty space'], 'selects what lies in the box'],
      [['Ctrl', 'C', 'V', 'D'], 'copy, paste, duplicate; Ctrl A: all'],
      [['right click'], 'what can be done here; with a finger: rest on it'],
      [['Esc'], 'give up'],
    ],
  },
  {
    title: 'Time',
    lines: [
      [['Space'], 'play, pause'],
      [['.'], 'one step; with Shift: ten'],
      [['E'], 'to equilibrium'],
      [['Home'], 'back to the start'],
      [['Esc'], 'stops what takes long; back to now from the recording'],
    ],
  },
  {
    title: 'Scene and page',
    lines: [
      [['Ctrl', 'Z'], 'undo; with Shift: redo'],
      [['Ctrl', 'S'], 'save; with Shift: save as'],
      [['Ctrl', 'O'], 'examples; with Shift: open a file'],
      [['F2'], 'rename what is selected'],
      [['F6', 'F3', 'F4'], 'tree, plots, inspector'],
      [['F12'], 'picture of the view'],
      [['drop a file'], 'scene (.yaml) or mesh'],
    ],
  },
];

export function KeyMap() {
  return (
    <div class="key-map">
      {map.map(({ title, lines }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {lines.map(([keys, what]) => (
              <>
                <dt>{keys.map((key) => (/^[a-z]/.test(key) ? <span key={key}>{key}</span> : <kbd key={key}>{key}</kbd>))}</dt>
                <dd>{what}</dd>
              </>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
