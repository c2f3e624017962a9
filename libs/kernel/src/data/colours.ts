/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** The colour of venues that have chosen none. */
export const usualAccent = '#6b2d5c';

/** @param colour `#rrggbb` */
export function rgbOf(colour: string): Rgb {
  const part = (at: number): number => Number.parseInt(colour.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

/** The contrast of two colours (`#rrggbb`) by WCAG 2: from 1 to 21; texts need 4.5. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white: the one that is read more easily on a colour. */
export function inkOn(colour: string): string {
  return contrastOf(colour, '#ffffff') >= 4.5 ? '#ffffff' : '#000000';
}

/** A mixture of two colours. @param part of the second one, from 0 to 1 */
export function mixed(one: string, other: string, part: number): string {
  const [from, to] = [rgbOf(one), rgbOf(other)];
  return `#${from
    .map((value, index) =>
      Math.round(value + ((to[index] as number) - value) * part)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
