import type { Path } from 'fontkit';
import { leading, type FittedText } from './text-layout.js';

/** Segments of which a curve is made; enough for letters of 100 pixels. */
const curveSteps = 8;

/**
 * A picture of letters without a graphics library: how much of each pixel their outlines cover. The outlines are turned into areas to the
 * right of each edge, whose running sum along a row is the cover of its pixels (the algorithm of font-rs).
 */
export class GlyphMask {
  private readonly areas: Float32Array;

  /** Sizes in pixels. */
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.areas = new Float32Array(width * height + 2);
  }

  /** Draws fitted text. Positions in pixels. @param top of the first line */
  draw({ lines, size, rightToLeft }: FittedText, x: number, top: number, width: number): void {
    for (const [number, line] of lines.entries()) {
      let at = rightToLeft ? x + width - line.width * size : x;
      for (const { font, text, width: em } of line.pieces) {
        this.word(font.font, text, at, top + number * size * leading + size, size);
        at += em * size;
      }
    }
  }

  /** The cover of each pixel, from 0 to 1. */
  cover(): Float32Array {
    let sum = 0;
    return this.areas.slice(0, this.width * this.height).map((area) => {
      sum += area;
      return Math.min(Math.abs(sum), 1);
    });
  }

  /** Word by word, as the layout measured the text. */
  private word(
    font: FittedText['lines'][number]['pieces'][number]['font']['font'],
    text: string,
    x: number,
    base: number,
    size: number,
  ): void {
    const scale = size / font.unitsPerEm;
    let at = x;
    for (const word of text.match(/[^ ]* |[^ ]+$/g) ?? []) {
      const { glyphs, positions } = font.layout(word);
      for (const [index, glyph] of glyphs.entries()) {
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
        this.outline(glyph.path, at + xOffset * scale, base - yOffset * scale, scale);
        at += xAdvance * scale;
      }
    }
  }

  private outline({ commands }: Path, x: number, base: number, scale: number): void {
    let first: [number, number] = [0, 0];
    let now: [number, number] = [0, 0];
    const lineTo = (next: [number, number]): void => {
      this.edge(now, next);
      now = next;
    };
    for (const { command, args } of commands) {
      const points = Array.from({ length: args.length / 2 }, (_, index): [number, number] => [
        x + (args[2 * index] ?? 0) * scale,
        base - (args[2 * index + 1] ?? 0) * scale,
      ]);
      if (command === 'closePath') lineTo(first);
      else if (command === 'moveTo') first = now = points[0] ?? now;
      else if (command === 'lineTo') lineTo(points[0] ?? now);
      else for (const point of curve([now, ...points])) lineTo(point);
    }
  }

  /** Adds the area to the right of an edge to each pixel of its rows. */
  private edge(from: readonly [number, number], to: readonly [number, number]): void {
    if (from[1] === to[1]) return;
    const [sign, [startX, startY], [endX, endY]] = from[1] < to[1] ? [1, from, to] : [-1, to, from];
    const slope = (endX - startX) / (endY - startY);
    let x = startY < 0 ? startX - startY * slope : startX;
    for (let row = Math.max(0, Math.floor(startY)); row < Math.min(this.height, Math.ceil(endY)); row += 1) {
      const part = Math.min(row + 1, endY) - Math.max(row, startY);
      const next = x + slope * part;
      this.inRow(row * this.width, this.inside(Math.min(x, next)), this.inside(Math.max(x, next)), part * sign);
      x = next;
    }
  }

  /** Letters never reach the border of the picture, except marks of broken fonts. */
  private inside(x: number): number {
    return Math.min(Math.max(x, 0), this.width - 2);
  }

  private inRow(start: number, left: number, right: number, area: number): void {
    const [first, last] = [Math.floor(left), Math.max(Math.ceil(right), Math.floor(left) + 1)];
    if (last === first + 1) {
      const middle = (left + right) / 2 - first;
      this.add(start + first, area * (1 - middle));
      this.add(start + first + 1, area * middle);
      return;
    }
    const width = right - left;
    let before = 0;
    for (let pixel = first; pixel < last; pixel += 1) {
      // The cover of the pixel: what lies right of the edge, which crosses it from one side to the other.
      const [enters, leaves] = [Math.max(left, pixel), Math.min(right, pixel + 1)];
      const passed = (leaves - left) / width;
      const mean = (passed + (enters - left) / width) / 2;
      const cover = area * (mean * (leaves - enters) + passed * (pixel + 1 - leaves));
      this.add(start + pixel, cover - before);
      before = cover;
    }
    this.add(start + last, area - before);
  }

  private add(index: number, area: number): void {
    this.areas[index] = (this.areas[index] ?? 0) + area;
  }
}

/** Points of a quadratic or cubic curve, without the first one. */
function curve(points: readonly [number, number][]): [number, number][] {
  return Array.from({ length: curveSteps }, (_, index) => {
    const t = (index + 1) / curveSteps;
    let left = points;
    while (left.length > 1) {
      left = left.slice(1).map(([x, y], at): [number, number] => {
        const [fromX, fromY] = left[at] as [number, number];
        return [fromX + (x - fromX) * t, fromY + (y - fromY) * t];
      });
    }
    return left[0] as [number, number];
  });
}
