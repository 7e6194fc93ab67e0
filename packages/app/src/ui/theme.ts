// The look of Mantine's components here: dense, one accent, fine borders, shadows for what lies above the page only.

import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { typedOptions } from './typed-options.ts';

const accent: MantineColorsTuple = [
  '#eef0fe',
  '#dde1fb',
  '#bac2f6',
  '#98a4f2',
  '#7d8bee',
  '#6676e8',
  '#4d5dd6',
  '#4250bd',
  '#3945a0',
  '#2f3981',
];

/** One red: that of `--red` in the light theme. */
const red: MantineColorsTuple = [
  '#fdeeee',
  '#fadcdc',
  '#f6bcbc',
  '#ff8787',
  '#ea6a6a',
  '#dc4949',
  '#c92a2a',
  '#b32323',
  '#991c1c',
  '#7f1616',
];

/** Cooler and darker than Mantine's, so that text on them is readable in small sizes. */
const dark: MantineColorsTuple = [
  '#e6e7ea',
  '#c9ccd2',
  '#a6abb5',
  '#7f8592',
  '#3d424d',
  '#2d323b',
  '#22262e',
  '#171a20',
  '#121419',
  '#0d0f13',
];

export const theme = createTheme({
  colors: { accent, dark, red },
  primaryColor: 'accent',
  primaryShade: 6,
  fontFamily:
    'Inter, "Inter fallback", system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif',
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '0.75rem', lg: '1rem', xl: '1.5rem' },
  radius: { sm: '0.25rem', md: '0.375rem', lg: '0.5rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  headings: { fontWeight: '600' },
  // By name: to import the components here would load all of them with the first page.
  components: {
    // Beside a long text the text wraps, and the label stays whole.
    Button: { defaultProps: { size: 'xs' }, styles: { root: { flexShrink: 0 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    // A text is as large as the text around it, unless it says otherwise.
    Text: { defaultProps: { inherit: true } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', filter: typedOptions } },
    // A placeholder for the first focus would be a child that no menu may have.
    Menu: {
      defaultProps: { shadow: 'md', position: 'bottom-end', withInitialFocusPlaceholder: false },
    },
    // The page behind scrolls in a part of its own, and the lock would need styles that the policy forbids. A press
    // beside a dialog, also the second one of a double click, keeps what was typed, or is shown once (D937).
    Modal: {
      defaultProps: {
        centered: true,
        lockScroll: false,
        closeOnClickOutside: false,
        padding: 20,
        overlayProps: { backgroundOpacity: 0.4 },
      },
      styles: { title: { lineHeight: 1.3 } },
    },
    Drawer: {
      defaultProps: {
        lockScroll: false,
        closeOnClickOutside: false,
        overlayProps: { backgroundOpacity: 0.4 },
      },
    },
    Tooltip: { defaultProps: { openDelay: 400, fz: 'xs' } },
  },
});
