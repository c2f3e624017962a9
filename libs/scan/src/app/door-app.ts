import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#kernel';

/** Compressed forms of a file, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

type Encoding = (typeof encodings)[number]['name'];

/** One file in `assets.json`. */
export interface ListedFile {
  readonly file: string;
  readonly type: string;
  /** The name contains a hash of the content. */
  readonly immutable: boolean;
  readonly compressed: boolean;
}

/** `assets.json` of a build. */
export interface FileList {
  /** Identifies the build. */
  readonly version: string;
  readonly files: readonly ListedFile[];
  /** Files of the builds before, which running apps may still ask for. */
  readonly previous: readonly ListedFile[];
}

/** A file as it is sent. */
export interface DoorFile {
  readonly type: string;
  readonly immutable: boolean;
  readonly bytes: Buffer;
  readonly encoding: Encoding | undefined;
}

/** The output of `scripts/build-door.js`, in memory: about 2 MB. */
export class DoorApp {
  private readonly files = new Map<string, readonly DoorFile[]>();

  private constructor(
    readonly version: string,
    folder: string,
    listed: readonly ListedFile[],
  ) {
    for (const { file, type, immutable, compressed } of listed) {
      const path = join(folder, file);
      const plain = { type, immutable, bytes: readFileSync(path), encoding: undefined };
      const forms = compressed
        ? encodings.map(({ name, suffix }) => ({ type, immutable, bytes: readFileSync(`${path}${suffix}`), encoding: name }))
        : [];
      this.files.set(file, [...forms, plain]);
    }
  }

  /** @throws Error when the app was not built */
  static read(folder = join(projectFolder(), 'dist', 'door')): DoorApp {
    const list = join(folder, 'assets.json');
    if (!existsSync(list)) throw new Error(`The scanner app is not built (${list} is missing): run node scripts/build-door.js`);
    const { version, files, previous } = JSON.parse(readFileSync(list, 'utf8')) as FileList;
    return new DoorApp(version, folder, [...files, ...previous]);
  }

  /**
   * A file in the best form that the client accepts.
   * @param accepts whether the client takes this encoding
   * @returns undefined when the app has no such file
   */
  file(name: string, accepts: (encoding: Encoding) => boolean): DoorFile | undefined {
    return this.files.get(name)?.find(({ encoding }) => encoding === undefined || accepts(encoding));
  }
}
