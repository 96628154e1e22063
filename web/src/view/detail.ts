// How finely a cable is drawn: as much as is seen of it on the screen, so that many thin ones cost little.

export interface Detail {
  /** sides of its skin, if it is round */
  sides: number;
  /** samples from one point to the next; below 1: of so many points one */
  between: number;
}

/** Sides by radius in pixels: the skin is nowhere half a pixel off the round one. */
const SIDES = [{ below: 3, sides: 6 }, { below: 7, sides: 10 }] as const;
const MOST_SIDES = 14;
/** Pixels between samples that look smooth. */
const SPACING = 5;
/** Samples along a cable that look smooth from near: cables of few segments get more of them between points. */
const SMOOTH = 160;
const MOST_BETWEEN = 6;
/** Pixels that straight pieces may be off the curve. */
const OFF = 0.25;
/** Radians that the cable may turn from one sample to the next: a stripe along it shows its twist. */
const TURN = 0.4;
const MOST_POINTS = 8;

/**
 * Points of which one sample does, where segments are so many pixels and turn by so much: over n of them a chord is off an
 * arc by n² segment · turn / 8.
 */
function pointsASample(segment: number, turn: number): number {
  if (turn === 0) return MOST_POINTS;
  return Math.floor(Math.min(MOST_POINTS, Math.sqrt((8 * OFF) / (segment * turn)), TURN / turn));
}

/** Of a cable of so many segments whose radius and segments are so many pixels, and which turn by at most so many radians each. */
export function detailOf(segments: number, radius = Infinity, segment = Infinity, turn = Infinity): Detail {
  const points = pointsASample(segment, turn);
  const between = points >= 1 ? 1 / points : Math.min(MOST_BETWEEN, Math.ceil(SMOOTH / Math.max(segments, 1)), Math.max(1, Math.ceil(segment / SPACING)));
  return { sides: SIDES.find(({ below }) => radius < below)?.sides ?? MOST_SIDES, between };
}

/** What it is drawn with from now on: what it was if that still does and is not far too much. */
export function nextDetail(before: Detail | undefined, segments: number, radius: number, segment: number, turn = Infinity): Detail {
  const least = detailOf(segments, radius, segment, turn);
  const most = detailOf(segments, 1.5 * radius, 1.5 * segment, 1.5 * turn);
  const does = (key: keyof Detail): boolean => before !== undefined && before[key] >= least[key] && before[key] <= most[key];
  return before && does('sides') && does('between') ? before : least;
}
