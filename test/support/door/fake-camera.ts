import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { blankPicture, drawCode, pictureSize, type CodePicture } from './code-pictures.js';

const { width, height } = pictureSize;
const header = `YUV4MPEG2 W${width} H${height} F30:1 Ip A1:1 C420jpeg\n`;
const frameHeader = 'FRAME\n';
/** Grey pictures have the same colour everywhere. */
const colours = Buffer.alloc((width * height) / 2, 128);

/**
 * A camera for Chromium: a film of one picture, which Chromium reads from the file again for every frame. Writing another picture into the
 * file changes what the camera sees. All pages of a browser share the camera.
 */
export class FakeCamera {
  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  /** Makes the file of the camera in this folder; it sees nothing yet. */
  static async open(folder: string): Promise<FakeCamera> {
    const path = join(folder, 'camera.y4m');
    const camera = new FakeCamera(await open(path, 'w+'), path);
    await camera.file.write(Buffer.concat([Buffer.from(header + frameHeader), blankPicture(), colours]), 0, undefined, 0);
    return camera;
  }

  /** Arguments that make Chromium use this camera without a question. */
  get flags(): string[] {
    return ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${this.path}`];
  }

  /** Holds a code before the camera. */
  async show(picture: CodePicture | string): Promise<void> {
    await this.see(await drawCode(typeof picture === 'string' ? { text: picture } : picture));
  }

  /** Takes the code away. */
  async clear(): Promise<void> {
    await this.see(blankPicture());
  }

  /** @param pixels one grey byte per pixel */
  async see(pixels: Buffer): Promise<void> {
    // The size of the file stays, so that Chromium never reads a part of a frame at its end.
    await this.file.write(pixels, 0, pixels.length, header.length + frameHeader.length);
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
