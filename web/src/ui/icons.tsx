// The icons of the workbench: strokes on a 24 by 24 field.

const strokes = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 5v14l9-7zM18.5 5v14',
  reset: 'M4 4v5h5M4.6 9a8 8 0 1 1-.6 5',
  settle: 'M4 6c3 8 13 8 16 0M12 12v7M9 16l3 3 3-3',
  undo: 'M9 14 4 9l5-5M4 9h9a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9h-9a6 6 0 0 0 0 12h3',
  open: 'M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V10H6.5L3 18zM3 18l3-8h16l-3 8z',
  save: 'M5 3h11l4 4v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM7 3v5h8V3M7 21v-7h9v7',
  gallery: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 20h16',
  camera: 'M4 8h3l2-3h6l2 3h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1zM12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  report: 'M6 3h8l5 5v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM14 3v5h5M8.5 14l2.5 2.5L15.5 12',
  select: 'M5 3l6.5 16 2.3-6.7L20.5 10z',
  cable: 'M4 7c0 12 16-2 16 10M4 4.5v3M20 16.5v3',
  hold: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v6M12 16v6M2 12h6M16 12h6',
  measure: 'M3 16 16 3l5 5L8 21zM7 12l2 2M10 9l2 2M13 6l2 2',
  move: 'M12 2v20M2 12h20M9 5l3-3 3 3M9 19l3 3 3-3M5 9l-3 3 3 3M19 9l3 3-3 3',
  rotate: 'M20 5v5h-5M19.4 10A8 8 0 1 0 20 14',
  twist: 'M8 3c8 3 8 6 0 9s-8 6 0 9M16 3c-8 3-8 6 0 9s8 6 0 9',
  sun: 'M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12 1.5v2.5M12 20v2.5M4.6 4.6l1.8 1.8M17.6 17.6l1.8 1.8M1.5 12H4M20 12h2.5M4.6 19.4l1.8-1.8M17.6 6.4l1.8-1.8',
  moon: 'M20.5 14A8.5 8.5 0 1 1 10 3.5 7 7 0 0 0 20.5 14z',
  help: 'M12 21.5a9.5 9.5 0 1 0 0-19 9.5 9.5 0 0 0 0 19zM9.2 9.2a2.9 2.9 0 0 1 5.6.9c0 1.9-2.8 2.4-2.8 4.1M12 17.4v.1',
  tree: 'M4 5h6M4 5v14h6M4 12h6M13 5h7M13 12h7M13 19h7',
  panel: 'M4 4h16v16H4zM15 4v16',
  plot: 'M3 3v18h18M6 15l4-5 4 3 6-8',
  alarm: 'M12 3 1.8 20.5h20.4zM12 10v5M12 17.6v.1',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6',
  eye: 'M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7-10-7-10-7zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  replay: 'M4 5v5h5M4.6 10a8 8 0 1 1-.3 5M10.5 9.5v6l4.5-3z',
  hidden: 'M4 4l16 16M2 12s3.5-7 10-7c2 0 3.7.6 5.1 1.5M22 12s-3.5 7-10 7c-2 0-3.7-.6-5.1-1.5',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  chevron: 'm9 6 6 6-6 6',
  box: 'M12 2.5 20.5 7v10L12 21.5 3.5 17V7zM3.5 7 12 11.8 20.5 7M12 11.8v9.7',
  mesh: 'M3 19 9 5l6 5 6-3-4 12zM9 5l8 14M15 10 3 19M15 10l2 9',
  pin: 'M9 3h6l-1 7 4 4H6l4-4zM12 14v7',
  scale: 'M4 20 20 4M13 4h7v7M4 13v7h7',
  junction: 'M12 13v8M12 13 5 4M12 13l7-9',
  scissors: 'M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.5 7.8 20 17M8.5 16.2 20 7',
  force: 'M5 19 18 6M11 5h8v8',
  drive: 'M3 12h4l2-6 4 12 2-6h6',
  layers: 'm12 3 9 5-9 5-9-5zM3 12.5l9 5 9-5M3 17l9 5 9-5',
  ghost: 'M5 20V10a7 7 0 0 1 14 0v10l-2.3-2-2.4 2-2.3-2-2.3 2-2.4-2zM9.5 10v.5M14.5 10v.5',
  target: 'M12 19a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM12 2v4M12 18v4M2 12h4M18 12h4',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  spread: 'M3 12h18M6 8.5v7M12 8.5v7M18 8.5v7',
} as const;

export type IconName = keyof typeof strokes;

const solid: ReadonlySet<IconName> = new Set<IconName>(['play']);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={strokes[name]} fill={solid.has(name) ? 'currentColor' : 'none'} />
    </svg>
  );
}
