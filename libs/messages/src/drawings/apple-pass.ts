import { GlyphMask } from '../pdf/glyph-mask.js';
import { loadFonts } from '../pdf/pdf-fonts.js';
import { TextLayout } from '../pdf/text-layout.js';
import type { ApplePassDrawing, DrawingColours } from './drawing.js';

/** Side of the largest icon in pixels; Apple asks for 29, 58 and 87. */
const side = 87;
/** Height of the capital letters of our font, as a part of its size. */
const capitals = 0.73;
const style = { weight: 'bold', sizes: [60, 48, 36], maxLines: 1, color: '' } as const;

/**
 * Signs passes for Apple Wallet. Their icon is the first letter of the venue; the logo is that of the venue where it has one. The packages
 * are loaded with the first pass, and only in a thread, because drawing and signing take long.
 */
export async function signApplePasses({ passes, translations, venue, colours, logo, signing }: ApplePassDrawing): Promise<Buffer> {
  const { PKPass } = await import('passkit-generator');
  const { default: sharp } = await import('sharp');
  const icon = await sharp(await iconPixels(venue, colours), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
  const sized = (pixels: number): Promise<Buffer> => sharp(icon).resize(pixels).png().toBuffer();
  const files: Record<string, Buffer> = {
    'icon.png': await sized(29),
    'icon@2x.png': await sized(58),
    'icon@3x.png': icon,
  };
  for (const [name, scale] of [['logo.png', 1] as const, ['logo@2x.png', 2] as const]) {
    files[name] = logo
      ? await sharp(logo)
          .resize({ width: 160 * scale, height: 50 * scale, fit: 'inside' })
          .png()
          .toBuffer()
      : await sized(29 * scale);
  }
  const { certificate, privateKey, authority } = signing;
  const made = passes.map((pass) => {
    const content = { ...files, 'pass.json': Buffer.from(JSON.stringify(pass)) };
    const one = new PKPass(content, { signerCert: certificate, signerKey: privateKey, wwdr: authority });
    for (const [language, texts] of Object.entries(translations)) one.localize(language, { ...texts });
    return one;
  });
  const [first, ...others] = made as [InstanceType<typeof PKPass>];
  return others.length === 0 ? first.getAsBuffer() : PKPass.pack(...made).getAsBuffer();
}

/** The first letter of a name on the colour of the venue, as RGB. */
async function iconPixels(name: string, { ground, ink }: DrawingColours): Promise<Buffer> {
  const [first] = new Intl.Segmenter().segment(name.trim().slice(0, 40));
  const letter = (first?.segment ?? '').toLocaleUpperCase();
  const fitted = new TextLayout(await loadFonts({ bold: letter, regular: '' })).fit(letter, side - 12, style);
  const mask = new GlyphMask(side, side);
  const width = (fitted.lines[0]?.width ?? 0) * fitted.size;
  mask.draw(fitted, (side - width) / 2, (side + capitals * fitted.size) / 2 - fitted.size, width);
  const pixels = Buffer.alloc(side * side * 3);
  for (const [index, cover] of mask.cover().entries())
    for (const channel of [0, 1, 2] as const)
      pixels[index * 3 + channel] = Math.round(ground[channel] + (ink[channel] - ground[channel]) * cover);
  return pixels;
}
