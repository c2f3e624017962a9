import type { Language } from '#kernel';
import PDFDocument from 'pdfkit';
import { loadFonts } from './pdf-fonts.js';
import { PdfText, readable, type Align, type FittedText, type TextStyle } from './pdf-text.js';

/** A5 upright: fills a telephone, and half a sheet when printed. In points. */
export const pageSize = { width: 419.53, height: 595.28, margin: 34 } as const;

export interface PdfAbout {
  readonly language: Language;
  readonly title: string;
  readonly author: string;
  readonly subject: string;
}

/** Where text stands: its top in points, and how it is aligned inside its width. */
interface Place {
  readonly top: number;
  readonly x?: number;
  readonly width?: number;
  readonly align?: Align;
}

/** One page, whose contents are tagged in the order in which they are added, which is the order in which they are read aloud. */
export class TaggedPage {
  constructor(
    readonly doc: PDFKit.PDFDocument,
    private readonly text: PdfText,
    private readonly section: PDFKit.PDFStructureElement,
  ) {}

  fit(words: string, style: TextStyle, width = pageSize.width - 2 * pageSize.margin): FittedText {
    return this.text.fit(words, width, style);
  }

  /** Adds a heading or a paragraph. @returns where what follows may begin */
  add(type: 'H1' | 'P', fitted: FittedText, { top, x = pageSize.margin, width, align = 'start' }: Place): number {
    const room = width ?? pageSize.width - 2 * pageSize.margin;
    if (fitted.lines.length > 0) {
      const draw = (): void => this.text.draw(fitted, x, top, room, align);
      this.section.add(this.doc.struct(type, fitted.spoken ? { actual: fitted.spoken } : {}, [draw]));
    }
    return top + fitted.height;
  }

  /** Adds a picture. @param alternative what it shows, in words */
  figure(
    alternative: string,
    [x, y, width, height]: readonly [number, number, number, number],
    draw: () => void,
  ): void {
    const box = { alt: alternative, bbox: [x, y, x + width, y + height] as [number, number, number, number] };
    this.section.add(this.doc.struct('Figure', box, [draw]));
  }

  /** Draws what is decoration only and is not read aloud. */
  decorate(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.doc.endMarkedContent();
  }
}

/**
 * Writes a PDF that says to programs what its parts are (PDF/UA): title, language, headings, pictures in words. Takes any text; a character
 * that no font has becomes a box.
 * @param said all texts of the pages; fonts are loaded for them
 */
export async function taggedPdf(
  about: PdfAbout,
  said: Readonly<Record<'regular' | 'bold', readonly string[]>>,
  pages: readonly ((page: TaggedPage) => void)[],
): Promise<Buffer> {
  const fonts = await loadFonts({ regular: said.regular.map(readable).join(' '), bold: said.bold.map(readable).join(' ') }); // prettier-ignore
  const doc = new PDFDocument({
    autoFirstPage: false,
    size: [pageSize.width, pageSize.height],
    margin: 0,
    pdfVersion: '1.7',
    lang: about.language,
    tagged: true,
    displayTitle: true,
    // Its types do not know this one.
    subset: 'PDF/UA' as unknown as 'PDF/A-3a',
    info: {
      Title: about.title.toWellFormed(),
      Author: about.author.toWellFormed(),
      Subject: about.subject.toWellFormed(),
      Creator: 'Guichet',
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
  const root = doc.struct('Document');
  doc.addStructure(root);
  for (const draw of pages) {
    doc.addPage();
    const section = doc.struct('Sect');
    root.add(section);
    draw(new TaggedPage(doc, text, section));
    section.end();
  }
  root.end();
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
