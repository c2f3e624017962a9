import { imagePath, variantWidths, type GalleryImage, type Image } from '#catalogue';
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

/** The pictures of a gallery; nothing without any. */
export function Gallery({ pictures, heading }: { readonly pictures: readonly GalleryImage[]; readonly heading: string }): VNode | null {
  if (pictures.length === 0) return null;
  return (
    <section class="part">
      <h2>{heading}</h2>
      <ul class="cards">
        {pictures.map((image) => (
          <li class="frame">
            <Picture image={image} alt={image.alternative} isLazy />
          </li>
        ))}
      </ul>
    </section>
  );
}
