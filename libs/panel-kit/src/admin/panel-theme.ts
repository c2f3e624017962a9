import type { ThemeOverride } from '@adminjs/design-system';

/** Colours. Every pair of text and background has a contrast ratio of at least 4.5. */
const COLORS = {
  primary100: '#6b2d5c',
  primary80: '#85507a',
  primary60: '#a97f9f',
  primary40: '#d3bccd',
  primary20: '#f3eaf1',
  accent: '#8a5a00',
  love: '#6b2d5c',
  text: '#2a2326',
  grey100: '#2a2326',
  grey80: '#4a4145',
  grey60: '#6a6065',
  grey40: '#8d8287',
  grey20: '#f4efe8',
  white: '#ffffff',
  black: '#1b1618',
  bg: '#faf7f2',
  container: '#ffffff',
  sidebar: '#fffdf9',
  filterBg: '#fffdf9',
  border: '#e7dfd4',
  separator: '#e7dfd4',
  highlight: '#f7f1e9',
  inputBorder: '#8d8287',
  error: '#b3261e',
  errorDark: '#8c1d18',
  errorLight: '#fbeae8',
  success: '#1e6b45',
  successDark: '#175336',
  successLight: '#e6f2eb',
  warning: '#8a5a00',
  warningDark: '#6e4800',
  warningLight: '#fbf1de',
  info: '#2f5d7c',
  infoDark: '#244961',
  infoLight: '#e6eff5',
};

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';

const look: Partial<ThemeOverride> & { breakpoints: string[] } = {
  colors: COLORS,
  // From the fourth width on the side bar is beside the page; 40-frame.css uses the same width.
  breakpoints: ['577px', '769px', '1024px', '1100px'],
  sizes: { navbarHeight: '60px', sidebarWidth: '264px', maxFormWidth: '740px' },
  fontSizes: { xs: '12px', sm: '13px', default: '15px', md: '15px', lg: '17px' },
  lineHeights: { default: '20px', md: '20px', lg: '24px' },
  borders: {
    default: `1px solid ${COLORS.border}`,
    input: `1px solid ${COLORS.inputBorder}`,
    bg: `1px solid ${COLORS.bg}`,
  },
  shadows: {
    card: '0 1px 3px rgba(42, 35, 38, 0.12)',
    cardHover: '0 4px 12px rgba(42, 35, 38, 0.16)',
    inputFocus: '0 0 0 3px rgba(107, 45, 92, 0.3)',
    buttonFocus: '0 0 0 3px rgba(107, 45, 92, 0.3)',
  },
};

/** The theme of AdminJS's components; all other styles are in assets/*.css. Assigned, because AdminJS declares a wrong type for `font`. */
export const panelTheme = Object.assign(look, { font: FONT });
