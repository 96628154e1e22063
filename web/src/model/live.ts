// A command that follows a slider: one on its way at a time, always the latest, all of a pull one thing to undo.
import { tell } from './session';

let gestures = 0;

export class Live {
  private readonly gesture = `slider ${++gestures}`;
  private waiting: object | undefined;
  private flying = false;

  constructor(
    private readonly cmd: string,
    private readonly where: string,
  ) {}

  send(fields: object): void {
    this.waiting = fields;
    if (!this.flying) void this.fly();
  }

  private async fly(): Promise<void> {
    this.flying = true;
    while (this.waiting) {
      const fields = this.waiting;
      this.waiting = undefined;
      await tell(this.cmd, { ...fields, gesture: this.gesture }, this.where);
    }
    this.flying = false;
  }
}
