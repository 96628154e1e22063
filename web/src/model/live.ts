// A command that follows a slider: one on its way at a time, always the latest, all of a pull one thing to undo.
import type { Args, CommandName } from '../protocol/commands';
import { tell } from './session';
import { finish, newGesture } from './undo';

export class Live<C extends CommandName> {
  private readonly gesture = newGesture('slider');
  private waiting: Args<C> | undefined;
  private underWay = false;

  constructor(
    private readonly cmd: C,
    private readonly where: string,
  ) {}

  send(args: Args<C>): void {
    this.waiting = args;
    if (!this.underWay) void finish(this.run());
  }

  private async run(): Promise<void> {
    this.underWay = true;
    while (this.waiting) {
      const args = this.waiting;
      this.waiting = undefined;
      await tell(this.cmd, { ...args, gesture: this.gesture }, this.where);
    }
    this.underWay = false;
  }
}
