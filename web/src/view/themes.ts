// How the view looks in a dark and in a light page.
import type { Theme } from '../model/prefs';

export interface StageTheme {
  top: string;
  line: string;
  lineStrength: number;
  shadow: number;
  exposure: number;
  /** of the stripe along cables */
  stripe: string;
}

export const themes: Record<Theme, StageTheme> = {
  dark: { top: '#171b21', line: '#8895a8', lineStrength: 0.42, shadow: 0.42, exposure: 1.0, stripe: '#12151a' },
  light: { top: '#eef1f5', line: '#64748b', lineStrength: 0.5, shadow: 0.22, exposure: 1.12, stripe: '#1b2027' },
};
