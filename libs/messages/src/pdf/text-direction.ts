import bidiFactory from 'bidi-js';

/** Neighbouring characters of a line that share a font and a direction. */
export interface TextPart<FontKind> {
  readonly text: string;
  readonly font: FontKind;
  readonly rightToLeft: boolean;
}

// The package exports the factory itself; its types describe an ES module.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export type Directions = ReturnType<typeof bidi.getEmbeddingLevels>;

/** The directions of a text by the bidirectional algorithm of Unicode (UAX #9); the first strong letter gives that of the whole. */
export function directionsOf(text: string): Directions {
  return bidi.getEmbeddingLevels(text, 'auto');
}

/** Whether a text as a whole runs from right to left. */
export function runsRightToLeft({ paragraphs }: Directions): boolean {
  return (paragraphs[0]?.level ?? 0) % 2 === 1;
}

/**
 * The parts of one line, in the order in which they stand from left to right. Words that run from right to left are parts of their own:
 * what lays them out afterwards knows the order of letters, not that of words.
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

/** The characters of a text the other way round; what is seen as one character stays together. */
export function reversed(text: string): string {
  return [...clusters.segment(text)]
    .map(({ segment }) => segment)
    .toReversed()
    .join('');
}

/** Rule L2: from the highest level down to the lowest odd one, what stands at that level or above is turned round. */
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
