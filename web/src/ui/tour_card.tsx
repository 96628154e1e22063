// The card of a guided tour: what to do next. It goes on by itself when that was done.
import { endTour, tour, tourStep } from '../model/tours';

export function TourCard() {
  const now = tour.value;
  if (!now) return null;
  const step = tourStep.value;
  return (
    <section class="tour" role="status" aria-label={`Tour: ${now.tour.title}`}>
      <b>{now.tour.title}</b>
      <span class="muted">{step ? `step ${now.step + 1} of ${now.tour.steps.length}` : 'done'}</span>
      <p>{step ? step.say : 'That was all of it. The examples have two more tours.'}</p>
      <button class="button small framed" onClick={endTour}>{step ? 'End the tour' : 'Close'}</button>
    </section>
  );
}
