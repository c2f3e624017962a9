/** Shapes on a grid of 24. They differ in outline, so that they are told apart without colour. */
export const iconPaths = {
  go: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm-1.3 14.6-4.6-4.6 1.9-1.9 2.7 2.7 5.3-5.3 1.9 1.9Z',
  out: 'M3 3h10v4h-3V6H6v12h4v-1h3v4H3Zm12.5 4 5.5 5-5.5 5v-3.4H9v-3.2h6.5Z',
  ask: 'M12 2 23 21H1Zm-1.3 6.5v6h2.6v-6Zm0 7.5v2.6h2.6V16Z',
  stop: [
    'M7.5 1.5h9l6 6v9l-6 6h-9l-6-6v-9Zm1 5.2-1.8 1.8L10.2 12l-3.5 3.5 1.8 1.8 3.5-3.5',
    '3.5 3.5 1.8-1.8-3.5-3.5 3.5-3.5-1.8-1.8-3.5 3.5Z',
  ].join(' '),
  member: 'M2 4h20v16H2Zm3 3v5h5V7Zm7.5 0v2H19V7Zm0 3.5v2H19v-2ZM5 14.5v2h14v-2Z',
  just: 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm1.3 4v5.5l3.7 3.7-1.8 1.8-4.5-4.5V6Z',
  torch: 'M7 2h10v3l-2.5 4v13h-5V9L7 5Zm4 9v3h2v-3Z',
  lens: [
    'M8 4h8l1.5 2.5H22V20H2V6.5h4.5ZM12 9a4 4 0 0 0-3.9 3H6l3 3.5L12 12H9.8a2.3 2.3 0 0 1 4-.8l1.2-1.3A4 4 0',
    '0 0 12 9Zm3 4-3 3.5h2.2a2.3 2.3 0 0 1-4 .3L9 18.1A4 4 0 0 0 15.9 16.5H18Z',
  ].join(' '),
  search: 'M10 3a7 7 0 1 0 4.2 12.6l5 5 1.9-1.9-5-5A7 7 0 0 0 10 3Zm0 2.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8Z',
  keys: 'M2 5h20v14H2Zm3 3v2h2V8Zm4 0v2h2V8Zm4 0v2h2V8Zm4 0v2h2V8ZM5 12v2h2v-2Zm12 0v2h2v-2Zm-8 0v2h6v-2Z',
  menu: 'M3 5h18v2.6H3Zm0 5.7h18v2.6H3Zm0 5.7h18V19H3Z',
  close: 'm5.8 4 6.2 6.2L18.2 4 20 5.8 13.8 12l6.2 6.2-1.8 1.8-6.2-6.2L5.8 20 4 18.2l6.2-6.2L4 5.8Z',
  undo: 'M9 3 3 9l6 6v-4.2h4.5a3.2 3.2 0 0 1 0 6.4H8V20h5.5a6 6 0 0 0 0-12H9Z',
  people: [
    'M9 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2 20c0-4 3-7 7-7s7 3 7 7Zm15-9a3 3 0 1 0-1.5-5.6A5 5 0 0',
    '1 15 10.5a3 3 0 0 0 2 .5Zm1 9h4c0-3.5-2-6-5-6.5 1 1.5 1 4 1 6.5Z',
  ].join(' '),
  camera: 'M8 4h8l1.5 2.5H22V20H2V6.5h4.5Zm4 4.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Z',
} as const;

export type IconName = keyof typeof iconPaths;
