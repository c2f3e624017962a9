import type { JSX } from 'preact';
import type { Verdict } from '../core/types.js';

/** Shapes on a grid of 24. They differ in outline, so that they are told apart without colour. */
const paths = {
  go: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm-1.3 14.6-4.6-4.6 1.9-1.9 2.7 2.7 5.300-5.300 1.900 1.900Z',
  out: 'M3 3h10v4h-3V6H6v12h4v-1h3v4H3Zm12.500 4 5.500 5-5.500 5v-3.400H9v-3.200h6.500Z',
  ask: 'M12 2 23 21H1Zm-1.300 6.500v6h2.600v-6Zm0 7.500v2.600h2.600V16Z',
  stop: [
    'M7.500 1.500h9l6 6v9l-6 6h-9l-6-6v-9Zm1 5.200-1.800 1.800L10.200 12l-3.500 3.500 1.800 1.800 3.500-3.500',
    '3.500 3.500 1.800-1.800-3.500-3.500 3.500-3.500-1.800-1.800-3.500 3.500Z',
  ].join(' '),
  just: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm1.300 4v5.500l3.700 3.700-1.800 1.800-4.500-4.500V6Z',
  torch: 'M7 2h10v3l-2.500 4v13h-5V9L7 5Zm4 9v3h2v-3Z',
  lens: [
    'M8 4h8l1.500 2.500H22V20H2V6.500h4.500ZM12 9a4 4 0 0 0-3.900 3H6l3 3.500L12 12H9.800a2.300 2.300 0 0 1 4-.800l1.200-1.300A4 4 0',
    '0 0 12 9Zm3 4-3 3.500h2.200a2.300 2.300 0 0 1-4 .300L9 18.100A4 4 0 0 0 15.900 16.500H18Z',
  ].join(' '),
  search: 'M10 3a7 7 0 1 0 4.200 12.600l5 5 1.900-1.900-5-5A7 7 0 0 0 10 3Zm0 2.600a4.400 4.400 0 1 1 0 8.800 4.400 4.400 0 0 1 0-8.800Z',
  keys: 'M2 5h20v14H2Zm3 3v2h2V8Zm4 0v2h2V8Zm4 0v2h2V8Zm4 0v2h2V8ZM5 12v2h2v-2Zm12 0v2h2v-2Zm-8 0v2h6v-2Z',
  menu: 'M3 5h18v2.600H3Zm0 5.700h18v2.600H3Zm0 5.700h18V19H3Z',
  close: 'm5.800 4 6.200 6.200L18.200 4 20 5.800 13.800 12l6.200 6.200-1.800 1.800-6.200-6.200L5.800 20 4 18.200l6.200-6.200L4 5.800Z',
  undo: 'M9 3 3 9l6 6v-4.200h4.500a3.200 3.200 0 0 1 0 6.400H8V20h5.500a6 6 0 0 0 0-12H9Z',
  people: [
    'M9 4a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7ZM2 20c0-4 3-7 7-7s7 3 7 7Zm15-9a3 3 0 1 0-1.500-5.600A5 5 0 0',
    '1 15 10.500a3 3 0 0 0 2 .5Zm1 9h4c0-3.500-2-6-5-6.500 1 1.500 1 4 1 6.500Z',
  ].join(' '),
  camera: 'M8 4h8l1.500 2.500H22V20H2V6.500h4.500Zm4 4.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9Z',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a text, which says the same. */
export function Icon({ name, size }: { readonly name: IconName | Verdict; readonly size?: string }): JSX.Element {
  return (
    <svg class={`icon ${size ?? ''}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} fill="currentColor" />
    </svg>
  );
}
