// What a person typed, where the server takes less than a field does. What does not fit is refused beside its field and
// goes nowhere.
import { trouble } from '../model/trouble';
import { vec3Of, type Vec3 } from '../protocol/vectors';

/** A number in SI, or words that the page could not turn into one; null: nothing. */
export type Typed = number | string | null;

/** Takes numbers only; an emptied field changes nothing. */
export function takeNumber(where: string, then: (value: number) => void): (typed: Typed) => void {
  return (typed) => {
    if (typeof typed === 'number') then(typed);
    else if (typed !== null) trouble.report(where, `expected a number, found '${typed}'`);
  };
}

/** Takes three numbers. */
export function takeVector(where: string, then: (value: Vec3) => void): (typed: readonly Typed[]) => void {
  return (typed) => {
    const numbers = typed.filter((item) => typeof item === 'number');
    if (numbers.length === 3) return then(vec3Of(numbers));
    const found = typed.find((item) => typeof item !== 'number');
    trouble.report(where, `expected three numbers, found '${found ?? ''}'`);
  };
}

/** Takes a place along a cable: a number, or words such as «50 %». */
export function takePlace(where: string, then: (value: number | string) => void): (typed: Typed) => void {
  return (typed) => {
    if (typed !== null) then(typed);
    else trouble.report(where, 'expected a place along the cable, such as 0.3 m or 50 %');
  };
}
