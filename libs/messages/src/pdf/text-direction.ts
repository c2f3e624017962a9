import bidiFactory from 'bidi-js';

/** Adjacent characters of a line with the same font and direction. */
export interface TextPart<FontKind> {
  readonly text: string;
  readonly font: FontKind;
  readonly rightToLeft: boolean;
}

// The package exports the factory itself, but its types describe an ES module.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export type Directions = ReturnType<typeof bidi.getEmbeddingLevels>;

/**
 * The directions of a text by the bidirectional algorithm of Unicode (UAX #9); the first strong character determines the base direction.
 */
export function directionsOf(text: string): Directions {
  return bidi.getEmbeddingLevels(text, 'auto');
}

/** Whether a text as a whole runs from right to left. */
export function runsRightToLeft({ paragraphs }: Directions): boolean {
  return (paragraphs[0]?.level ?? 0) % 2 === 1;
}

/**
 * The parts of one line in visual order, from left to right. Each right-to-left word is a separate part, because fontkit orders the letters
 * of a part but not its words.
 * @param fontAt the font of each character, by its index in the text
 */
export function partsInOrder<FontKind>(
  text: string,
  directions: Directions,
  fontAt: readonly FontKind[],
  start: number,
  end: number,
): TextPart<FontKind>[] {
  const { levels } = directions;
  const mirrored = bidi.getMirroredCharactersMap(text, levels, start, end - 1);
  const parts: { text: string; font: FontKind; level: number }[] = [];
  let before: string | undefined;
  for (const { segment, index } of clusters.segment(text.slice(start, end))) {
    const at = start + index;
    const level = levels[at] ?? 0;
    const font = fontAt[at] as FontKind;
    const last = parts.at(-1);
    const shown = mirrored.get(at) ?? segment;
    const beginsWord = level % 2 === 1 && before === ' ';
    if (last && last.level === level && last.font === font && !beginsWord) last.text += shown;
    else parts.push({ text: shown, font, level });
    before = segment;
  }
  return reordered(parts).map(({ text: shown, font, level }) => ({ text: shown, font, rightToLeft: level % 2 === 1 }));
}

/** Reverses a text by grapheme clusters. */
export function reversed(text: string): string {
  return [...clusters.segment(text)]
    .map(({ segment }) => segment)
    .toReversed()
    .join('');
}

/** Rule L2 of UAX #9: from the highest level to the lowest odd one, reverses each sequence of parts at that level or higher. */
function reordered<Part extends { readonly level: number }>(parts: readonly Part[]): Part[] {
  const order = [...parts];
  const highest = Math.max(0, ...parts.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1) {
    let from = 0;
    while (from < order.length) {
      let to = from;
      while (to < order.length && (order[to] as Part).level >= level) to += 1;
      if (to > from + 1) order.splice(from, to - from, ...order.slice(from, to).toReversed());
      from = Math.max(to, from + 1);
    }
  }
  return order;
}
