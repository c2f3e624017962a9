import { imagePath, variantWidths, type Image } from '#catalogue';
import type { VNode } from 'preact';

/** The image of an event on its page, in the width of the reader's window. Decorative, so its alternative text is empty. */
export function Picture({ image: { id, width, height } }: { readonly image: Pick<Image, 'id' | 'width' | 'height'> }): VNode {
  const sources = (['med', 'hdr', 'fhd'] as const)
    .filter((name, index) => index === 0 || variantWidths[name] < width * 2)
    .map((name) => `${imagePath(id, name)} ${Math.min(variantWidths[name], width)}w`);
  return (
    <img
      class="picture"
      src={imagePath(id, 'hdr')}
      srcset={sources.join(', ')}
      sizes="(min-width: 48rem) 44rem, 100vw"
      width={width}
      height={height}
      alt=""
    />
  );
}
