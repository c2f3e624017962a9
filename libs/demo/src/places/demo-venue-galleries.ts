import type { DemoTenant } from '../basics/demo-tenant.js';

type Gallery = NonNullable<DemoTenant['gallery']>;

/** Further pictures of the nights in the garden. */
export const gardenGallery: Gallery = [
  [
    { motif: 'lanterns', colours: ['#101426', '#3b3f6b', '#f4e6b8', '#0b0e1c', '#ffd98e', '#c9a7ff'] },
    'Lanterns above the paths of the garden',
  ],
  [{ motif: 'hills', colours: ['#2c5d63', '#a7c7a0', '#f3e9c6', '#5d8a66', '#3d6b54', '#254a3f'] }, 'The lawn with the hammocks at dusk'],
  [{ motif: 'rays', colours: ['#1f2041', '#4b3f72', '#ffc857', '#119da4', '#19647e'] }, 'The small stage under glass'],
];

/** Pictures of the house. */
export const houseGallery: Gallery = [
  [{ motif: 'bars', colours: ['#3b1f3f', '#b8506a', '#f6c177', '#7a2f55', '#2a142c'] }, 'The main hall before a concert'],
  [{ motif: 'hills', colours: ['#2c5d63', '#a7c7a0', '#f3e9c6', '#5d8a66', '#3d6b54', '#254a3f'] }, 'The garden under glass'],
  [{ motif: 'lanterns', colours: ['#1b1f3b', '#53354a', '#e84545', '#120f22', '#ffb26b', '#ffd98e'] }, 'The workshop on the upper floor'],
];
