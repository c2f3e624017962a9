import { imagePath, variantWidths, type Image } from '#catalogue';
import type { VNode } from 'preact';

interface PictureProps {
  readonly image: Pick<Image, 'id' | 'width' | 'height'>;
  /** What the image shows; empty for a decorative one. */
  readonly alt?: string;
  /** It is not on the first screen. */
  readonly isLazy?: boolean;
}

/** An image on a page, in the width of the reader's window. */
export function Picture({ image: { id, width, height }, alt = '', isLazy = false }: PictureProps): VNode {
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
      loading={isLazy ? 'lazy' : undefined}
      alt={alt}
    />
  );
}

/** The small image of an event in a list. `home`: origin of the place that has it; default: this one. */
export function Sticker({ imageId, home = '' }: { readonly imageId: string; readonly home?: string | undefined }): VNode {
  return <img class="sticker" src={`${home}${imagePath(imageId, 'thumbnail')}`} width={72} height={72} loading="lazy" alt="" />;
}
