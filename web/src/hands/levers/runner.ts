// Steps of something that goes on by itself for as long as a key is held.

/** Calls once a picture with the seconds since the last. */
export class Runner {
  private running = true;

  constructor(step: (dt: number) => void) {
    let before = performance.now();
    const loop = (now: number): void => {
      if (!this.running) return;
      step(Math.min(Math.max(now - before, 0), 100) / 1000);
      before = now;
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  stop(): void {
    this.running = false;
  }
}
