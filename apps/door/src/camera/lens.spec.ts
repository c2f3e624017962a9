import { describe, expect, it } from '@jest/globals';
import { bestLens, factsOf, isFront, isSharp, lensAfter, zoomFor } from './lens.js';

const capabilities = (more: object): MediaTrackCapabilities => more;
const wide = factsOf('wide', 'camera2 2, facing back', capabilities({ focusMode: ['manual'] }));
const main = factsOf(
  'main',
  'camera2 0, facing back',
  capabilities({ focusMode: ['manual', 'continuous'], torch: true, zoom: { min: 1, max: 8 } }),
);
const silent = factsOf('silent', 'Back Camera', undefined);

describe('the choice of the lens', () => {
  it('prefers a camera that focuses and has the torch', () => {
    expect(bestLens([wide, silent, main])?.id).toBe('main');
    expect(bestLens([wide, silent])?.id).toBe('silent');
    expect([wide, silent, main].map(isSharp)).toEqual([false, true, true]);
  });

  it('zooms about twice, where the camera can', () => {
    expect([main, wide, factsOf('x', '', capabilities({ zoom: { min: 1, max: 1.2 } }))].map(zoomFor)).toEqual([2, null, null]);
    expect(zoomFor(factsOf('x', '', capabilities({ zoom: { min: 3, max: 8 } })))).toBeNull();
  });

  it('knows cameras of the front by their label', () => {
    expect(
      ['camera2 1, facing front', 'FaceTime HD Camera', 'Caméra avant', 'Back Camera'].map((label) => isFront({ id: '', label })),
    ).toEqual([true, true, true, false]);
  });

  it('goes round with the switch', () => {
    expect(lensAfter([wide, main], 'wide')?.id).toBe('main');
    expect(lensAfter([wide, main], 'main')?.id).toBe('wide');
    expect(lensAfter([wide, main], null)?.id).toBe('wide');
    expect(lensAfter([], null)).toBeUndefined();
  });
});
