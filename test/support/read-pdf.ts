import { getDocumentProxy } from 'unpdf';

/** A tagged part of a PDF, as screen readers see it. */
export interface PdfPart {
  readonly role: string;
  /** Alternative text. */
  readonly alt?: string;
  /** Text in drawing order, from left to right. */
  readonly text: string;
}

export interface ReadPdf {
  readonly isTagged: boolean;
  readonly language: string | undefined;
  readonly title: string | undefined;
  /** The parts of each page, in reading order. */
  readonly pages: readonly (readonly PdfPart[])[];
}

interface StructNode {
  readonly role?: string;
  readonly alt?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly StructNode[];
}

/** Reads a PDF with Mozilla's PDF.js. */
export async function readPdf(file: Buffer): Promise<ReadPdf> {
  const pdf = await getDocumentProxy(new Uint8Array(file));
  const { info } = (await pdf.getMetadata()) as { info: { Title?: string; Language?: string } };
  const marks = (await pdf.getMarkInfo()) as { Marked?: boolean } | null;
  const pages: PdfPart[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    const texts = new Map<string, string>();
    let id: string | undefined;
    for (const item of items as { type?: string; id?: string; str?: string }[]) {
      if (item.type?.startsWith('beginMarkedContent')) id = item.id;
      else if (item.type === 'endMarkedContent') id = undefined;
      else if (id && item.str) texts.set(id, (texts.get(id) ?? '') + item.str);
    }
    pages.push(partsOf(await page.getStructTree(), texts));
  }
  await pdf.destroy();
  return { isTagged: marks?.Marked === true, language: info.Language, title: info.Title, pages };
}

function partsOf(node: StructNode, texts: ReadonlyMap<string, string>): PdfPart[] {
  const children = node.children ?? [];
  const contents = children.filter(({ type }) => type === 'content');
  if (contents.length === 0) return children.flatMap((child) => partsOf(child, texts));
  const text = contents.map(({ id }) => texts.get(id ?? '') ?? '').join('');
  return [{ role: node.role ?? '', ...(node.alt !== undefined && { alt: node.alt }), text }];
}
