import { GlyphMask } from '../pdf/glyph-mask.js';
import { loadFonts } from '../pdf/pdf-fonts.js';
import { TextLayout, type TextStyle } from '../pdf/text-layout.js';
import type { DrawingColours, ShareDrawing } from './drawing.js';

/** The size that link previews ask for. */
const [width, height, margin] = [1200, 630, 72];

const text = (weight: TextStyle['weight'], sizes: readonly number[], maxLines: number): TextStyle => ({
  weight,
  sizes,
  maxLines,
  color: '',
});
const styles = {
  venue: text('bold', [38, 32], 1),
  name: text('bold', [92, 80, 68, 58, 48], 3),
  when: text('bold', [40, 34, 30], 2),
  place: text('regular', [36, 30], 1),
} as const;

/**
 * Draws the picture of an event for link previews as PNG: venue, name, time and place on the colour of the venue. Pixel by pixel, because
 * the loader of SVG is closed in this process (see `encodeImage`).
 */
export async function drawSharePicture({ texts, colours }: ShareDrawing): Promise<Buffer> {
  const { venue, name, when, place } = texts;
  const layout = new TextLayout(await loadFonts({ bold: venue + name + when, regular: place }));
  const mask = new GlyphMask(width, height);
  const inner = width - 2 * margin;
  const fit = (part: keyof typeof styles) => layout.fit(texts[part], inner, styles[part]);
  const [head, title, time, hall] = [fit('venue'), fit('name'), fit('when'), fit('place')];
  mask.draw(head, margin, margin - 14, inner);
  const foot = height - margin - hall.height;
  mask.draw(hall, margin, foot, inner);
  mask.draw(time, margin, foot - time.height - 4, inner);
  // In the middle of what is left.
  const [from, to] = [margin + head.height, foot - time.height];
  mask.draw(title, margin, from + Math.max(0, (to - from - title.height) / 2) - 10, inner);
  const { default: sharp } = await import('sharp');
  return sharp(coloured(mask, colours), { raw: { width, height, channels: 3 } })
    .png({ palette: true, colours: 32 })
    .toBuffer();
}

/** The letters on the colour, with a bar at the bottom. */
function coloured(mask: GlyphMask, { ground, ink }: DrawingColours): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  const bar = (height - 16) * width;
  for (const [index, cover] of mask.cover().entries()) {
    const part = index >= bar ? 0.35 : cover;
    for (let channel = 0; channel < 3; channel += 1) {
      const [below, above] = [ground[channel] as number, ink[channel] as number];
      pixels[index * 3 + channel] = Math.round(below + (above - below) * part);
    }
  }
  return pixels;
}
