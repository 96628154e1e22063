// A film of a recording: the view plays it and the browser's own encoder takes it.
import { goLive, lookAt, type Recording } from '../model/recording';
import type { View } from './view';

const RATE = 30;
const FORMATS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];

/** Plays the recording at a speed; takes as long as the film is. */
export async function filmOf(view: View, recording: Recording, speed: number): Promise<Blob> {
  const type = FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
  if (!type) throw new Error('this browser makes no films');
  try {
    return await take(view.stage.film(RATE), type, recording, speed);
  } finally {
    view.stage.endFilm();
    goLive();
  }
}

async function take(stream: MediaStream, type: string, recording: Recording, speed: number): Promise<Blob> {
  const encoder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
  const parts: Blob[] = [];
  encoder.ondataavailable = ({ data }) => parts.push(data);
  const done = new Promise<void>((resolve, reject) => {
    encoder.onstop = () => resolve();
    encoder.onerror = () => reject(new Error('the film could not be made'));
  });
  encoder.start();
  const { first, last } = recording;
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const loop = (now: number): void => {
      const time = first + (speed * Math.max(now - began, 0)) / 1000;
      lookAt(Math.min(time, last));
      if (time >= last) resolve();
      else requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  });
  encoder.stop();
  await done;
  return new Blob(parts, { type });
}
