import { createHash } from 'node:crypto';
import type { VNode } from 'preact';

/** Numbers from 0 to 1 that are the same for the same name. */
type Numbers = () => number;

type Draw = (width: number, height: number, next: Numbers) => VNode[];

interface PatternProps {
  /** Of the venue or the event: the same name gives the same drawing. */
  readonly name: string;
  readonly width?: number;
  readonly height?: number;
}

/** A drawing in place of a picture, in the accent colour of the venue. About 1 kB. */
export function Pattern({ name, width = 320, height = 200 }: PatternProps): VNode {
  const next = numbersOf(name);
  const draw = drawings[Math.floor(next() * drawings.length)] as Draw;
  return (
    <svg class="pattern" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {draw(width, height, next)}
    </svg>
  );
}

/** Takes the numbers from hashes of the name: four bytes each. */
function numbersOf(name: string): Numbers {
  let bytes = Buffer.alloc(0);
  let rounds = 0;
  return () => {
    if (bytes.length === 0)
      bytes = createHash('sha256')
        .update(`${rounds++} ${name.normalize('NFC')}`)
        .digest();
    const number = bytes.readUInt32BE(0) / 2 ** 32;
    bytes = bytes.subarray(4);
    return number;
  };
}

/** The three tones of a drawing, strongest first. */
const tones = [1, 0.55, 0.28];

/** One path for each tone. */
function inTones(paths: readonly string[]): VNode[] {
  return paths.flatMap((path, at) => (path === '' ? [] : [<path fill="currentColor" fill-opacity={tones[at]} d={path} />]));
}

const pick = (next: Numbers, count: number): number => Math.floor(next() * count);
const round = Math.round;

/** Broken rings around one point. */
const rings: Draw = (width, height, next) => {
  const [x, y] = [next() < 0.5 ? width * 0.22 : width * 0.78, height * (0.35 + next() * 0.5)];
  const paths = ['', '', ''];
  let inner = height * 0.08;
  for (let ring = 0; inner < width * 0.95; ring += 1) {
    const outer = inner + height * 0.028 * 1.42 ** ring;
    let turn = next() * 6;
    const end = turn + 5;
    while (turn < end) {
      const sweep = 0.5 + next() * 1.5;
      const at = (angle: number, radius: number): string => `${round(x + Math.cos(angle) * radius)} ${round(y + Math.sin(angle) * radius)}`;
      const arc = (radius: number, direction: number, angle: number): string =>
        `A${round(radius)} ${round(radius)} 0 0 ${direction} ${at(angle, radius)}`;
      paths[pick(next, 3)] += `M${at(turn, inner)}${arc(inner, 1, turn + sweep)}L${at(turn + sweep, outer)}${arc(outer, 0, turn)}z`;
      turn += sweep + 0.35 + next() * 0.9;
    }
    inner = outer + (outer - inner) * 0.5;
  }
  return inTones(paths);
};

/** Rows of dots that grow and shrink. */
const dots: Draw = (width, height, next) => {
  const step = height / (7 + pick(next, 4));
  const [phase, speed] = [next() * 6, 0.35 + next() * 0.5];
  const rows = Array.from({ length: Math.ceil(height / step) + 1 }, (_, row) => (
    <path
      d={`M${row % 2 === 0 ? round(step / 2) : 0} ${round(row * step)}H${round(width + step)}`}
      stroke-width={(step * (0.2 + 0.7 * Math.abs(Math.sin(phase + row * speed)))).toFixed(1)}
    />
  ));
  return [
    <g fill="none" stroke="currentColor" stroke-linecap="round" stroke-dasharray={`0 ${step.toFixed(1)}`}>
      {rows}
    </g>,
  ];
};

/** Pipes of an organ. */
const pipes: Draw = (width, height, next) => {
  const paths = ['', '', ''];
  const [phase, depth] = [next() * 6, 0.18 + next() * 0.2];
  for (let [x, pipe] = [0, 0]; x < width; pipe += 1) {
    const broad = height * (0.03 + next() * 0.09);
    const top = height * (0.42 + depth * Math.sin(phase + (x / width) * 7) - next() * 0.2);
    paths[pipe % 5 === 0 ? 1 : next() < 0.77 ? 0 : 2] += `M${round(x)} ${height}V${round(top)}h${round(broad)}V${height}z`;
    x += broad + height * 0.022;
  }
  return inTones(paths);
};

/** Quarters of discs on a grid. */
const tiles: Draw = (width, height, next) => {
  const side = round(height / (2 + pick(next, 2)));
  const paths = ['', '', ''];
  for (let x = 0; x < width; x += side) {
    for (let y = 0; y < height - 1; y += side) {
      const quarter = `a${side} ${side} 0 0 1`;
      const shapes = [
        `M${x} ${y}h${side}${quarter}-${side} ${side}z`,
        `M${x + side} ${y}v${side}${quarter}-${side}-${side}z`,
        `M${x + side} ${y + side}h-${side}${quarter} ${side}-${side}z`,
        `M${x} ${y + side}v-${side}${quarter} ${side} ${side}z`,
      ];
      paths[pick(next, 3)] += shapes[pick(next, shapes.length)] as string;
    }
  }
  return inTones(paths);
};

/** Light from one lamp. */
const rays: Draw = (width, height, next) => {
  const [x, y, far] = [width * (0.2 + next() * 0.6), -height * 0.15, width * 1.3];
  const paths = ['', '', ''];
  for (let turn = 0.12 + next() * 0.1; turn < 3;) {
    const sweep = 0.03 + next() * 0.12;
    const at = (angle: number): string => `${round(x + Math.cos(angle) * far)} ${round(y + Math.sin(angle) * far)}`;
    paths[1 + pick(next, 2)] += `M${round(x)} ${round(y)}L${at(turn)} ${at(turn + sweep)}z`;
    turn += sweep + 0.05 + next() * 0.1;
  }
  return [...inTones(paths), <circle cx={round(x)} cy={round(height * 0.64)} r={round(height * 0.2)} fill="currentColor" />];
};

/** Lines of a sound. */
const waves: Draw = (width, height, next) => {
  const [length, count] = [round(height * (0.35 + next() * 0.5)), 8 + pick(next, 5)];
  const gap = height / count;
  const lines = Array.from({ length: count + 1 }, (_, line) => {
    const start = -length * (line % 2 === 0 ? 1 : 1.5);
    const high = round(gap * (0.6 + 1.3 * Math.sin((line / count) * 3.1)));
    const crests = `t${length} 0`.repeat(Math.ceil((width - start) / length));
    return (
      <path
        d={`M${round(start)} ${round(gap * (line - 0.2))}q${round(length / 2)}-${high} ${length} 0${crests}`}
        stroke-width={(1 + gap * 0.42 * (0.5 + 0.5 * Math.sin(line * 0.9 + next()))).toFixed(1)}
      />
    );
  });
  return [
    <g fill="none" stroke="currentColor">
      {lines}
    </g>,
  ];
};

const drawings: readonly Draw[] = [rings, dots, pipes, tiles, rays, waves];
