import type { Align, PdfText } from './pdf-text.js';
import type { FittedText, TextStyle } from './text-layout.js';

export interface PageSize {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
}

/** Portrait sizes in points. A5 suits phone screens and prints on half a sheet. */
export const pageSizes = {
  a4: { width: 595.28, height: 841.89, margin: 0 },
  a5: { width: 419.53, height: 595.28, margin: 34 },
} as const satisfies Record<string, PageSize>;

/** The properties of a PDF. */
export interface PdfProperties {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly author: string;
  readonly subject: string;
  /** When it was made, for a document that is the same each time it is drawn; default: now. */
  readonly made?: Date;
}

/** Draws one section of a page. */
export type DrawSection = (page: TaggedPage) => void;

/** Position of a text in points, and its alignment inside `width`. */
interface Place {
  readonly top: number;
  readonly x?: number;
  readonly width?: number;
  readonly align?: Align;
}

/** A picture that is read once and drawn on many pages. The types of pdfkit do not declare it. */
type OpenPicture = PDFKit.Mixins.ImageSrc & { readonly width: number; readonly height: number };

interface Opening {
  openImage(source: Uint8Array): OpenPicture;
}

/** One page. Its content is tagged in the order in which it is added, which is the reading order. */
export class TaggedPage {
  constructor(
    readonly doc: PDFKit.PDFDocument,
    private readonly text: PdfText,
    private readonly section: PDFKit.PDFStructureElement,
    private readonly size: PageSize,
    private readonly pictures: Map<Uint8Array, OpenPicture>,
  ) {}

  /** Fits a text into a width (points; default: the whole line) with the fonts of this document. */
  fit(words: string, style: TextStyle, width = this.innerWidth): FittedText {
    return this.text.fit(words, width, style);
  }

  /** Adds a heading or a paragraph. @returns its bottom in points */
  add(type: 'H1' | 'P', fitted: FittedText, { top, x = this.size.margin, width = this.innerWidth, align = 'start' }: Place): number {
    if (fitted.lines.length > 0) {
      const draw = (): void => this.text.draw(fitted, x, top, width, align);
      this.section.add(this.doc.struct(type, fitted.readAs ? { actual: fitted.readAs } : {}, [draw]));
    }
    return top + fitted.height;
  }

  /** Adds a picture. @param alternative text for screen readers */
  figure(alternative: string, [x, y, width, height]: readonly [number, number, number, number], draw: () => void): void {
    const box = { alt: alternative, bbox: [x, y, x + width, y + height] as [number, number, number, number] };
    this.section.add(this.doc.struct('Figure', box, [draw]));
  }

  /** Draws decoration, which screen readers skip. */
  decorate(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }

  /**
   * Draws the venue's logo as decoration, because the venue's name stands beside it.
   * @param logo JPEG; pass the same array for all pages, so that it is stored once
   * @returns its width in points; 0 without a logo
   */
  logo(logo: Uint8Array | undefined, [x, y]: readonly [number, number], [width, height]: readonly [number, number]): number {
    if (!logo) return 0;
    const picture = this.pictures.get(logo) ?? (this.doc as unknown as Opening).openImage(logo);
    this.pictures.set(logo, picture);
    const scale = Math.min(width / picture.width, height / picture.height);
    this.decorate(() => this.doc.image(picture, x, y, { width: picture.width * scale, height: picture.height * scale }));
    return picture.width * scale;
  }

  private get innerWidth(): number {
    return this.size.width - 2 * this.size.margin;
  }
}

let packages: Promise<typeof import('./pdf-packages.js')> | undefined;

/**
 * Renders a tagged PDF (PDF/UA) with title, language, headings and alternative texts. Accepts any text; characters without a glyph become
 * boxes. Runs without pause, so it belongs into a worker thread.
 * @param drawnTexts all texts of the pages, for which fonts are loaded
 * @param pages the sections of each page
 * @param size of all pages
 */
export async function taggedPdf(
  about: PdfProperties,
  drawnTexts: Readonly<Record<'regular' | 'bold', readonly string[]>>,
  pages: readonly (readonly DrawSection[])[],
  size: PageSize = pageSizes.a5,
): Promise<Buffer> {
  packages ??= import('./pdf-packages.js');
  const { loadFonts, PdfText, PDFDocument, readable } = await packages;
  const fonts = await loadFonts({ regular: drawnTexts.regular.map(readable).join(' '), bold: drawnTexts.bold.map(readable).join(' ') });
  const doc = new PDFDocument({
    autoFirstPage: false,
    // Otherwise pdfkit prepares Helvetica, which is never used.
    font: '',
    size: [size.width, size.height],
    margin: 0,
    pdfVersion: '1.7',
    lang: about.language,
    tagged: true,
    displayTitle: true,
    // The types of pdfkit do not declare this value.
    subset: 'PDF/UA' as unknown as 'PDF/A-3a',
    info: {
      Title: about.title.toWellFormed(),
      Author: about.author.toWellFormed(),
      Subject: about.subject.toWellFormed(),
      Creator: 'Guichet',
      ...(about.made && { CreationDate: about.made }),
    },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', resolve)
      .on('error', reject);
  });
  const text = new PdfText(doc, fonts);
  const pictures = new Map<Uint8Array, OpenPicture>();
  const root = doc.struct('Document');
  doc.addStructure(root);
  for (const sections of pages) {
    doc.addPage();
    for (const draw of sections) {
      const section = doc.struct('Sect');
      root.add(section);
      draw(new TaggedPage(doc, text, section, size, pictures));
      section.end();
    }
  }
  root.end();
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
