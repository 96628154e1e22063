// Where words find room in a picture: those that would lie on others move up or down by whole lines, a few at most.

interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Lines that words move away from where they belong at most: beyond that it is not seen what they belong to. */
const MOST = 4;

export class LabelRoom {
  private readonly taken: Place[] = [];

  clear(): void {
    this.taken.length = 0;
  }

  /** Takes room of this size there, or as few lines farther as there is some: by how many pixels. Negative lines go up. */
  take(left: number, top: number, width: number, line: number): number {
    const height = Math.abs(line);
    const at = (off: number): Place => ({ left, top: top + off, right: left + width, bottom: top + off + height });
    const offs = Array.from({ length: MOST + 1 }, (_, k) => k * line);
    const off = offs.find((one) => !this.taken.some((other) => overlap(at(one), other))) ?? 0;
    this.taken.push(at(off));
    return off;
  }
}

function overlap(a: Place, b: Place): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
