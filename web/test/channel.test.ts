import { describe, expect, it } from 'vitest';
import { isChannel, withValue } from '../src/model/channel_text';

const file = `# a wire
channel:
  centreline: {line: [[0, 0], [200 mm, 0]]} # straight
  width: 8 mm
load:
  push: 1 mm
  tip: centre
search: {k: 1}
`;

describe('the text of a channel file', () => {
  it('is known from a scene', () => {
    expect(isChannel(file)).toBe(true);
    expect(isChannel('filum: 1\nrods: {a: {}}\n')).toBe(false);
  });

  it('gets another value in place of what stands behind and below a key', () => {
    const pushed = withValue(file, 'load', '{push: 3 mm}');
    expect(pushed).toContain('\nload: {push: 3 mm}\nsearch: {k: 1}\n');
    expect(pushed).not.toContain('tip');
    expect(withValue(file, 'centreline', '{line: []}')).toContain('channel:\n  centreline: {line: []}\n  width: 8 mm\n');
  });

  it('gets a key that it had not', () => {
    expect(withValue('a: 1', 'load', '2')).toBe('a: 1\nload: 2\n');
  });
});
