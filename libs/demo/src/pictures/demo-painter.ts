import { mixed, rgbOf } from '#kernel';
import type { DemoMotif, DemoPicture } from '../basics/demo-picture.js';
import { DemoRandom } from '../basics/demo-random.js';

/** An area in one colour. Positions in heights of the picture, from its upper left corner. */
interface Layer {
  readonly colour: readonly number[];
  /** Outside of these rows and columns it covers nothing; default: the edges of the picture. */
  readonly top?: number;
  readonly bottom?: number;
  readonly left?: number;
  readonly right?: number;
  /** How much of a point is covered, from 0 to 1. @param soft the width of a pixel, over which edges are blurred */
  readonly cover: (x: number, y: number, soft: number) => number;
}

/** Paints a picture without files and fonts, so that the repository needs none. @returns red, green and blue of each pixel */
export function paint({ motif, colours }: DemoPicture, seed: number, width: number, height: number): Buffer {
  const random = new DemoRandom(seed);
  const ratio = width / height;
  const [top, bottom, disc, ...others] = colours;
  const layers = [
    ...sun(random, ratio, rgbOf(disc), motif),
    ...others.flatMap((colour, index) => motifs[motif](random, ratio, rgbOf(colour), index)),
  ];
  const pixels = Buffer.alloc(width * height * 3);
  const line = new Float64Array(width * 3);
  for (let row = 0; row < height; row += 1) {
    const sky = rgbOf(mixed(top, bottom, row / height));
    for (let at = 0; at < line.length; at += 1) line[at] = sky[at % 3] as number;
    for (const layer of layers) coverLine(line, layer, row, height);
    pixels.set(line, row * line.length);
  }
  return pixels;
}

/** Paints what a layer covers of one row. @param line red, green and blue of each pixel of the row */
function coverLine(line: Float64Array, layer: Layer, row: number, height: number): void {
  const { top = 0, bottom = 1, left = 0, right = line.length / 3 / height, colour, cover } = layer;
  const [y, soft] = [row / height, 1.5 / height];
  if (y < top - soft || y > bottom + soft) return;
  const [first, end] = [Math.max(0, Math.floor((left - soft) * height)), Math.min(line.length / 3, Math.ceil((right + soft) * height))];
  for (let column = first; column < end; column += 1) {
    const part = cover(column / height, y, soft);
    if (part <= 0) continue;
    for (let at = 0; at < 3; at += 1) line[column * 3 + at]! += ((colour[at] as number) - line[column * 3 + at]!) * part;
  }
}

type Motif = (random: DemoRandom, ratio: number, colour: readonly number[], index: number) => Layer[];

/** From 0 to 1 within the width of a pixel around an edge. */
const edge = (distance: number, soft: number): number => Math.min(1, Math.max(0, 0.5 + distance / soft));

const disc = (x0: number, y0: number, radius: number, colour: readonly number[], strength = 1): Layer => ({
  colour,
  top: y0 - radius,
  bottom: y0 + radius,
  left: x0 - radius,
  right: x0 + radius,
  // Math.hypot takes much longer.
  cover: (x, y, soft) => strength * edge(radius - Math.sqrt((x - x0) ** 2 + (y - y0) ** 2), soft),
});

/** The disc in the sky, with beams around it for `rays`. */
function sun(random: DemoRandom, ratio: number, colour: readonly number[], motif: DemoMotif): Layer[] {
  const [x0, y0, radius] = [ratio * (0.25 + random.next() * 0.5), 0.28 + random.next() * 0.14, 0.12 + random.next() * 0.08];
  const turn = random.next();
  const beams: Layer = {
    colour,
    cover: (x, y) => {
      const angle = (Math.atan2(y - y0, x - x0) / Math.PI) * 8 + turn;
      return 0.22 * Math.min(1, Math.max(0, 0.5 + (Math.abs((((angle % 2) + 2) % 2) - 1) - 0.5) * 30));
    },
  };
  return [...(motif === 'rays' ? [beams] : []), disc(x0, y0, radius * 1.5, colour, 0.2), disc(x0, y0, radius, colour)];
}

/** A ground whose upper edge swings. */
function ground(random: DemoRandom, colour: readonly number[], top: number, swing: number, frequency: number): Layer {
  const [first, second] = [random.next() * 7, random.next() * 7];
  return {
    colour,
    top: top - swing * 1.5,
    cover: (x, y, soft) => {
      if (y > top + swing * 1.5 + soft) return 1;
      const height = top + swing * Math.sin(x * frequency + first) + swing * 0.5 * Math.sin(x * frequency * 2.3 + second);
      return edge(y - height, soft);
    },
  };
}

const motifs: Readonly<Record<DemoMotif, Motif>> = {
  hills: (random, _ratio, colour, index) => [ground(random, colour, 0.58 + index * 0.14, 0.07, 2.2)],
  waves: (random, _ratio, colour, index) => [ground(random, colour, 0.62 + index * 0.1, 0.025, 9 + index * 3)],
  rays: (random, _ratio, colour, index) => [ground(random, colour, 0.7 + index * 0.12, 0.03, 3)],
  lanterns: (random, ratio, colour, index) => {
    if (index === 0) return [ground(random, colour, 0.82, 0.02, 3)];
    return Array.from({ length: 9 }, (_, number) => {
      const [x, y] = [((number + random.next()) / 9) * ratio, 0.3 + random.next() * 0.42];
      const radius = 0.02 + random.next() * 0.03;
      return [disc(x, y, radius * 2.4, colour, 0.18), disc(x, y, radius, colour, 0.95)];
    }).flat();
  },
  bars: (random, ratio, colour, index) => {
    const heights = Array.from({ length: 28 }, () => 0.1 + random.next() * (0.42 - index * 0.12));
    return [
      {
        colour,
        top: 1 - Math.max(...heights),
        cover: (x, y, soft) => {
          const place = (x / ratio) * heights.length;
          const inBar = 0.36 - Math.abs(place - Math.floor(place) - 0.5);
          const top = 1 - (heights[Math.floor(place)] ?? 0);
          return Math.min(edge((inBar * ratio) / heights.length, soft), edge(y - top, soft));
        },
      },
    ];
  },
};
