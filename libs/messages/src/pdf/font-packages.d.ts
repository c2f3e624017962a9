/** The package has no types. It creates a subset of a font, or one weight of a variable font, with HarfBuzz. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options: {
      readonly targetFormat: 'truetype';
      readonly variationAxes?: Readonly<Record<string, number>>;
      readonly keepAllGlyphs?: boolean;
      readonly noHinting?: boolean;
    },
  ): Promise<Buffer>;
}

/** The package has no types. It implements the line breaking algorithm of Unicode (UAX #14). */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next position at which a line may break; null at the end of the text. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
